package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZoneSuspectTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0",
    "PT2M, 0",
    "PT7M30S, 0",
    "PT12M59.999999999S, 0",
    "PT13M, 1",
    "PT15M, 1",
    "PT17M, 1",
    "PT17M0.000000001S, 0",
    "PT1H, 4",
    "PT1H1S, 4",
    "PT59M59.5S, 4",
    "PT5H45M, 23",
    "PT14H2M, 56",
    "PT14H2M0.000000001S, 0",
    "PT14H15M, 0",
    "PT-13M, -1",
    "PT-12M-59.999999999S, 0",
    "PT-17M, -1",
    "PT-17M-0.000000001S, 0",
    "PT-2H, -8",
    "PT-14H-2M, -56",
    "PT-14H-15M, 0",
  })
  void aLagIsCloseToAMultiple(Duration lag, int multiple) {
    Instant occurred = Instant.parse("2026-01-05T10:00:00.7Z");
    assertThat(ZoneSuspect.multiple(occurred, occurred.plus(lag))).isEqualTo(multiple);
  }

  @Test
  void noLagIsTooLong() {
    assertThat(ZoneSuspect.multiple(Instant.MIN, Instant.MAX)).isZero();
    assertThat(ZoneSuspect.multiple(Instant.MAX, Instant.MIN)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "19, 19, false",
    "20, 20, true",
    "20, 19, true",
    "20, 18, false",
    "39, 38, true",
    "39, 37, false",
    "100, 95, true",
    "100, 94, false",
    "101, 96, true",
    "101, 95, false",
    "9223372036854775807, 9223372036854775807, true",
    "9223372036854775807, 8700000000000000000, false",
  })
  void nearlyAllMustAgree(long events, long atMultiple, boolean holds) {
    assertThat(ZoneSuspect.holds(events, atMultiple)).isEqualTo(holds);
  }
}
