package dev.constat.pipelines.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.000000042S, 42 ns",
    "PT0.06S, 60 ms",
    "PT2.5S, 2.5 s",
    "PT3.711S, 3.711 s",
    "PT59.999999S, 59.999 s",
    "PT1M, 1 min",
    "PT41M18.318S, 41 min 18 s",
    "PT5M, 5 min",
    "PT1H, 1 h",
    "PT29H14M16.659S, 29 h 14 min 16 s",
    "PT48H, 2 d",
    "PT51H51M3S, 2 d 3 h 51 min",
    "P7D, 7 d",
    "P5000D, '5,000 d'",
    "PT-44S, minus 44 s",
  })
  void durationsAreSpelledOut(Duration duration, String words) {
    assertThat(Units.duration(duration)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 10, 0 %",
    "10, 10, 100 %",
    "0, 0, 0 %",
    "24, 2056, 1.1 %",
    "1, 1000000, below 0.1 %",
    "999999, 1000000, 99.9 %",
    "1, 2, 50 %",
    "2, 3, 66.6 %",
  })
  void sharesAreNeverRoundedToAllOrNothing(long part, long all, String words) {
    assertThat(Units.share(part, all)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1 byte",
    "999, 999 bytes",
    "41842, 41.8 kB",
    "1000000, 1.0 MB",
    "9223372036854775807, 9.2 EB",
  })
  void sizesAreShort(long bytes, String words) {
    assertThat(Units.bytes(bytes)).isEqualTo(words);
  }

  @Test
  void countsAreGrouped() {
    assertThat(Units.count(3_874)).isEqualTo("3,874");
    assertThat(Units.count(1, "row", "rows")).isEqualTo("1 row");
    assertThat(Units.count(0, "row", "rows")).isEqualTo("0 rows");
  }

  @Test
  void momentsAreInUtc() {
    Instant time = Instant.parse("2026-01-07T17:48:00.999Z");
    assertThat(Units.time(time)).isEqualTo("2026-01-07 17:48:00");
    assertThat(Units.sentence(time)).isEqualTo("7 January 2026, 17:48:00 UTC");
  }
}
