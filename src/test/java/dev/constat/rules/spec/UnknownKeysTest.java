package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A key that is unknown, missing, misplaced or of a later version is named, with a remedy. */
class UnknownKeysTest {

  @ParameterizedTest
  @MethodSource
  void anUnknownKeyIsToldWithTheNearestKnownOne(String text, String message) {
    assertThat(Specs.messages(text)).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> anUnknownKeyIsToldWithTheNearestKnownOne() {
    return Stream.of(
        arguments(
            Specs.top("efects: []"),
            "3:1: Unknown key 'efects' in the run spec; the nearest known key is 'effects'"),
        arguments(
            Specs.events("colums: {}"),
            "5:5: Unknown key 'colums' in archives.events; the nearest known key is 'columns'"),
        arguments(
            Specs.top("archives: {}").replaceFirst("archives.*\n", ""),
            "2:11: events is missing in archives; add it"),
        arguments(
            Specs.archive("acks", ""),
            "4:3: Unknown key 'acks' in archives;"
                + " the nearest known key is 'acknowledgements'"),
        arguments(
            Specs.source("identity: {scopes: []}"),
            "5:16: Unknown key 'scopes' in sources[0].identity; the nearest known key is 'scope'"),
        arguments(
            Specs.effect("leaseTtl: PT1M"),
            "5:5: Unknown key 'leaseTtl' in effects[0]; the nearest known key is 'lease_ttl'"),
        arguments(
            Specs.top("effects: {typ: a}"),
            "3:11: Unknown key 'typ' in effects; the nearest known key is 'type'"),
        arguments(
            Specs.top("layout: {bucket: 4}"),
            "3:10: Unknown key 'bucket' in layout; the nearest known key is 'buckets'"));
  }

  @ParameterizedTest
  @MethodSource
  void aMissingKeyIsAskedFor(String text, String message) {
    assertThat(Specs.messages(text)).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> aMissingKeyIsAskedFor() {
    return Stream.of(
        arguments(
            "archives: {events: {files: e}}",
            "1:1: constat is missing in the run spec; add it, such as constat: 1"),
        arguments("constat: 1", "1:1: archives is missing in the run spec; add it"),
        arguments(
            "constat: 1\narchives:\n  outbox: {files: o}",
            "3:3: events is missing in archives; add it"),
        arguments(
            "constat: 1\narchives: {events: {}}",
            "2:20: files is missing in archives.events;"
                + " add it, such as files: [events/*.parquet]"),
        arguments(
            Specs.top("sources: [{hash: raw-bytes/1}]"),
            "3:11: source is missing in sources[0]; add it, such as source: \"*\""),
        arguments(
            Specs.source("identity: {fingerprint: {rule: fp/2}}"),
            "5:29: fields is missing in sources[0].identity.fingerprint;"
                + " add it, such as fields: [/payload/pay, /payload/amt]"),
        arguments(
            Specs.source("withdrawn: {field: /payload/removed}"),
            "5:16: equals is missing in sources[0].withdrawn; add it, such as equals: true"),
        arguments(
            Specs.top("effects: [{}]"),
            "3:11: type is missing in effects[0]; add it, such as type: notify"));
  }

  @ParameterizedTest
  @MethodSource
  void aKeyOfALaterVersionIsRefusedByName(String text, String message) {
    assertThat(Specs.messages(text)).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> aKeyOfALaterVersionIsRefusedByName() {
    String later = " is not supported by this version; remove it";
    return Stream.of(
        arguments(Specs.top("report_tables: {}"), "3:1: report_tables" + later),
        arguments(
            Specs.archive("outbox", "format: cloudevents"),
            "6:13: format 'cloudevents' is not known; use parquet or jsonl (nearest: parquet)"),
        arguments(
            Specs.source("hash: jcs/2"),
            "5:11: hash 'jcs/2' is not known; use jcs-exact/1, jcs/1 or raw-bytes/1"
                + " (nearest: jcs/1)"),
        arguments(
            Specs.effect("order: aggregates"),
            "5:12: order 'aggregates' is not known; use aggregate or none (nearest: aggregate)"),
        arguments(
            Specs.top("fail_on: new-error"),
            "3:10: fail_on 'new-error' is not supported by this version;"
                + " use info, warning, error or none"));
  }

  @ParameterizedTest
  @MethodSource
  void aKeyThatMeansNothingForAnInputIsRefused(String text, String message) {
    assertThat(Specs.messages(text)).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> aKeyThatMeansNothingForAnInputIsRefused() {
    return Stream.of(
        arguments(Specs.events("id_order: text"), "5:5: id_order is for outbox only; remove it"),
        arguments(
            Specs.events("values: {}"),
            "5:5: values is for outbox, decisions and replays only; remove it"),
        arguments(
            Specs.archive("acknowledgements", "values: {}"),
            "6:5: values is for outbox, decisions and replays only; remove it"));
  }

  @Test
  void allProblemsOfAFileComeTogetherInItsOrder() {
    String text =
        """
        constat: 2
        archives:
          events:
            file: e
            zone: Europe/Pari
        effects:
          - type: a
            grace: 5m
            order: aggregates
          - tipe: b
        """;
    assertThat(Specs.messages(text))
        .isEqualTo(
            """
            constat.yaml:1:10: constat must be 1, not the number 2; write 1
            constat.yaml:4:5: Unknown key 'file' in archives.events; the nearest known key is 'files'
            constat.yaml:5:11: zone 'Europe/Pari' is not a time zone; write it like Europe/Paris \
            (nearest: Europe/Paris)
            constat.yaml:8:12: grace '5m' is not a duration such as PT5M or P30D; write it like PT5M \
            or P30D
            constat.yaml:9:12: order 'aggregates' is not known; use aggregate or none \
            (nearest: aggregate)
            constat.yaml:10:5: Unknown key 'tipe' in effects[1]; the nearest known key is 'type'""");
  }

  @Test
  void aProblemCarriesItsParts() {
    assertThat(Specs.failure(Specs.effect("consumers: [a, 5]")).problems())
        .containsExactly(
            new SpecProblem(
                "constat.yaml",
                5,
                20,
                "effects[0].consumers[1]",
                "5",
                "consumers[1] must be text, not the number 5",
                "put it in quotes: \"5\""));
  }
}
