package dev.constat.rules.order;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** The paths under which the order of aggregates is counted, {@link #ORDERED} rows apart. */
public final class OrderTally {

  /** Step of what is counted of rows whose effect keeps the order of its aggregate. */
  public static final String ORDERED = "ordered";

  /** Step of what is counted of the others. */
  public static final String UNORDERED = "unordered";

  /** Sum, by {@link #ORDERED} or not, and effect type: delivered rows that were judged. */
  public static final String DELIVERED = "order delivered";

  /** Sum, by the same and {@link Cause}: of these, rows delivered before one they stand behind. */
  public static final String OVERTAKINGS = "order overtakings";

  /** Sum, by the same: of these, those that went ahead of a row with a greater priority. */
  public static final String INVERSIONS = "order inversions";

  /** Sum, by effect type: ordered rows that made a later one wait. */
  public static final String HEADS = "order heads";

  /** Sum, by effect type: of these, those whose end as dead letters let the others go. */
  public static final String FREED_BY_DLQ = "order heads dead";

  /** Sum, by effect type: of these, those that still do at the cut. */
  public static final String STILL = "order heads still";

  /** Maximum, by effect type: the longest that one did, and which; see {@link Longest}. */
  public static final String LONGEST = "order heads longest";

  private OrderTally() {}

  /**
   * The longest that a head made a later row wait.
   *
   * @param blocked how long
   * @param outboxId the head; of several, the smallest by bytes
   */
  public record Longest(Duration blocked, String outboxId) {

    /** Encodes it so that the greatest bytes are the longest. */
    public byte[] toBytes() {
      KeyWriter id = new KeyWriter().text(outboxId);
      KeyWriter out =
          new KeyWriter()
              .instant(Instant.ofEpochSecond(blocked.toSeconds(), blocked.toNanosPart()));
      for (int i = 0; i < id.size(); i++) {
        out.octet(~id.buffer()[i]);
      }
      return out.toBytes();
    }

    /** Reads what {@link #toBytes} wrote. */
    public static Longest fromBytes(byte[] bytes) {
      KeyReader in = new KeyReader(bytes);
      Instant length = in.instant();
      byte[] id = in.raw(bytes.length - in.position());
      for (int i = 0; i < id.length; i++) {
        id[i] = (byte) ~id[i];
      }
      return new Longest(
          Duration.ofSeconds(length.getEpochSecond(), length.getNano()), new KeyReader(id).text());
    }

    private static boolean isSmaller(String a, String b) {
      return Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)) < 0;
    }

    boolean isLongerThan(Longest other) {
      int byLength = other == null ? 1 : blocked.compareTo(other.blocked);
      return byLength > 0 || byLength == 0 && isSmaller(outboxId, other.outboxId);
    }
  }
}
