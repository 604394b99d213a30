package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockTest {

  private static final Duration BUDGET = Duration.ofMinutes(5);
  private static final Duration TOLERANCE = Duration.ofMinutes(2);

  /** Events of one partition as "occurred_at received_at", to their timeliness. */
  private static List<Timeliness> history(String... events) {
    List<Timeliness> history = new ArrayList<>();
    Instant largest = null;
    for (String event : events) {
      List<String> times = List.of(event.split(" ", -1));
      Instant occurred = Times.at(times.get(0));
      Timeliness timeliness =
          Clock.timeliness(
              occurred, Times.at(times.get(1)), Clock.watermark(largest, BUDGET), TOLERANCE);
      history.add(timeliness);
      if (timeliness != Timeliness.FUTURE && !Clock.outOfOrder(occurred, largest)) {
        largest = occurred;
      }
    }
    return history;
  }

  @Test
  void oneWrongClockDoesNotPoisonTheDay() {
    // C26
    assertThat(history("10:00:00 10:00:01", "12:00:00 10:00:30", "10:01:00 10:01:01"))
        .containsExactly(Timeliness.ON_TIME, Timeliness.FUTURE, Timeliness.ON_TIME);
  }

  @Test
  void whatIsAtALimitIsWithinIt() {
    // C28
    assertThat(
            history(
                "10:05:00 10:05:01",
                "10:00:00 10:05:02",
                "09:59:59.999999 10:05:03",
                "10:08:00 10:06:00",
                "10:08:00.000001 10:06:00"))
        .containsExactly(
            Timeliness.ON_TIME,
            Timeliness.ON_TIME,
            Timeliness.LATE,
            Timeliness.ON_TIME,
            Timeliness.FUTURE);
  }

  @ParameterizedTest
  @CsvSource({
    "10:05:00, PT5M, 10:00:00",
    "10:05:00, PT0S, 10:05:00",
    "10:05:00.000000001, PT0.000000002S, 10:04:59.999999999",
    ", PT5M, ",
    "MIN, PT0S, MIN",
    "MIN, PT0.000000001S, ",
    "MIN, PT5M, ",
    "MAX, PT0S, MAX",
  })
  void theWatermarkStaysBehindTheLargest(String largest, Duration budget, String watermark) {
    assertThat(Clock.watermark(Times.at(largest), budget)).isEqualTo(Times.at(watermark));
  }

  @ParameterizedTest
  @CsvSource({
    // FUTURE goes before LATE
    "10:02:00.000000001, 10:00:00, 11:00:00, FUTURE",
    "10:02:00, 10:00:00, 11:00:00, LATE",
    "10:02:00, 10:00:00, , ON_TIME",
    "10:00:00, 10:00:00, 10:00:00, ON_TIME",
    "09:59:59.999999999, 10:00:00, 10:00:00, LATE",
    "MAX, MIN, , FUTURE",
    "MIN, MAX, , ON_TIME",
    "MIN, MAX, MAX, LATE",
    "MIN, MIN, MIN, ON_TIME",
  })
  void aReceptionStandsToTheClock(
      String occurred, String received, String watermark, Timeliness expected) {
    assertThat(
            Clock.timeliness(
                Times.at(occurred), Times.at(received), Times.at(watermark), TOLERANCE))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "10:00:00, , false",
    "10:00:00, 10:00:00, false",
    "10:00:00, 10:00:00.000000001, true",
    "10:00:01, 10:00:00, false",
    "MIN, MAX, true",
  })
  void onlyWhatIsOlderIsOutOfOrder(String occurred, String largest, boolean expected) {
    assertThat(Clock.outOfOrder(Times.at(occurred), Times.at(largest))).isEqualTo(expected);
  }

  @Test
  void allOfTheTimelineIsExact() {
    Random random = new Random(26);
    for (int i = 0; i < 100_000; i++) {
      Instant a = Times.any(random);
      Instant b = Times.any(random);
      Duration length = Times.anyLength(random);
      BigInteger distance = Times.nanos(a).subtract(Times.nanos(b));
      assertThat(Clock.timeliness(a, b, null, length) == Timeliness.FUTURE)
          .isEqualTo(distance.compareTo(Times.nanos(length)) > 0);
      assertThat(BigInteger.valueOf(Clock.wholeSeconds(a, b)))
          .isEqualTo(
              distance
                  .subtract(BigInteger.valueOf(Clock.nanosBeyond(a, b)))
                  .divide(BigInteger.valueOf(1_000_000_000)));
      BigInteger behind = Times.nanos(a).subtract(Times.nanos(length));
      Instant watermark = Clock.watermark(a, length);
      if (behind.compareTo(Times.nanos(Instant.MIN)) < 0) {
        assertThat(watermark).isNull();
      } else {
        assertThat(Times.nanos(watermark)).isEqualTo(behind);
      }
    }
  }
}
