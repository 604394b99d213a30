package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.Lateness.Budget;
import dev.constat.rules.spec.SourceContract.Fingerprint;
import dev.constat.rules.spec.SourceContract.Withdrawn;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contracts of sources. */
class SourcesTest {

  @Test
  void everyKeyArrives() {
    RunSpec spec =
        Specs.parse(
            Specs.top(
                """
                sources:
                  - source: venue-a
                    identity:
                      scope: instrument
                      fingerprint: {rule: fp/2, fields: [/payload/pay, currency]}
                      revision: /payload/rev
                    hash: raw-bytes/1
                    sequence: {scope: [partition, shard], dense: true}
                    lateness: {budget: PT1M, version: "1"}
                    future_tolerance: PT0S
                    schema_versions: ["1", "2"]
                    fields: {business_key: /payload/symbol}
                    withdrawn: {field: /payload/removed, equals: true}
                """));
    assertThat(spec.sources())
        .containsExactly(
            new SourceContract(
                "venue-a",
                ImmutableList.of("instrument"),
                new Fingerprint(
                    "fp/2",
                    ImmutableList.of(FieldRef.parse("/payload/pay"), FieldRef.parse("currency"))),
                FieldRef.parse("/payload/rev"),
                HashRule.RAW_BYTES_1,
                ImmutableList.of("1", "2"),
                ImmutableMap.of("business_key", FieldRef.parse("/payload/symbol")),
                new Withdrawn(FieldRef.parse("/payload/removed"), "true"),
                new Sequence(ImmutableList.of("partition", "shard"), true),
                new Lateness(ImmutableList.of(new Budget(null, Duration.ofMinutes(1), "1"))),
                Duration.ZERO));
  }

  @Test
  void aSourceWithNothingButItsNameHasTheDefaults() {
    assertThat(Specs.parse(Specs.top("sources: {source: \"*\"}")).sources())
        .containsExactly(SourceContract.DEFAULT);
    assertThat(Specs.parse(Specs.SMALLEST).sources()).containsExactly(SourceContract.DEFAULT);
  }

  @ParameterizedTest
  @MethodSource
  void aSequenceHasAScope(String sequence, Sequence read) {
    RunSpec spec = Specs.parse(Specs.source("sequence: " + sequence));
    assertThat(spec.sources().get(0).sequence()).isEqualTo(read);
  }

  static Stream<Arguments> aSequenceHasAScope() {
    return Stream.of(
        arguments("{scope: partition}", new Sequence(ImmutableList.of("partition"), false)),
        arguments("{scope: [], dense: true}", new Sequence(ImmutableList.of(), true)),
        arguments("{}", new Sequence(ImmutableList.of(), false)));
  }

  @Test
  void budgetsStandInFallingOrderOfTheirBeginning() {
    RunSpec spec =
        Specs.parse(
            Specs.source(
                """
                lateness:
                      - {budget: PT1M, from: 2026-01-02T00:00:00Z, version: b}
                      - {budget: PT0S}
                      - {from: 2026-01-03T01:00:00+01:00}
                """));
    assertThat(spec.sources().get(0).lateness().budgets())
        .containsExactly(
            new Budget(Instant.parse("2026-01-03T00:00:00Z"), Duration.ofMinutes(5), "default"),
            new Budget(Instant.parse("2026-01-02T00:00:00Z"), Duration.ofMinutes(1), "b"),
            new Budget(null, Duration.ZERO, "default"));
  }

