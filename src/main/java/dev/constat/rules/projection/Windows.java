package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.spec.WindowRule;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * The windows that an instant falls into (spec section 5), aligned with the epoch. An instant lies
 * in [start, end) at full precision, before 1970 too. Windows whose bounds an {@link Instant}
 * cannot hold do not exist.
 */
public final class Windows {

  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000L);

  /** Up to here, seconds can be reckoned in milliseconds of a long, and added to each other. */
  private static final long PLAIN_SECONDS = Long.MAX_VALUE / 4_000;

  private Windows() {}

  /**
   * The windows of an instant, by start.
   *
   * @return a session's is the one that the instant would have to itself; none where it cannot be
   *     held
   */
  public static ImmutableList<Window> of(WindowRule rule, Instant instant) {
    if (rule instanceof WindowRule.Fixed fixed) {
      return sliding(fixed.size(), fixed.size(), instant);
    }
    if (rule instanceof WindowRule.Sliding sliding) {
      return sliding(sliding.size(), sliding.every(), instant);
    }
    if (rule instanceof WindowRule.Session session) {
      Instant end = plus(instant, session.gap());
      return end == null ? ImmutableList.of() : ImmutableList.of(new Window(instant, end));
    }
    return days(((WindowRule.Days) rule).zone(), instant);
  }

  private static ImmutableList<Window> sliding(Duration size, Duration every, Instant instant) {
    ImmutableList.Builder<Window> windows = ImmutableList.builder();
    Duration since = sinceStart(every, instant);
    while (since.compareTo(size) < 0) {
      Instant start = minus(instant, since);
      if (start == null) {
        break; // nor can those before it be held
      }
      Instant end = plus(start, size);
      if (end != null) {
        windows.add(new Window(start, end));
      }
      since = since.plus(every);
    }
    return windows.build().reverse();
  }

  /** How long before an instant the last multiple of a period lies. */
  private static Duration sinceStart(Duration period, Instant instant) {
    long seconds = instant.getEpochSecond();
    if (isPlain(instant, period)) {
      long millis = seconds * 1_000 + instant.getNano() / 1_000_000;
      return Duration.ofMillis(Math.floorMod(millis, period.toMillis()))
          .plusNanos(instant.getNano() % 1_000_000);
    }
    BigInteger[] since =
        nanos(seconds, instant.getNano())
            .mod(nanos(period.toSeconds(), period.getNano()))
            .divideAndRemainder(NANOS);
    return Duration.ofSeconds(since[0].longValueExact(), since[1].longValueExact());
  }

  private static BigInteger nanos(long seconds, int nanos) {
    return BigInteger.valueOf(seconds).multiply(NANOS).add(BigInteger.valueOf(nanos));
  }

  /**
   * A day lasts from its first midnight to that of the next. Where clocks go back over midnight,
   * the hour that is repeated belongs to the day that had begun.
   */
  private static ImmutableList<Window> days(ZoneId zone, Instant instant) {
    try {
      LocalDate date = instant.atZone(zone).toLocalDate();
      Instant start = date.atStartOfDay(zone).toInstant();
      Instant end = date.plusDays(1).atStartOfDay(zone).toInstant();
      while (!instant.isBefore(end)) {
        date = date.plusDays(1);
        start = end;
        end = date.plusDays(1).atStartOfDay(zone).toInstant();
      }
      return ImmutableList.of(new Window(start, end));
    } catch (DateTimeException e) {
      // No date holds such an instant, or the day next to it.
      return ImmutableList.of();
    }
  }

  private static Instant plus(Instant instant, Duration duration) {
    boolean fits =
        isPlain(instant, duration)
            || Duration.between(instant, Instant.MAX).compareTo(duration) >= 0;
    return fits ? instant.plus(duration) : null;
  }

  private static Instant minus(Instant instant, Duration duration) {
    boolean fits =
        isPlain(instant, duration)
            || Duration.between(Instant.MIN, instant).compareTo(duration) >= 0;
    return fits ? instant.minus(duration) : null;
  }

  /** Whether reckoning with both stays far inside what an instant or a long can hold. */
  private static boolean isPlain(Instant instant, Duration duration) {
    return Math.abs(instant.getEpochSecond()) < PLAIN_SECONDS
        && duration.toSeconds() < PLAIN_SECONDS;
  }
}
