package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Level;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriftJudgeTest {

  private static DriftJudge judge() {
    return new DriftJudge("S", "ord-3", Times.at("10:00:00"));
  }

  /** Events as "id", or "id&lt;superseded". */
  private static Finding find(String events) {
    DriftJudge judge = judge();
    for (String event : events.split(" ", -1)) {
      String[] parts = event.split("<", -1);
      judge.next(
          parts[0],
          parts.length == 1 ? null : parts[1],
          Times.at("10:03:00"),
          Places.of(Input.EVENTS, parts[0]));
    }
    return judge.end();
  }

  @ParameterizedTest
  @CsvSource({
    "a, 0",
    "a b, 2",
    "a b c, 3",
    "a a, 0",
    "a a b b, 2",
    // a chain is no drift
    "a b<a, 0",
    "a b<a c<b, 0",
    "a b<a c, 2",
    "a b<x, 2",
    // a revision of itself supersedes no other
    "a<a b, 2",
    "a<a, 0",
    // an empty id is an id, and no successor of those that supersede nothing
    "' a', 2",
    "' a b', 3",
    "' a<', 0",
  })
  void idsThatNothingConnectsAreSuspect(String events, int suspects) {
    Finding finding = find(events);
    if (suspects == 0) {
      assertThat(finding).isNull();
    } else {
      assertThat(finding.occurrences()).isEqualTo(suspects);
    }
  }

  @Test
  void aSuspicionIsAWarningAboutItsGroup() {
    // C03
    Finding finding = find("9850 9851");
    assertThat(finding.kind().level()).isEqualTo(Level.WARNING);
    assertThat(finding.subject())
        .isEqualTo(
            "{\"business_key\":\"ord-3\",\"occurred_at\":\"2026-01-05T10:00:00Z\","
                + "\"source\":\"S\"}");
    assertThat(finding.reason())
        .isEqualTo("Several ids for what looks like one event; nothing was merged");
    assertThat(finding.actual()).isEqualTo("{\"ids\":2,\"source_event_ids\":[\"9850\",\"9851\"]}");
    assertThat(finding.hints()).containsExactly("HEURISTIC");
    assertThat(finding.evidence()).hasSize(2);
  }

  @Test
  void aGroupMayBeOfAnySize() {
    DriftJudge judge = judge();
    for (int i = 0; i < DriftJudge.MAX_IDS + 10; i++) {
      String id = String.format(Locale.ROOT, "%05d", i);
      judge.next(id, null, Instant.EPOCH, Places.of(Input.EVENTS, id));
      judge.next(id, null, Instant.EPOCH, Places.of(Input.EVENTS, id));
    }
    assertThat(judge.end().occurrences()).isEqualTo(DriftJudge.MAX_IDS + 10);
  }
}
