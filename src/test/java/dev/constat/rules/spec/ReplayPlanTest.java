package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.envelope.Input;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of a run spec when something is planned, and what a replay goes by. */
class ReplayPlanTest {

  private static final String TEXT =
      """
      constat: 1
      archives:
        events: {files: e}
        outbox: {files: o}
        acknowledgements: {files: a}
        decisions: {files: d}
        projections: {files: p}
      effects: {type: t}
      checks: {identity_drift: true}
      projections:
        - name: last
          versions: {version: '1', kind: current, key: business_key, value: /status}
      """;
  private static final RunSpec SPEC = Specs.parse(TEXT);
  private static final String EIGHT = "2026-01-05T08:00:00Z";
  private static final String TEN = "2026-01-05T10:00:00Z";

  @Test
  void projectionsAndDecisionsAreLeftOut() {
    RunSpec planned = SPEC.planning(new RepairPlan());
    assertThat(planned.archives())
        .containsOnlyKeys(Input.EVENTS, Input.OUTBOX, Input.ACKNOWLEDGEMENTS);
    assertThat(planned.projections()).isEmpty();
    assertThat(planned.effects()).isEqualTo(SPEC.effects());
    assertThat(planned.identityDrift()).isFalse();
    assertThat(planned.plan()).isEqualTo(new RepairPlan());
    assertThat(planned.rebuild()).isNull();
    assertThat(SPEC.plan()).isNull();
    assertThat(planned.task().command()).isEqualTo("plan-replay");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          2026-01-05T08:00:00Z, 2026-01-05T10:00:00Z, 2026-01-05T07:59:59.999999999Z, false
          2026-01-05T08:00:00Z, 2026-01-05T10:00:00Z, 2026-01-05T08:00:00Z, true
          2026-01-05T08:00:00Z, 2026-01-05T10:00:00Z, 2026-01-05T10:00:00Z, true
          2026-01-05T08:00:00Z, 2026-01-05T10:00:00Z, 2026-01-05T10:00:00.000000001Z, false
          2026-01-05T08:00:00Z, 2026-01-05T08:00:00Z, 2026-01-05T08:00:00Z, true
          -, 2026-01-05T10:00:00Z, 1970-01-01T00:00:00Z, true
          2026-01-05T08:00:00Z, -, 2999-01-01T00:00:00Z, true
          -, -, 2026-01-05T08:00:00Z, true
          """)
  void bothEndsAreIncluded(String from, String to, Instant created, boolean held) {
    assertThat(ReplayPlan.of(SPEC, "t", from, to, "r").holds(created)).isEqualTo(held);
  }

  @Test
  void itGoesByWhatItIsAbout() {
    RunSpec other = Specs.parse(TEXT.replace("type: t", "type: u"));
    List<String> ids =
        Stream.of(
                ReplayPlan.of(SPEC, "t", EIGHT, TEN, null),
                ReplayPlan.of(SPEC, "u", EIGHT, TEN, null),
                ReplayPlan.of(SPEC, "t", null, TEN, null),
                ReplayPlan.of(SPEC, "t", EIGHT, null, null),
                ReplayPlan.of(other, "t", EIGHT, TEN, null))
            .map(ReplayPlan::batchId)
            .toList();
    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("replay-[0-9a-f]{16}"));
    assertThat(ReplayPlan.of(SPEC, "t", "2026-01-05T09:00:00+01:00", TEN, null).batchId())
        .isEqualTo(ids.get(0));
    RunSpec cut = Specs.parse(TEXT + "layout: {buckets: 16}\n");
    assertThat(ReplayPlan.of(cut, "t", EIGHT, TEN, null).batchId()).isEqualTo(ids.get(0));
    assertThat(ReplayPlan.of(SPEC, "t", EIGHT, TEN, "mine").batchId()).isEqualTo("mine");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          noon | 2026-01-05T10:00:00Z | 'noon' is not a time
          2026-01-05T10:00:01Z | 2026-01-05T10:00:00Z | is after --to 2026-01-05T10:00:00Z
          """)
  void whatIsNoIntervalIsRefused(String from, String to, String message) {
    assertThatThrownBy(() -> ReplayPlan.of(SPEC, "t", from, to, null))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining(message);
  }

  @Test
  void everyPlanHasAnotherText() {
    assertThat(
            Stream.of(
                    SPEC,
                    SPEC.planning(new RepairPlan()),
                    SPEC.planning(ReplayPlan.of(SPEC, "t", EIGHT, TEN, "r")),
                    SPEC.planning(ReplayPlan.of(SPEC, "t", EIGHT, TEN, "s")),
                    SPEC.planning(ReplayPlan.of(SPEC, "t", null, TEN, "r")))
                .map(RunSpec::canonical))
        .doesNotHaveDuplicates();
  }
}
