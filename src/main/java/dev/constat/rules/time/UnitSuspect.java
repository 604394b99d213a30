package dev.constat.rules.time;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;

/**
 * Asks of an event whose time is out of all bounds whether it was meant in another unit (spec
 * section 4): its count from the epoch, times or divided by 10^3, 10^6 or 10^9, comes close to
 * received_at. Nothing is ever rescaled.
 */
public final class UnitSuspect {

  private static final Duration OLD = Duration.ofDays(365);
  private static final Duration CLOSE = Duration.ofDays(1);
  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);

  /** The repairs; of two that come equally close the earlier one is the answer. */
  private enum Repair {
    BY_1000("/1000", 1_000, true),
    BY_1000000("/1000000", 1_000_000, true),
    BY_1000000000("/1000000000", 1_000_000_000, true),
    TIMES_1000("*1000", 1_000, false),
    TIMES_1000000("*1000000", 1_000_000, false),
    TIMES_1000000000("*1000000000", 1_000_000_000, false);

    private final String text;
    private final long factor;
    private final boolean divides;

    Repair(String text, long factor, boolean divides) {
      this.text = text;
      this.factor = factor;
      this.divides = divides;
    }

    /** Whether doubles, whose error is far below a minute, leave it possible. */
    boolean mayFit(Instant occurredAt, Instant receivedAt, Duration limit) {
      double occurred = occurredAt.getEpochSecond() + occurredAt.getNano() / 1e9;
      double repaired = divides ? occurred / factor : occurred * factor;
      double slack = 60 + limit.toSeconds() * 1.000001;
      return Math.abs(repaired - receivedAt.getEpochSecond()) <= slack;
    }

    /** How far the repaired time lies from another, in nanoseconds divided by 10^9. */
    BigInteger distance(BigInteger occurred, BigInteger received) {
      BigInteger by = BigInteger.valueOf(factor);
      return divides
          ? occurred.subtract(received.multiply(by)).abs().multiply(NANOS.divide(by))
          : occurred.multiply(by).subtract(received).abs().multiply(NANOS);
    }
  }

  private UnitSuspect() {}

  /**
   * What would repair a time.
   *
   * @param timeliness of the event
   * @param budget in force at its reception
   * @return {@code /1000}, {@code *1000000} and the like, the one that comes closest where several
   *     fit; null where none does, or the time is not out of bounds
   */
  public static String repair(
      Instant occurredAt, Instant receivedAt, Timeliness timeliness, Duration budget) {
    if (timeliness != Timeliness.FUTURE
        && Clock.compareDistance(receivedAt, occurredAt, OLD) <= 0) {
      return null;
    }
    Duration limit = budget.compareTo(CLOSE) > 0 ? budget : CLOSE;
    Repair closest = null;
    BigInteger smallest = nanos(limit.toSeconds(), limit.getNano()).multiply(NANOS);
    for (Repair repair : Repair.values()) {
      if (repair.mayFit(occurredAt, receivedAt, limit)) {
        BigInteger distance = repair.distance(nanos(occurredAt), nanos(receivedAt));
        int compared = distance.compareTo(smallest);
        if (compared < 0 || compared == 0 && closest == null) {
          closest = repair;
          smallest = distance;
        }
      }
    }
    return closest == null ? null : closest.text;
  }

  private static BigInteger nanos(Instant instant) {
    return nanos(instant.getEpochSecond(), instant.getNano());
  }

  private static BigInteger nanos(long seconds, int nanos) {
    return BigInteger.valueOf(seconds).multiply(NANOS).add(BigInteger.valueOf(nanos));
  }
}
