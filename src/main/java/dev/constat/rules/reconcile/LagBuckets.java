package dev.constat.rules.reconcile;

import com.google.common.primitives.ImmutableLongArray;
import java.time.Duration;

/** Fixed, logarithmic bounds for received_at - occurred_at, in seconds. */
public final class LagBuckets {

  /** Upper bounds (inclusive) in seconds; the first holds events from the future. */
  public static final ImmutableLongArray BOUNDS =
      ImmutableLongArray.of(
          0,
          1,
          2,
          5,
          10,
          30,
          60,
          300,
          900,
          3_600,
          10_800,
          43_200,
          86_400,
          604_800,
          2_592_000,
          31_536_000);

  private LagBuckets() {}

  /** A lag in milliseconds, cut to {@link CheckTally#LAG_LIMIT} either way, so that sums hold. */
  public static long millis(Duration lag) {
    long seconds = CheckTally.LAG_LIMIT / 1_000;
    return lag.toSeconds() >= seconds
        ? CheckTally.LAG_LIMIT
        : lag.toSeconds() <= -seconds ? -CheckTally.LAG_LIMIT : lag.toMillis();
  }

  /** Index of the bucket of a lag; {@code BOUNDS.length()} beyond the last bound. */
  public static int of(Duration lag) {
    for (int i = 0; i < BOUNDS.length(); i++) {
      if (lag.compareTo(Duration.ofSeconds(BOUNDS.get(i))) <= 0) {
        return i;
      }
    }
    return BOUNDS.length();
  }
}
