package dev.constat.rules.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.spec.RunSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/**
 * Reads what {@link Arrived#writeOrder} and {@link Arrived#write} wrote, partition by partition.
 *
 * <p>Serves one thread.
 */
public final class ArrivedReader {

  private static final Decision[] DECISIONS = Decision.values();
  private static final Flag[] FLAGS = Flag.values();
  private static final byte[] FIRST = IdentityJudge.FIRST.toBytes();

  /** Ends the text of a key that is plain. */
  private static final byte[] KEY_END = {'"', '}'};

  private final RunSpec spec;
  private final int projectedFields;
  private String source;
  private String partition;
  private byte[] keyBegin;

  /** A reader for a run. */
  public ArrivedReader(RunSpec spec) {
    this.spec = spec;
    this.projectedFields = spec.projectedFields().size();
  }

  /** Begins the receptions of a partition. */
  public void begin(String nextSource, String nextPartition) {
    source = nextSource;
    partition = nextPartition;
    String empty = EventKey.ofId(source, "", List.of(), Revision.NONE).text(List.of());
    keyBegin = empty.substring(0, empty.length() - KEY_END.length).getBytes(UTF_8);
  }

  /** Reads a reception from its order and its body. */
  public Arrived read(KeyReader order, KeyReader in) {
    Instant receivedAt = order.instant();
    String ingestionId = order.text();
    boolean plain = !order.bool();
    byte[] name = order.bytes();
    Place place = Place.read(order);
    Decision decision = DECISIONS[in.octet()];
    byte[] sourceEventId = plain ? name : in.nullableBytes();
    Instant occurredAt = in.instant();
    byte[] occurredAsReceived = in.nullableBytes();
    String schemaVersion = in.nullableRepeatedText();
    byte[] hash = in.nullableBytes();
    byte[] hashRule = in.nullableBytes();
    byte[] against = in.nullableBytes();
    long repeats = in.unsigned();
    Instant lastReceivedAt = in.nullableInstant();
    byte[] replayId = in.nullableBytes();
    boolean contested = in.bool();
    boolean withdrawn = in.bool();
    String sequence = in.nullableRepeatedText();
    long sequenceNumber = in.unsigned();
    byte[] recordedAs = in.nullableBytes();
    byte[] supersedes = in.nullableBytes();
    byte[] reason = in.bool() ? FIRST : in.nullableBytes();
    EnumSet<Flag> flags = flags(in.octet() << 8 | in.octet());
    return new Arrived(
        source,
        partition,
        receivedAt,
        ingestionId,
        place,
        decision,
        sourceEventId,
        occurredAt,
        occurredAsReceived,
        schemaVersion,
        plain ? plainKey(name) : name,
        hash,
        hashRule,
        against,
        repeats,
        lastReceivedAt,
        reason,
        replayId,
        contested,
        withdrawn,
        sequence,
        sequenceNumber,
        flags,
        projected(in),
        in.bool() ? link(in, supersedes) : null,
        in.bool() ? RecordedDecision.read(ingestionId, in) : null,
        recordedAs,
        supersedes);
  }

  private static EnumSet<Flag> flags(int bits) {
    EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
    for (int left = bits; left != 0; left &= left - 1) {
      flags.add(FLAGS[Integer.numberOfTrailingZeros(left)]);
    }
    return flags;
  }

  private List<String> projected(KeyReader in) {
    String[] projected = new String[projectedFields];
    for (int i = 0; i < projectedFields; i++) {
      projected[i] = in.nullableText();
    }
    return Arrays.asList(projected);
  }

  private Arrived.Link link(KeyReader in, byte[] supersedes) {
    return new Arrived.Link(
        EventKey.read(in, spec.contract(source).scope().size()),
        in.bool(),
        supersedes == null ? null : new String(supersedes, UTF_8),
        OptionalTime.read(in));
  }

  /** The canonical text of the key of source and id. */
  private byte[] plainKey(byte[] id) {
    for (byte b : id) {
      if (b < ' ' || b == '"' || b == '\\') {
        return EventKey.ofId(source, new String(id, UTF_8), List.of(), Revision.NONE)
            .text(List.of())
            .getBytes(UTF_8);
      }
    }
    byte[] key = Arrays.copyOf(keyBegin, keyBegin.length + id.length + KEY_END.length);
    System.arraycopy(id, 0, key, keyBegin.length, id.length);
    System.arraycopy(KEY_END, 0, key, keyBegin.length + id.length, KEY_END.length);
    return key;
  }
}
