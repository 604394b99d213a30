package dev.constat.rules.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          2026-01-05T10:00:00Z               , 2026-01-05T10:00:00Z
          2026-01-05t10:00:00z               , 2026-01-05T10:00:00Z
          2026-01-05 10:00:00Z               , 2026-01-05T10:00:00Z
          2026-01-05T10:00Z                  , 2026-01-05T10:00:00Z
          2026-01-05T10:00:00.5Z             , 2026-01-05T10:00:00.500Z
          2026-01-05T10:00:00.000000001Z     , 2026-01-05T10:00:00.000000001Z
          2026-01-05T10:00:00.00000000100Z   , 2026-01-05T10:00:00.000000001Z
          2026-01-05T10:00:00+01:00          , 2026-01-05T09:00:00Z
          2026-01-05T10:00:00+0530           , 2026-01-05T04:30:00Z
          2026-01-05 10:00:00+00             , 2026-01-05T10:00:00Z
          2026-01-05T10:00:00-23:59          , 2026-01-06T09:59:00Z
          2026-01-05T10:00:00-00:00          , 2026-01-05T10:00:00Z
          2024-02-29T00:00:00Z               , 2024-02-29T00:00:00Z
          1969-12-31T23:59:59.999999Z        , 1969-12-31T23:59:59.999999Z
          0000-03-01T00:00:00Z               , 0000-03-01T00:00:00Z
          -0044-03-15T12:00:00Z              , -0044-03-15T12:00:00Z
          +472976-06-15T20:09:57.269Z        , +472976-06-15T20:09:57.269Z
          +1000000000-12-31T23:59:59.999999999Z, +1000000000-12-31T23:59:59.999999999Z
          -1000000000-01-01T00:00:00Z        , -1000000000-01-01T00:00:00Z
          """)
  void readsInstants(String text, Instant instant) {
    assertThat(TimeText.parse(text)).isEqualTo(instant);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          2026-01-05T10:00:00          , 2026-01-05T10:00:00
          2026-01-05 10:00             , 2026-01-05T10:00:00
          2026-01-05T10:00:00.123456789, 2026-01-05T10:00:00.123456789
          """)
  void keepsTimesWithoutZoneApart(String text, LocalDateTime local) {
    assertThat(TimeText.parse(text)).isEqualTo(local);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          0000-00-00T00:00:00Z            , has no such month
          2026-02-29T00:00:00Z            , has no such day
          2100-02-29T00:00:00Z            , has no such day
          2026-01-05T24:00:00Z            , has no such hour
          2026-01-05T10:60:00Z            , has no such minute
          2026-01-05T10:00:61Z            , has no such second
          2026-12-31T23:59:60Z            , 'has a leap second, which no instant holds'
          2026-01-05T10:00:00.0000000001Z , is finer than a nanosecond
          2026-01-05                      , has no time of day
          +1000000001-01-01T00:00:00Z     , lies outside the range of times
          -1000000001-12-31T23:59:59Z     , lies outside the range of times
          +1000000000-01-01T00:00:00      , lies outside the range of times
          2026-01-05T10:00:00+24:00       , has no such hour of its offset
          1767607200                      , is no ISO 8601 time
          2026-1-5T10:00:00Z              , is no ISO 8601 time
          12026-01-05T10:00:00Z           , is no ISO 8601 time
          2026-01-05T10:00:00.Z           , is no ISO 8601 time
          '2026-01-05T10:00:00,5Z'        , is no ISO 8601 time
          2026-01-05T10:00:00 UTC         , is no ISO 8601 time
          2026-01-05T10:00:00Z[UTC]       , is no ISO 8601 time
          '2026-01-05T10:00:00Z '         , is no ISO 8601 time
          ''                              , is no ISO 8601 time
          ２０２６-01-05T10:00:00Z          , is no ISO 8601 time
          """)
  void refusesWhatIsNoTime(String text, String problem) {
    assertThatThrownBy(() -> TimeText.parse(text))
        .isInstanceOf(DateTimeException.class)
        .hasMessage(problem);
  }

  @Test
  void readsWhatInstantWrites() {
    SplittableRandom random = new SplittableRandom(5);
    long range = Instant.MAX.getEpochSecond();
    for (int i = 0; i < 20_000; i++) {
      long bound = Math.max(1, range >> random.nextInt(55));
      Instant instant =
          Instant.ofEpochSecond(random.nextLong(-bound, bound), random.nextInt(1_000_000_000));

      assertThat(TimeText.parse(instant.toString())).isEqualTo(instant);
    }
  }
}
