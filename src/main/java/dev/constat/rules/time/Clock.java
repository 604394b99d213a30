package dev.constat.rules.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock of a partition (spec section 4): how far the events received before let it come, and
 * how a reception stands to it. All comparisons are strict and at full precision.
 */
public final class Clock {

  private static final int NANOS = 1_000_000_000;

  private Clock() {}

  /**
   * The watermark before a reception.
   *
   * @param largest the largest occurred_at of the earlier receptions that count, or null
   * @param budget in force at the reception's received_at
   * @return null where there is none, or it would lie before every instant
   */
  public static Instant watermark(Instant largest, Duration budget) {
    return largest == null || compareDistance(largest, Instant.MIN, budget) < 0
        ? null
        : largest.minus(budget);
  }

  /**
   * How a reception stands to the clock.
   *
   * @param watermark before it, or null where there was none
   * @param tolerance how far occurred_at may lie after received_at
   */
  public static Timeliness timeliness(
      Instant occurredAt, Instant receivedAt, Instant watermark, Duration tolerance) {
    if (compareDistance(occurredAt, receivedAt, tolerance) > 0) {
      return Timeliness.FUTURE;
    }
    return watermark != null && occurredAt.isBefore(watermark)
        ? Timeliness.LATE
        : Timeliness.ON_TIME;
  }

  /**
   * Whether something that happened later had been received before.
   *
   * @param largestBefore the partition's largest occurred_at on arrival, or null
   */
  public static boolean outOfOrder(Instant occurredAt, Instant largestBefore) {
    return largestBefore != null && occurredAt.isBefore(largestBefore);
  }

  /** Compares {@code later - earlier}, negative where they are the other way round. */
  static int compareDistance(Instant later, Instant earlier, Duration distance) {
    int bySeconds = Long.compare(wholeSeconds(later, earlier), distance.toSeconds());
    return bySeconds != 0
        ? bySeconds
        : Integer.compare(nanosBeyond(later, earlier), distance.getNano());
  }

  /** {@code later - earlier} in seconds, rounded down. */
  static long wholeSeconds(Instant later, Instant earlier) {
    long seconds = later.getEpochSecond() - earlier.getEpochSecond();
    return later.getNano() < earlier.getNano() ? seconds - 1 : seconds;
  }

  /** What {@link #wholeSeconds} leaves, in nanoseconds. */
  static int nanosBeyond(Instant later, Instant earlier) {
    int nanos = later.getNano() - earlier.getNano();
    return nanos < 0 ? nanos + NANOS : nanos;
  }
}
