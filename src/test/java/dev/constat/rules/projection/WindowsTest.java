package dev.constat.rules.projection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.spec.WindowRule;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {

  private static final Instant[] EXTREMES = {
    Instant.MIN,
    Instant.MIN.plusNanos(1),
    Instant.MIN.plusSeconds(86_400),
    Instant.MAX,
    Instant.MAX.minusNanos(1),
    Instant.MAX.minusSeconds(86_400),
    Instant.ofEpochMilli(Long.MIN_VALUE),
    Instant.ofEpochMilli(Long.MAX_VALUE),
    Instant.EPOCH,
    Instant.EPOCH.minusNanos(1),
  };

  @ParameterizedTest
  @CsvSource({
    // size, every, instant, windows by start
    "PT10M, PT10M, 2026-01-05T10:00:00Z, 2026-01-05T10:00:00Z",
    "PT10M, PT10M, 2026-01-05T10:09:59.999999999Z, 2026-01-05T10:00:00Z",
    "PT10M, PT10M, 2026-01-05T10:10:00Z, 2026-01-05T10:10:00Z",
    "PT10M, PT5M, 2026-01-05T10:09:59Z, 2026-01-05T10:00:00Z 2026-01-05T10:05:00Z",
    "PT10M, PT5M, 2026-01-05T10:10:00Z, 2026-01-05T10:05:00Z 2026-01-05T10:10:00Z",
    "PT10M, PT4M, 1970-01-01T00:09:00Z, "
        + "1970-01-01T00:00:00Z 1970-01-01T00:04:00Z 1970-01-01T00:08:00Z",
    "PT10M, PT4M, 1970-01-01T00:11:00Z, 1970-01-01T00:04:00Z 1970-01-01T00:08:00Z",
    // before 1970
    "PT1H, PT1H, 1969-12-31T23:59:59.999999999Z, 1969-12-31T23:00:00Z",
    "PT0.007S, PT0.007S, 1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.993Z",
  })
  void windowsAreAlignedWithTheEpoch(
      Duration size, Duration every, Instant instant, String starts) {
    List<Window> expected = new ArrayList<>();
    for (String start : starts.split(" ", -1)) {
      expected.add(new Window(Instant.parse(start), Instant.parse(start).plus(size)));
    }
    assertThat(Windows.of(new WindowRule.Sliding(size, every), instant)).isEqualTo(expected);
    if (size.equals(every)) {
      assertThat(Windows.of(new WindowRule.Fixed(size), instant)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void windowsAreThoseThatContainTheInstant(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Duration every = Duration.ofMillis(1 + random.nextInt(100_000));
      Duration size = every.plusMillis(random.nextInt(300_000));
      boolean extreme = random.nextInt(4) == 0;
      Instant instant =
          extreme
              ? EXTREMES[random.nextInt(EXTREMES.length)]
              : Instant.ofEpochSecond(
                  random.nextLong() >> random.nextInt(30) + 10, random.nextInt(1_000_000_000));
      assertThat(Windows.of(new WindowRule.Sliding(size, every), instant))
          .describedAs("%s every %s at %s", size, every, instant)
          .isEqualTo(slow(size, every, instant));
    }
  }

  /** Every multiple of the period from which a window reaches over the instant, one by one. */
  private static List<Window> slow(Duration size, Duration every, Instant instant) {
    BigInteger at = nanos(instant);
    BigInteger period = nanos(Instant.EPOCH.plus(every));
    BigInteger length = nanos(Instant.EPOCH.plus(size));
    List<Window> windows = new ArrayList<>();
    BigInteger start = at.subtract(length).divide(period).subtract(BigInteger.TWO).multiply(period);
    for (; start.compareTo(at) <= 0; start = start.add(period)) {
      BigInteger end = start.add(length);
      boolean held =
          start.compareTo(nanos(Instant.MIN)) >= 0 && end.compareTo(nanos(Instant.MAX)) <= 0;
      if (end.compareTo(at) > 0 && held) {
        windows.add(new Window(instant(start), instant(end)));
      }
    }
    return windows;
  }

  private static BigInteger nanos(Instant instant) {
    return BigInteger.valueOf(instant.getEpochSecond())
        .multiply(BigInteger.valueOf(1_000_000_000))
        .add(BigInteger.valueOf(instant.getNano()));
  }

  private static Instant instant(BigInteger nanos) {
    BigInteger second = BigInteger.valueOf(1_000_000_000);
    BigInteger rest = nanos.mod(second);
    return Instant.ofEpochSecond(
        nanos.subtract(rest).divide(second).longValueExact(), rest.longValueExact());
  }

  @ParameterizedTest
  @CsvSource({
    "UTC, 2026-01-05T23:59:59.999999999Z, 2026-01-05T00:00:00Z, 2026-01-06T00:00:00Z",
    "Asia/Kathmandu, 2026-01-05T18:15:00Z, 2026-01-05T18:15:00Z, 2026-01-06T18:15:00Z",
    // 23 and 25 hours
    "America/New_York, 2026-03-08T12:00:00Z, 2026-03-08T05:00:00Z, 2026-03-09T04:00:00Z",
    "America/New_York, 2026-11-01T05:30:00Z, 2026-11-01T04:00:00Z, 2026-11-02T05:00:00Z",
    "America/New_York, 2026-11-01T06:30:00Z, 2026-11-01T04:00:00Z, 2026-11-02T05:00:00Z",
    // no midnight: the day begins at one o'clock
    "America/Sao_Paulo, 2017-10-15T03:00:00Z, 2017-10-15T03:00:00Z, 2017-10-16T02:00:00Z",
    // a day that never was
    "Pacific/Apia, 2011-12-30T09:59:59Z, 2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
    "Pacific/Apia, 2011-12-30T10:00:00Z, 2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z",
    // clocks went back over midnight, from 00:01 to 23:01: the day had begun
    "America/St_Johns, 2010-11-07T02:30:30Z, 2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z",
    "America/St_Johns, 2010-11-07T02:45:00Z, 2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z",
    "America/St_Johns, 2010-11-07T02:29:59Z, 2010-11-06T02:30:00Z, 2010-11-07T02:30:00Z",
  })
  void daysLastFromMidnightToMidnight(ZoneId zone, Instant instant, Instant start, Instant end) {
    assertThat(Windows.of(new WindowRule.Days(zone), instant))
        .containsExactly(new Window(start, end));
  }

  @ParameterizedTest
  @ValueSource(strings = {"America/St_Johns", "Europe/Paris", "Pacific/Apia", "America/Havana"})
  void daysCoverTimeOnce(ZoneId zone) {
    WindowRule days = new WindowRule.Days(zone);
    Instant until = Instant.parse("2013-01-01T00:00:00Z");
    Window day = Windows.of(days, Instant.parse("1985-01-01T12:00:00Z")).get(0);
    while (day.end().isBefore(until)) {
      assertThat(Windows.of(days, day.start())).containsExactly(day);
      assertThat(Windows.of(days, day.end().minusNanos(1))).containsExactly(day);
      Window next = Windows.of(days, day.end()).get(0);
      assertThat(next.start()).isEqualTo(day.end());
      day = next;
    }
  }

  @Test
  void aSessionBeginsAtItsEvent() {
    Instant instant = Instant.parse("2026-01-05T10:00:00.000000001Z");
    assertThat(Windows.of(new WindowRule.Session(Duration.ofMinutes(30)), instant))
        .containsExactly(new Window(instant, instant.plusSeconds(1_800)));
  }

  @Test
  void whatCannotBeHeldIsNoWindow() {
    for (WindowRule rule :
        List.of(
            new WindowRule.Fixed(Duration.ofDays(1)),
            new WindowRule.Fixed(Duration.ofSeconds(Long.MAX_VALUE / 2)),
            new WindowRule.Sliding(Duration.ofDays(1), Duration.ofHours(1)),
            new WindowRule.Session(Duration.ofDays(1)),
            new WindowRule.Session(Duration.ofSeconds(Long.MAX_VALUE)),
            new WindowRule.Days(ZoneId.of("Europe/Paris")))) {
      for (Instant instant : EXTREMES) {
        for (Window window : Windows.of(rule, instant)) {
          assertThat(window.start()).isBeforeOrEqualTo(instant);
          assertThat(window.end()).isAfter(instant);
        }
      }
    }
    assertThat(Windows.of(new WindowRule.Session(Duration.ofMillis(1)), Instant.MAX)).isEmpty();
    assertThat(Windows.of(new WindowRule.Days(ZoneId.of("UTC")), Instant.MAX)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    // watermark, end 10:10, lateness 5 min
    ", ON_TIME",
    "2026-01-05T10:09:59.999999999Z, ON_TIME",
    "2026-01-05T10:10:00Z, REFINES",
    "2026-01-05T10:14:59.999999999Z, REFINES",
    "2026-01-05T10:15:00Z, TOO_LATE",
    "-1000000000-01-01T00:00:00Z, ON_TIME",
    "+1000000000-12-31T23:59:59.999999999Z, TOO_LATE",
  })
  void theOutcomeIsThatOfTheWatermark(Instant watermark, Outcome outcome) {
    Instant end = Instant.parse("2026-01-05T10:10:00Z");
    assertThat(Outcome.of(watermark, end, Duration.ofMinutes(5))).isEqualTo(outcome);
  }

  @Test
  void theAllowedLatenessMayReachBeyondTime() {
    assertThat(Outcome.of(Instant.MAX, Instant.MAX, Duration.ofDays(1))).isEqualTo(Outcome.REFINES);
    assertThat(Outcome.of(Instant.MAX, Instant.EPOCH, Duration.ofSeconds(Long.MAX_VALUE)))
        .isEqualTo(Outcome.REFINES);
  }
}
