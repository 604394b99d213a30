package dev.constat.rules.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import java.time.Duration;
import java.util.Arrays;

/**
 * How long something took, as a distribution.
 *
 * @param counts how many by bucket of {@link DelayBuckets}, and beyond the last
 * @param millis their sum in milliseconds, each cut as the buckets cut it
 * @param longest the longest, exactly; null where there is none
 * @param outboxId the row it was taken from, of several the smallest by the bytes of its id
 */
public record Delays(ImmutableList<Long> counts, long millis, Duration longest, String outboxId) {

  /** How many there are. */
  public long count() {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The smallest bound of {@link DelayBuckets} that covers a share of them, or the longest where
   * that is less; null where none does, or there is nothing to cover.
   *
   * @param perThousand the share, in thousandths
   */
  public Duration covering(long perThousand) {
    long total = count();
    long covered = 0;
    for (int i = 0; total > 0 && i < DelayBuckets.BOUNDS.length(); i++) {
      covered += counts.get(i);
      if (covered * 1_000 >= total * perThousand) {
        Duration bound = Duration.ofMillis(DelayBuckets.BOUNDS.get(i));
        return longest != null && longest.compareTo(bound) < 0 ? longest : bound;
      }
    }
    return null;
  }

  /** Those that a tally holds. */
  static Delays of(Tally tally, String measure, String effectType) {
    ImmutableList.Builder<Long> counts = ImmutableList.builder();
    for (int i = 0; i <= DelayBuckets.BOUNDS.length(); i++) {
      counts.add(tally.sum(LeaseTally.DELAYS, measure, effectType, Integer.toString(i)));
    }
    byte[] longest = tally.min(LeaseTally.LONGEST, measure, effectType);
    KeyReader in = longest == null ? null : new KeyReader(longest);
    return new Delays(
        counts.build(),
        tally.sum(LeaseTally.DELAY_MILLIS, measure, effectType),
        in == null ? null : Duration.ofSeconds(-in.signed(), -in.signed()),
        in == null ? null : in.text());
  }

  /** Counts delays of one measure and effect type. */
  static final class Counter {

    private final String measure;
    private final String effectType;
    private final long[] counts = new long[DelayBuckets.BOUNDS.length() + 1];
    private long millis;
    private Duration longest;
    private String outboxId;

    Counter(String measure, String effectType) {
      this.measure = measure;
      this.effectType = effectType;
    }

    void add(Duration delay, String ofRow) {
      counts[DelayBuckets.of(delay)]++;
      millis += DelayBuckets.millis(delay);
      int order = longest == null ? 1 : delay.compareTo(longest);
      if (order > 0 || order == 0 && isSmaller(ofRow, outboxId)) {
        longest = delay;
        outboxId = ofRow;
      }
    }

    private static boolean isSmaller(String a, String b) {
      return Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)) < 0;
    }

    void flush(Tally tally) {
      if (longest == null) {
        return;
      }
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] > 0) {
          tally.add(counts[i], LeaseTally.DELAYS, measure, effectType, Integer.toString(i));
        }
      }
      tally.add(millis, LeaseTally.DELAY_MILLIS, measure, effectType);
      KeyWriter out = new KeyWriter();
      out.signed(-longest.getSeconds()).signed(-longest.getNano()).text(outboxId);
      tally.min(out.toBytes(), LeaseTally.LONGEST, measure, effectType);
    }
  }
}
