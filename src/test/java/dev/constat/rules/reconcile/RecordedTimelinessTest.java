package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.time.Timeliness;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedTimelinessTest {

  private static final Place RECEIVED = Places.of(Input.EVENTS, "i1");
  private static final Place RECORDED = Places.of(Input.DECISIONS, "i1");

  private static RecordedDecision recorded(String decision) {
    return new RecordedDecision("i1", decision, "why", "v1", Times.at("10:00:05"), RECORDED);
  }

  @ParameterizedTest
  @CsvSource({
    "LATE, true",
    "FUTURE, true",
    "ON_TIME, false",
    "ACCEPTED, false",
    "CORRECTION, false",
    "EXACT_DUPLICATE, false",
    "late, false",
  })
  void speaksOfTime(String decision, boolean speaks) {
    assertThat(RecordedTimeliness.speaksOf(recorded(decision))).isEqualTo(speaks);
    assertThat(RecordedTimeliness.speaksOf(null)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "LATE, LATE, -",
        "FUTURE, FUTURE, -",
        "LATE, ON_TIME, 'Recorded as LATE, recomputed as ON_TIME'",
        "LATE, FUTURE, 'Recorded as LATE, recomputed as FUTURE'",
        "FUTURE, LATE, 'Recorded as FUTURE, recomputed as LATE'",
        "FUTURE, ON_TIME, 'Recorded as FUTURE, recomputed as ON_TIME'",
        // an event that only a replay brought
        "LATE, -, -",
        "FUTURE, -, -",
      })
  void comparesWithTheClock(String decision, Timeliness timeliness, String reason) {
    Finding finding =
        RecordedTimeliness.judge(
            recorded(decision),
            timeliness,
            new JsonObject().put("watermark", Times.at("09:55:00")),
            RECEIVED,
            Times.at("10:00:01"));

    if (reason == null) {
      assertThat(finding).isNull();
      return;
    }
    assertThat(finding.kind()).isEqualTo(Kind.DECISION_MISMATCH);
    assertThat(finding.subject()).isEqualTo("{\"ingestion_id\":\"i1\"}");
    assertThat(finding.reason()).isEqualTo(reason);
    assertThat(finding.expected()).isEqualTo("{\"watermark\":\"2026-01-05T09:55:00Z\"}");
    assertThat(finding.actual())
        .isEqualTo(
            "{\"decision\":\"@\",\"reason\":\"why\",\"rule_version\":\"v1\"}"
                .replace("@", decision));
    assertThat(finding.rule()).isEqualTo(RecordedTimeliness.RULE);
    assertThat(finding.evidence()).containsExactlyInAnyOrder(RECEIVED, RECORDED);
    assertThat(finding.firstAt()).isEqualTo(Times.at("10:00:01"));
    assertThat(finding.lastAt()).isEqualTo(Times.at("10:00:05"));
  }
}
