package dev.constat.rules.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.json.JsonObject;
import org.junit.jupiter.api.Test;

/** A warning beside an error of the same fingerprint says nothing. */
final class StatedGraverTest {

  private final StatedGraver graver = new StatedGraver();

  private static Finding finding(Kind kind, Level level, String id, boolean resubmitted) {
    return Statement.of(kind, new JsonObject().put("outbox_id", id))
        .as(level)
        .because("why")
        .under("rule/1")
        .hint(resubmitted, StatedGraver.DLQ_RESUBMIT)
        .finding();
  }

  @Test
  void onlyWhatWasStatedGraverIsCovered() {
    assertThat(graver.covers(finding(Kind.ORDER_VIOLATION, Level.ERROR, "o1", true))).isFalse();
    assertThat(graver.covers(finding(Kind.ORDER_VIOLATION, Level.ERROR, "o2", false))).isFalse();
    assertThat(graver.covers(finding(Kind.STUCK_PENDING, Level.ERROR, "o3", true))).isFalse();
    assertThat(graver.covers(finding(Kind.ORDER_VIOLATION, Level.WARNING, "o1", true))).isTrue();
    assertThat(graver.covers(finding(Kind.ORDER_VIOLATION, Level.WARNING, "o3", true))).isFalse();
    assertThat(graver.covers(finding(Kind.DLQ, Level.WARNING, "o1", true))).isFalse();
    assertThat(graver.covers(finding(Kind.STUCK_PENDING, Level.WARNING, "o3", true))).isFalse();
    assertThat(graver.covers(finding(Kind.ORDER_VIOLATION, Level.WARNING, "o1", false))).isFalse();
    assertThat(graver.covers(finding(Kind.ORDER_VIOLATION, Level.WARNING, "o2", true))).isFalse();
  }
}
