package dev.constat.rules.reconcile;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.spec.RunSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/**
 * An {@link Arrival} where its place in time is looked at. What only passes through stays UTF-8, as
 * tables take it.
 *
 * @param sequence name of the sequence that its number means something in, or null
 * @param sequenceNumber that number, unsigned
 * @param projected what projections look at, as {@link Reception#projected}
 * @param link what it has to do with corrections, or null where nothing
 * @param recorded LATE or FUTURE, as the live system recorded it, else null
 */
public record Arrived(
    String source,
    String partition,
    Instant receivedAt,
    String ingestionId,
    Place place,
    Decision decision,
    byte[] sourceEventId,
    Instant occurredAt,
    byte[] occurredAsReceived,
    String schemaVersion,
    byte[] key,
    byte[] hash,
    byte[] hashRule,
    byte[] against,
    long repeats,
    Instant lastReceivedAt,
    byte[] reason,
    byte[] replayId,
    boolean contested,
    boolean withdrawn,
    String sequence,
    long sequenceNumber,
    EnumSet<Flag> flags,
    List<String> projected,
    Link link,
    RecordedDecision recorded) {

  private static final Decision[] DECISIONS = Decision.values();
  private static final Flag[] FLAGS = Flag.values();

  /**
   * What an event has to do with corrections.
   *
   * @param key its key
   * @param targetKnown whether history is known to hold what it replaces
   * @param supersedes id of the version that it replaces, or null
   * @param supersedesOccurredAt when that happened, where it says so
   */
  public record Link(
      EventKey key, boolean targetKnown, String supersedes, OptionalTime supersedesOccurredAt) {}

  /** What is known of an event's part in corrections where its receptions are decided. */
  public enum Linked {
    /** It neither corrects nor is corrected. */
    NO,
    /** It may do either. */
    MAYBE,
    /** It replaces something that history holds. */
    TARGET_KNOWN
  }

  /** Whether history holds it. */
  public boolean inHistory() {
    return decision.inHistory();
  }

  /** Whether it came from a replay. */
  public boolean replayed() {
    return replayId != null;
  }

  /**
   * Where receptions stand in their partition: by (received_at, ingestion_id), then key and place.
   *
   * @param key canonical text of its key
   */
  public static void writeOrder(KeyWriter out, Reception reception, String key) {
    out.instant(reception.receivedAt())
        .text(reception.ingestionId())
        .text(key)
        .raw(reception.place().toBytes());
  }

  /**
   * Appends all that {@link #writeOrder}, source and partition do not hold.
   *
   * @param link its part in corrections
   */
  public static void write(KeyWriter out, Arrival arrival, Linked link) {
    Reception reception = arrival.reception();
    out.octet(arrival.decision().ordinal())
        .nullableText(reception.sourceEventId())
        .instant(reception.occurredAt())
        .nullableText(reception.occurredAsReceived())
        .nullableText(reception.schemaVersion())
        .nullableText(arrival.hash())
        .nullableText(arrival.hashRule())
        .nullableText(arrival.against())
        .unsigned(arrival.repeats())
        .nullableInstant(arrival.lastReceivedAt())
        .nullableText(arrival.reason())
        .nullableText(reception.replayId())
        .bool(arrival.contested())
        .bool(reception.withdrawn())
        .nullableText(arrival.sequence())
        .unsigned(arrival.sequence() == null ? 0 : reception.sourceSequence());
    int flags = 0;
    for (Flag flag : arrival.flags()) {
      flags |= 1 << flag.ordinal();
    }
    out.octet(flags >>> 8).octet(flags);
    reception.projected().forEach(out::nullableText);
    out.bool(link != Linked.NO);
    if (link != Linked.NO) {
      arrival.eventKey().write(out);
      out.bool(link == Linked.TARGET_KNOWN);
      out.nullableText(reception.supersedes());
      reception.supersedesOccurredAt().write(out);
    }
    out.bool(arrival.recorded() != null);
    if (arrival.recorded() != null) {
      arrival.recorded().writeContent(out);
    }
  }

  /**
   * Reads what {@link #writeOrder} and {@link #write} wrote.
   *
   * @param projectedFields how many values projections look at
   */
  public static Arrived read(
      RunSpec spec,
      int projectedFields,
      String source,
      String partition,
      KeyReader order,
      KeyReader in) {
    Instant receivedAt = order.instant();
    String ingestionId = order.text();
    byte[] key = order.bytes();
    Place place = Place.fromBytes(order.raw(Place.BYTES), 0);
    Decision decision = DECISIONS[in.octet()];
    byte[] sourceEventId = in.nullableBytes();
    Instant occurredAt = in.instant();
    byte[] occurredAsReceived = in.nullableBytes();
    String schemaVersion = in.nullableText();
    byte[] hash = in.nullableBytes();
    byte[] hashRule = in.nullableBytes();
    byte[] against = in.nullableBytes();
    long repeats = in.unsigned();
    Instant lastReceivedAt = in.nullableInstant();
    byte[] reason = in.nullableBytes();
    byte[] replayId = in.nullableBytes();
    boolean contested = in.bool();
    boolean withdrawn = in.bool();
    String sequence = in.nullableText();
    long sequenceNumber = in.unsigned();
    int bits = in.octet() << 8 | in.octet();
    EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
    for (; bits != 0; bits &= bits - 1) {
      flags.add(FLAGS[Integer.numberOfTrailingZeros(bits)]);
    }
    String[] projected = new String[projectedFields];
    for (int i = 0; i < projectedFields; i++) {
      projected[i] = in.nullableText();
    }
    Link link = null;
    if (in.bool()) {
      link =
          new Link(
              EventKey.read(in, spec.contract(source).scope().size()),
              in.bool(),
              in.nullableText(),
              OptionalTime.read(in));
    }
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
        key,
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
        Arrays.asList(projected),
        link,
        in.bool() ? RecordedDecision.read(ingestionId, in) : null);
  }
}
