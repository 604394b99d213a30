package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The canonical form: one text for what is asked, however it is written. */
class CanonicalTest {

  private static final String FULL =
      """
      constat: 1
      name: "shop \u00e9"
      as_of: 2026-01-05T13:00:00+01:00
      archives:
        events:
          files: events/*.parquet
          format: parquet
          columns: {source_event_id: trade_id, instrument: i}
          constants: {source: venue-a}
          time_unit: us
          zone: Europe/Paris
          start: 2026-01-01T00:00:00Z
          cut: 2026-01-05T12:00:00.5Z
          retention: P30D
        outbox: {files: o, id_order: integer, values: {done: DISPATCHED}}
        acknowledgements: {files: [a, b], allow_empty: true}
        projections: {files: p, columns: {total: sum}, constants: {projection: volume}}
      sources:
        - source: "*"
          identity:
            scope: [instrument]
            fingerprint: {rule: fp/2, fields: [/payload/pay, amount]}
            revision: /payload/rev
          sequence: {scope: [partition], dense: true}
          lateness: [{budget: PT1M, version: a}, {budget: PT2M, from: 2026-01-02T00:00:00Z}]
          future_tolerance: PT1M
          schema_versions: ["1"]
          fields: {business_key: /payload/symbol}
          withdrawn: {field: /payload/removed, equals: 1.50}
      effects:
        - {type: notify, when: {topic: [a, null], decision: ACCEPTED, timeliness: LATE}, consumers: c1, grace: PT36H}
      projections:
        - name: volume
          versions:
            - {version: "1", kind: windowed, window: {fixed: PT24H}, aggregates: {n: count, total: {sum: /a~1b}}}
            - {version: "2", kind: windowed, key: /payload/k, window: {sliding: PT2M, every: PT1M},
               allowed_lateness: PT5M, aggregates: {last: {last: /x}}}
            - {version: "3", kind: windowed, window: {session: PT1M}, aggregates: {n: {distinct: /x}}}
            - {version: "4", kind: windowed, window: {days: 1, zone: Europe/Paris}, aggregates: {n: {min: /x}}}
        - {name: order, versions: {version: "1", kind: current, value: /status}}
        - {name: own, versions: {version: "1", kind: ledger, fields: [/a, /b], options: {a: 1, b: true}}}
      fail_on: none
      layout: {buckets: 64}
      checks: {identity_drift: true}
      limits: {nesting: 50, examples_per_kind: 20}
      """;

  @Test
  void ofTheSmallestRunSpec() {
    assertThat(Specs.parse(Specs.SMALLEST).canonical())
        .isEqualTo(
            "{\"archives\":{\"events\":{\"allow_empty\":false,\"columns\":{},\"constants\":{},"
                + "\"files\":[\"e\"]}},\"checks\":{\"identity_drift\":false},\"constat\":1,"
                + "\"effects\":[],\"fail_on\":\"error\",\"layout\":{},\"look_back\":\"P7D\","
                + "\"name\":\"folder\",\"projections\":[],"
                + "\"sources\":[{\"fields\":{},\"future_tolerance\":\"PT2M\","
                + "\"hash\":\"jcs-exact/1\",\"identity\":{\"scope\":[]},"
                + "\"lateness\":[{\"budget\":\"PT5M\",\"version\":\"default\"}],"
                + "\"source\":\"*\"}]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {Specs.SMALLEST, FULL})
  void readsBackAsTheSameRunSpec(String text) {
    RunSpec spec = Specs.parse(text);
    RunSpec again = Specs.parse(spec.canonical());
    assertThat(again).isEqualTo(spec);
    assertThat(again.canonical()).isEqualTo(spec.canonical());
  }

  @Test
  void mutilatedTextsAreReadOrRefused() {
    for (int i = 0; i < FULL.length(); i += 13) {
      for (String text :
          List.of(
              FULL.substring(0, i),
              FULL.substring(0, i) + FULL.substring(i + 1),
              FULL.substring(0, i) + "\n" + FULL.substring(i),
              FULL.substring(0, i) + "[" + FULL.substring(i))) {
        try {
          assertThat(Specs.parse(Specs.parse(text).canonical()).archives()).isNotEmpty();
        } catch (SpecException refused) {
          assertThat(refused.problems()).isNotEmpty();
        }
      }
    }
  }

  @Test
  void doesNotDependOnHowTheRunSpecIsWritten() {
    String other =
        """
        checks: {}
        archives: {'events': {columns: {}, "files": ["e"]}}
        look_back: PT168H
        sources: [{source: '*', hash: jcs-exact/1}]
        constat: 1
        """;
    assertThat(Specs.parse(other).canonical()).isEqualTo(Specs.parse(Specs.SMALLEST).canonical());
  }

  @Test
  void holdsTheSpanThatIsJudged() {
    RunSpec spec = Specs.parse(Specs.SMALLEST);
    RunSpec from =
        new RunSpecOverrides(null, "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z", null)
            .applyTo(spec);
    assertThat(from.canonical())
        .contains("\"from\":\"2026-01-02T00:00:00Z\"")
        .contains("\"to\":\"2026-01-03T00:00:00Z\"");
  }
}
