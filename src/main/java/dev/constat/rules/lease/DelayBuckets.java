package dev.constat.rules.lease;

import com.google.common.primitives.ImmutableLongArray;
import java.time.Duration;

/**
 * Fixed, logarithmic bounds for how long deliveries and leases take, in milliseconds. The same
 * constants in every run, so that histograms can be added up and compared.
 */
public final class DelayBuckets {

  /** Upper bounds (inclusive) in milliseconds; the first holds what came before its cause. */
  public static final ImmutableLongArray BOUNDS =
      ImmutableLongArray.of(
          0,
          10,
          50,
          100,
          250,
          500,
          1_000,
          2_000,
          5_000,
          10_000,
          15_000,
          20_000,
          30_000,
          45_000,
          60_000,
          90_000,
          120_000,
          180_000,
          300_000,
          600_000,
          900_000,
          1_800_000,
          3_600_000,
          10_800_000,
          43_200_000,
          86_400_000,
          604_800_000);

  /** The longest delay that counts in full in sums: ten years. */
  private static final long LIMIT_SECONDS = 315_576_000;

  private static final long MILLIS = 1_000;
  private static final int NANOS = 1_000_000;

  private DelayBuckets() {}

  /** Index of the bucket of a delay; {@code BOUNDS.length()} beyond the last bound. */
  public static int of(Duration delay) {
    long ceiling = ceilingMillis(delay);
    int from = 0;
    int to = BOUNDS.length();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (ceiling <= BOUNDS.get(middle)) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  /** A delay in milliseconds, cut to ten years either way, so that sums hold. */
  public static long millis(Duration delay) {
    return delay.toSeconds() >= LIMIT_SECONDS
        ? LIMIT_SECONDS * MILLIS
        : delay.toSeconds() < -LIMIT_SECONDS ? -LIMIT_SECONDS * MILLIS : delay.toMillis();
  }

  /** A delay in milliseconds, rounded up, as far as it makes a difference. */
  private static long ceilingMillis(Duration delay) {
    if (delay.toSeconds() >= LIMIT_SECONDS) {
      return Long.MAX_VALUE;
    }
    return delay.toSeconds() < 0
        ? 0
        : delay.toSeconds() * MILLIS + (delay.getNano() + NANOS - 1) / NANOS;
  }
}
