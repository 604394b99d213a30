package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.spec.RunSpec;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repeats behind the memory of the live system. */
class DedupMemoryTest {

  private static Run run(boolean recorded, String retention) {
    Run run = recorded ? Run.standard() : Run.undecided();
    run.effect("{type: notify}");
    return retention == null
        ? run
        : run.archive(Input.EVENTS, "cut: 2026-01-05T12:00:00Z, retention: " + retention);
  }

  private static DedupMemory.OfSource told(Run run, Notes notes) {
    RunSpec spec = run.facts().spec();
    Tally tally = Tally.fromBytes(notes.tally().toBytes());
    return Iterables.getOnlyElement(DedupMemory.of(spec, tally));
  }

  @ParameterizedTest(name = "{0}, recorded {1}, retention {2}, row at {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        // distance, recorded, retention, second row; forgotten, remembered, beyond, surplus rows
        "PT1H,         ACCEPTED,              -,    11:00:01, 1, 0, 0, 1",
        "PT1H,         ACCEPTED,              -,    11:00:00, 1, 0, 0, 1",
        "PT1H,         ACCEPTED,              -,    10:59:59, 1, 0, 0, 0",
        "PT1H,         ACCEPTED,              -,    -,        1, 0, 0, 0",
        "PT1H,         CORRECTION,            -,    11:00:01, 1, 0, 0, 1",
        "PT1H,         EXACT_DUPLICATE,       -,    11:00:01, 0, 1, 0, 0",
        "PT1H,         CONFLICTING_DUPLICATE, -,    11:00:01, 0, 1, 0, 0",
        "PT1H,         LATE,                  -,    11:00:01, 0, 0, 0, 0",
        "PT1H,         -,                     -,    11:00:01, 0, 0, 0, 0",
        "PT1H,         -,                     PT1H, 11:00:01, 0, 0, 0, 0",
        "PT1H,         -,                     PT59M, 11:00:01, 1, 0, 1, 1",
        "PT1H,         EXACT_DUPLICATE,       PT59M, 11:00:01, 0, 1, 1, 0",
        "PT1H,         ACCEPTED,              PT59M, 11:00:01, 1, 0, 1, 1",
      })
  void aForgottenRepeatMayHaveAnEffect(
      String distance,
      String recorded,
      String retention,
      String secondRow,
      long forgotten,
      long remembered,
      long beyond,
      long surplusRows) {
    Run run = run(recorded != null, retention);
    Story story =
        Story.in(run)
            .receive(Receptions.of("i1").at("10:00:00"), Receptions.of("i2").at("11:00:00"));
    if (recorded != null) {
      story.recorded("i1", "ACCEPTED").recorded("i2", recorded);
    }
    story.rows(Rows.of("o1").created("10:00:01"));
    if (secondRow != null) {
      story.rows(Rows.of("o2").created(secondRow));
    }
    Notes notes = story.tell();
    DedupMemory.OfSource told = told(run, notes);
    assertThat(told.repeats()).isEqualTo(1);
    assertThat(told.enough()).isEqualTo(Duration.parse(distance));
    assertThat(told.sourceEventId()).isEqualTo("e1");
    assertThat(told.forgotten()).isEqualTo(forgotten);
    assertThat(told.shortestForgotten())
        .isEqualTo(forgotten == 0 ? null : Duration.parse(distance));
    assertThat(told.remembered()).isEqualTo(remembered);
    assertThat(told.longestRemembered())
        .isEqualTo(remembered == 0 ? null : Duration.parse(distance));
    assertThat(told.beyondRetention()).isEqualTo(beyond);
    assertThat(told.surplusRows()).isEqualTo(surplusRows);
    if (secondRow != null) {
      Finding surplus = notes.finding(Kind.SURPLUS_OUTBOX);
      assertThat(surplus.hints().contains("DEDUP_EXPIRED")).isEqualTo(surplusRows == 1);
    }
  }

  @Test
  void enoughIsTheLongestDistance() {
    Run run = run(true, null);
    Notes notes =
        Story.in(run)
            .receive(
                Receptions.of("i1").at("10:00:00"),
                Receptions.of("i2").at("10:00:30"),
                Receptions.of("i3").at("10:20:00").hash("other"),
                Receptions.of("i4").at("11:00:00").replay("R", "e1"),
                Receptions.of("i5").at("10:05:00"))
            .recorded("i2", "EXACT_DUPLICATE")
            .recorded("i3", "ACCEPTED")
            .recorded("i5", "ACCEPTED")
            .tell();
    DedupMemory.OfSource told = told(run, notes);
    assertThat(told.repeats()).isEqualTo(3);
    assertThat(told.enough()).isEqualTo(Duration.ofMinutes(20));
    assertThat(told.forgotten()).isEqualTo(1);
    assertThat(told.raced()).isEqualTo(1);
    assertThat(told.shortestForgotten()).isEqualTo(Duration.ofMinutes(20));
    assertThat(told.longestRemembered()).isEqualTo(Duration.ofSeconds(30));
    assertThat(told.millis()).isEqualTo(30_000 + 300_000 + 1_200_000);
    assertThat(told.counts().get(LagBuckets.of(Duration.ofMinutes(20)))).isEqualTo(1);
  }

  @Test
  void aSourceWithoutRepeatsIsLeftOut() {
    Run run = run(false, null);
    Notes notes = Story.in(run).receive(Receptions.of("i1").at("10:00:00")).tell();
    assertThat(DedupMemory.of(run.facts().spec(), notes.tally())).isEmpty();
  }
}
