package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Types and notations of single values. */
class NotationsTest {

  @ParameterizedTest
  @CsvSource({
    "PT5M, PT5M",
    "P30D, PT720H",
    "P1DT2H3M4.5S, PT26H3M4.5S",
    "PT0S, PT0S",
    "PT0.000000001S, PT0.000000001S",
    "P36500D, PT876000H"
  })
  void durations(String text, Duration duration) {
    assertThat(Specs.parse(Specs.top("look_back: " + text)).lookBack()).isEqualTo(duration);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-05T12:00:00Z, 2026-01-05T12:00:00Z",
    "2026-01-05T12:00Z, 2026-01-05T12:00:00Z",
    "2026-01-05T12:00:00+01:00, 2026-01-05T11:00:00Z",
    "2026-01-05T12:00:00.123456789Z, 2026-01-05T12:00:00.123456789Z"
  })
  void instants(String text, Instant instant) {
    assertThat(Specs.parse(Specs.top("as_of: " + text)).asOf()).isEqualTo(instant);
  }

  @ParameterizedTest
  @CsvSource({"Europe/Paris", "UTC", "Z", "+05:45"})
  void zones(String zone) {
    assertThat(
            Specs.parse(Specs.events("zone: " + zone)).archives().values().stream()
                .map(archive -> archive.zone().getId()))
        .containsExactly(zone);
  }

  @ParameterizedTest
  @MethodSource
  void whatIsNoneOfThemIsRefused(String part, String message) {
    assertThat(Specs.messages(Specs.top(part))).isEqualTo("constat.yaml:3:" + message);
  }

  static Stream<Arguments> whatIsNoneOfThemIsRefused() {
    String duration = " is not a duration such as PT5M or P30D; write it like PT5M or P30D";
    String time = " is not a time such as 2026-01-05T12:00:00Z; write it like 2026-01-05T12:00:00Z";
    return Stream.of(
        arguments("look_back: 5m", "12: look_back '5m'" + duration),
        arguments("look_back: P", "12: look_back 'P'" + duration),
        arguments("look_back: PT", "12: look_back 'PT'" + duration),
        arguments("look_back: pt5m", "12: look_back 'pt5m'" + duration),
        arguments(
            "look_back: 5",
            "12: look_back must be a duration such as PT5M or P30D, not the number 5;"
                + " write it like PT5M or P30D"),
        arguments(
            "look_back: -PT5M",
            "12: look_back '-PT5M' is negative; give the length of time without a sign"),
        arguments(
            "look_back: PT-5M",
            "12: look_back 'PT-5M' is negative; give the length of time without a sign"),
        arguments(
            "look_back: P1M",
            "12: look_back 'P1M' counts years, months or weeks;"
                + " write it in days, hours, minutes and seconds"),
        arguments(
            "look_back: P36501D",
            "12: look_back 'P36501D' is longer than a hundred years; give at most P36500D"),
        arguments(
            "look_back: P99999999999999999999D",
            "12: look_back 'P99999999999999999999D'" + duration),
        arguments(
            "look_back:",
            "11: look_back has no value; give it a duration such as PT5M or P30D or remove it"),
        arguments(
            "as_of: 2026-01-05T12:00:00",
            "8: as_of '2026-01-05T12:00:00' has no zone; end it with Z or an offset such as +01:00"),
        arguments("as_of: 2026-01-05", "8: as_of '2026-01-05'" + time),
        arguments("as_of: 2026-02-30T00:00:00Z", "8: as_of '2026-02-30T00:00:00Z'" + time),
        arguments("as_of: 2026-01-05 12:00:00Z", "8: as_of '2026-01-05 12:00:00Z'" + time),
        arguments(
            "layout: {buckets: 48}",
            "19: buckets must be a power of two from 1 to 4096, not the number 48;"
                + " write a power of two from 1 to 4096"),
        arguments(
            "layout: {buckets: 8192}",
            "19: buckets must be a power of two from 1 to 4096, not the number 8192;"
                + " write a power of two from 1 to 4096"),
        arguments(
            "layout: {buckets: \"64\"}",
            "19: buckets must be a power of two from 1 to 4096, not '64';"
                + " write a power of two from 1 to 4096"),
        arguments(
            "checks: {identity_drift: yes}",
            "26: identity_drift must be true or false, not 'yes'; write true or false"),
        arguments("checks: true", "9: checks must be a map, not true; write key: value"),
        arguments(
            "fail_on: fatal",
            "10: fail_on 'fatal' is not known;"
                + " use info, warning, error or none (nearest: info)"),
        arguments("name: 5", "7: name must be text, not the number 5; put it in quotes: \"5\""),
        arguments(
            "fail_on: \"\\e[2J\\n" + "x".repeat(80) + "\"",
            "10: fail_on '\\x1b[2J\\x0a"
                + "x".repeat(55)
                + "...' is not known; use info, warning, error or none (nearest: info)"),
        arguments("name: ''", "7: name '' is empty; give it a value or remove it"),
        arguments("name: [a]", "7: name must be text, not a list; write it as text"));
  }
}
