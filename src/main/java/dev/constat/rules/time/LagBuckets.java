package dev.constat.rules.time;

import com.google.common.collect.ImmutableList;
import java.time.Duration;

/**
 * The fixed bounds by which lags (received_at - occurred_at) are counted: 0 for what happened in
 * the future of its reception, decades below a second, 1-2-5 steps above, up to 116 days. They
 * never depend on the data, so the counts of any two runs can be compared and added.
 */
public final class LagBuckets {

  private static final long[] BOUNDS_MILLIS = bounds();

  /** How many counts there are: one per bound and one for what lies above the last. */
  public static final int COUNT = BOUNDS_MILLIS.length + 1;

  private LagBuckets() {}

  private static long[] bounds() {
    ImmutableList.Builder<Long> bounds = ImmutableList.builder();
    bounds.add(0L, 1L, 10L, 100L);
    for (long decade = 1_000; decade <= 1_000_000_000; decade *= 10) {
      bounds.add(decade, 2 * decade, 5 * decade);
    }
    bounds.add(10_000_000_000L);
    return bounds.build().stream().mapToLong(Long::longValue).toArray();
  }

  /** The upper bound, inclusive, of one count but the last, in milliseconds. */
  public static long boundMillis(int index) {
    return BOUNDS_MILLIS[index];
  }

  /** Which count {@code lag} belongs to: the first whose bound it does not exceed. */
  public static int indexOf(Duration lag) {
    int low = 0;
    int high = BOUNDS_MILLIS.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (lag.compareTo(Duration.ofMillis(BOUNDS_MILLIS[middle])) <= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