  @Test
  void columnsOfSequencesAreReadInEventsAlone() {
    RunSpec spec = Specs.parse(Specs.source("sequence: {scope: [partition, shard]}"));
    assertThat(spec.namedColumns(Input.EVENTS)).containsExactly("shard");
    assertThat(spec.namedColumns(Input.OUTBOX)).isEmpty();
    assertThat(spec.namedColumns(Input.PROJECTIONS)).containsExactly("value");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          true,  true
          12,    12
          1.50,  15e-1
          null,  null
          gone,  "gone"
          "12",  "12"
          'true', "true"
          """)
  void aWithdrawalMarkIsCanonicalJson(String equals, String canonical) {
    RunSpec spec =
        Specs.parse(Specs.source("withdrawn: {field: /payload/x, equals: " + equals + "}"));
    assertThat(spec.sources().get(0).withdrawn().equals()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @MethodSource
  void whatMakesNoContractIsRefused(String part, String message) {
    assertThat(Specs.messages(Specs.source(part))).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> whatMakesNoContractIsRefused() {
    return Stream.of(
        arguments(
            "hash: fields/1",
            "5:11: hash 'fields/1' is not known;"
                + " use jcs-exact/1, jcs/1 or raw-bytes/1 (nearest: jcs/1)"),
        arguments(
            "identity: {fingerprint: {rule: fp/1, fields: a}}",
            "5:36: rule 'fp/1' is the rule over every column;"
                + " give the one over these fields a number from fp/2 on"),
        arguments(
            "identity: {fingerprint: {rule: mine, fields: a}}",
            "5:36: rule 'mine' is not the name of a fingerprint rule; write it like fp/2"),
        arguments(
            "identity: {fingerprint: {rule: fp/2, fields: [/a, a]}}",
            "5:55: fields[1] names fields[0] again; remove one of them"),
        arguments(
            "identity: {revision: payload/rev}",
            "5:26: revision 'payload/rev' is not a column or a place in the payload;"
                + " write it like instrument or /payload/amount"),
        arguments(
            "identity: {scope: [a, source]}",
            "5:27: scope[1] 'source' is part of every key; remove it"),
        arguments(
            "identity: {scope: payload}",
            "5:23: scope cannot be the payload; name a column, or use revision"),
        arguments(
            "fields: {busines_key: /payload/k}",
            "5:14: Unknown column 'busines_key' in sources[0].fields;"
                + " the nearest known column is 'business_key'"),
        arguments(
            "fields: {occurred_at: /payload/t}",
            "5:14: occurred_at in sources[0].fields is not a text column;"
                + " map it in archives.events.columns"),
        arguments(
            "fields: {source: /payload/s}",
            "5:14: source in sources[0].fields chooses the contract and cannot come from it;"
                + " map it in archives.events.columns"),
        arguments(
            "fields: {topic: business_key, business_key: /payload/k}",
            "5:14: topic in sources[0].fields refers to business_key, which stands there too;"
                + " refer to where business_key comes from"),
        arguments(
            "sequence: {scope: [shard, source]}",
            "5:31: scope[1] 'source' is part of every scope; remove it"),
        arguments("sequence: {scope: payload}", "5:23: scope cannot be the payload; name a column"),
        arguments(
            "sequence: {scope: /payload/shard}",
            "5:23: scope '/payload/shard' is not the name of a column; write a plain name"),
        arguments(
            "sequence: {dense: yes}",
            "5:23: dense must be true or false, not 'yes'; write true or false"),
        arguments(
            "sequence: partition",
            "5:15: sequence must be a map, not 'partition'; write key: value"),
        arguments(
            "lateness: {budget: -PT5M}",
            "5:24: budget '-PT5M' is negative; give the length of time without a sign"),
        arguments("lateness: PT5M", "5:15: lateness must be a map, not 'PT5M'; write key: value"),
        arguments(
            "lateness: {budget: PT5M, version: 1}",
            "5:39: version must be text, not the number 1; put it in quotes: \"1\""),
        arguments(
            "lateness: {budget: PT5M, form: 2026-01-01T00:00:00Z}",
            "5:30: Unknown key 'form' in sources[0].lateness; the nearest known key is 'from'"),
        arguments(
            "lateness: {from: 2026-01-01T00:00:00}",
            "5:22: from '2026-01-01T00:00:00' has no zone; end it with Z or an offset such as"
                + " +01:00"),
        arguments("lateness: []", "5:15: lateness is an empty list; give it an item or remove it"),
        arguments(
            "lateness: [{budget: PT1M}, {budget: PT2M, version: b}]",
            "5:32: lateness[1] holds from the same moment on as lateness[0]; remove one of them"),
        arguments(
            "lateness: [{from: 2026-01-01T01:00:00+01:00}, {}, {from: 2026-01-01T00:00:00Z}]",
            "5:55: lateness[2] holds from the same moment on as lateness[0]; remove one of them"),
        arguments(
            "future_tolerance: -PT2M",
            "5:23: future_tolerance '-PT2M' is negative; give the length of time without a sign"),
        arguments(
            "schema_versions: [1]",
            "5:23: schema_versions[0] must be text, not the number 1; put it in quotes: \"1\""),
        arguments(
            "hash: raw-bytes/1\n  - source: s",
            "6:5: sources[1] names the same source as sources[0]; remove one of them"));
  }
}
