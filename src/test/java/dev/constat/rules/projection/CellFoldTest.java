package dev.constat.rules.projection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.spec.WindowRule;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** From events to the rows of cells. */
class CellFoldTest {

  private static final String NO_CANDIDATES = ", [], []]";

  private static WindowRule session() {
    return new WindowRule.Session(Duration.ofMinutes(10));
  }

  @Test
  void windowsAreHalfOpen() {
    Fixture run = new Fixture(Fixture.fixed("n COUNT", "sum SUM /v"));
    run.event("e1", "k", "10:00:00", "2").accept();
    run.event("e2", "k", "10:03:00", "3").accept();
    run.event("e3", "k", "10:10:00", "4").accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[k, 10:00:00, 10:10:00, 2, 5, 2, 0, 0" + NO_CANDIDATES,
            "[k, 10:10:00, 10:20:00, 1, 4, 1, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void lateEventsRefineOrAreOnlyCounted() {
    Fixture run = new Fixture(Fixture.fixed("n COUNT"));
    run.event("e1", "k", "10:00:00", null).watermark("10:09:59.999999999").accept();
    run.event("e2", "k", "10:00:00", null).watermark("10:10:00").accept();
    run.event("e3", "k", "10:00:00", null).watermark("10:15:00").accept();
    // too late where nothing else is: no cell
    run.event("e4", "k", "09:00:00", null).watermark("10:15:00").accept();
    assertThat(run.fold().table())
        .containsExactly("[k, 10:00:00, 10:10:00, 2, 1, 1, 1" + NO_CANDIDATES);
    assertThat(run.counts)
        .containsEntry("ON_TIME", 1)
        .containsEntry("REFINES", 1)
        .containsEntry("TOO_LATE", 2);
  }

  @Test
  void whatIsNotInForceIsCountedOnly() {
    Fixture run = new Fixture(Fixture.fixed("sum SUM /v"));
    run.event("e1", "k", "10:00:00", "2").accept();
    run.event("e2", "k", "10:01:00", "3").acceptWithout();
    run.event("e3", "k", "10:02:00", "5").withdrawn().accept();
    run.event("e4", "other", "10:02:00", "5").acceptWithout();
    assertThat(run.fold().table())
        .containsExactly("[k, 10:00:00, 10:10:00, 2, 3, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void contributionsInForceMayCountEverywhere() {
    Fixture run = new Fixture(Fixture.fixed("n COUNT"));
    ProjectedEvent late = run.event("e1", "k", "10:00:00", null).watermark("11:00:00").get();
    run.cells.contribute(0, late, late.order());
    run.cells.contributeEverywhere(0, late, late.order());
    assertThat(run.fold().table())
        .containsExactly("[k, 10:00:00, 10:10:00, 1, 0, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void whatIsNotProjectedLeavesNothing() {
    Fixture run = new Fixture(Fixture.fixed("n COUNT"));
    run.event("e1", null, "10:00:00", null).accept();
    run.event("e2", "k", "10:00:00", null).unfit().accept();
    assertThat(run.projectors.get(0).projects(run.event("e3", "k", "10:00:00", null).get()))
        .isTrue();
    assertThat(run.fold().table()).isEmpty();
  }

  @Test
  void anUnknownSchemaLeavesItsCellIncomplete() {
    // C44
    Fixture run = new Fixture(Fixture.fixed("sum SUM /v"));
    run.event("e1", "k", "10:00:00", "\"12.50\"").accept();
    Fixture.Event unknown = run.event("e2", "k", "10:01:00", "1250").unfit();
    unknown.accept();
    unknown.mark(CellFlag.INCOMPLETE);
    // a mark alone makes no cell
    run.event("e3", "k", "11:00:00", "1").unfit().mark(CellFlag.INCOMPLETE);
    run.event("e4", null, "10:00:00", "1").unfit().mark(CellFlag.INCOMPLETE);
    assertThat(run.fold().table())
        .containsExactly("[k, 10:00:00, 10:10:00, 12.5, 1, 0, 0, [INCOMPLETE], []]");
  }

  @Test
  void whatIsNoNumberIsLeftOutAndSaid() {
    Fixture run = new Fixture(Fixture.fixed("sum SUM /v", "n COUNT"));
    run.event("e1", "k", "10:00:00", "1").accept();
    run.event("e2", "k", "10:01:00", "\"NaN\"").accept();
    run.event("e3", "k", "10:11:00", null).accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[k, 10:00:00, 10:10:00, 1, 2, 2, 0, 0, [INCOMPLETE], []]",
            "[k, 10:10:00, 10:20:00, null, 1, 1, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void hoursAreHoursOfTheTimeLine() {
    // C37
    Fixture run =
        new Fixture(Fixture.windowed(new WindowRule.Fixed(Duration.ofHours(1)), "n COUNT"));
    run.event("e1", "k", "2026-11-01T05:30:00", null).accept();
    run.event("e2", "k", "2026-11-01T06:30:00", null).accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[k, 2026-11-01T05:00:00, 2026-11-01T06:00:00, 1, 1, 0, 0" + NO_CANDIDATES,
            "[k, 2026-11-01T06:00:00, 2026-11-01T07:00:00, 1, 1, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void daysAreThoseOfTheirZone() {
    Fixture run =
        new Fixture(
            Fixture.windowed(new WindowRule.Days(ZoneId.of("America/New_York")), "n COUNT"));
    run.event("e1", "k", "2026-11-01T04:00:00", null).accept();
    run.event("e2", "k", "2026-11-02T04:59:59", null).accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[k, 2026-11-01T04:00:00, 2026-11-02T05:00:00, 2, 2, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void sessionsThatOverlapAreOne() {
    Fixture run = new Fixture(Fixture.windowed(session(), "n COUNT", "last LAST /v"));
    run.event("e3", "k", "10:18:00", "3").accept();
    run.event("e1", "k", "10:00:00", "1").accept();
    run.event("e2", "k", "10:09:00", "2").accept();
    // [10:18, 10:28) and [10:28, 10:38) do not
    run.event("e4", "k", "10:28:00", "4").accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[k, 10:00:00, 10:28:00, 3, 3, 3, 0, 0" + NO_CANDIDATES,
            "[k, 10:28:00, 10:38:00, 1, 4, 1, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void whatDoesNotCountBridgesNoSessions() {
    Fixture run = new Fixture(Fixture.windowed(session(), "n COUNT"));
    run.event("e1", "k", "10:00:00", null).accept();
    run.event("e2", "k", "10:12:00", null).accept();
    Fixture.Event late = run.event("late", "k", "10:05:00", null).watermark("12:00:00");
    late.accept();
    late.mark(CellFlag.CONTESTED);
    // after the end of the first session and before the second
    run.event("later", "k", "10:11:00", null).watermark("12:00:00").accept();
    run.event("e3", "k", "10:40:00", null).accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[k, 10:00:00, 10:10:00, 1, 1, 0, 1, [CONTESTED], []]",
            "[k, 10:12:00, 10:22:00, 1, 1, 0, 0, [CONTESTED], []]",
            "[k, 10:40:00, 10:50:00, 1, 1, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void theActiveValueFollowsTheSequence() {
    // C30
    Fixture run = new Fixture(Fixture.current("/v"));
    run.event("u", "sub1", "10:00:01", "\"active\"").sequence("S/p0", 2).accept();
    run.event("c", "sub1", "10:00:00", "\"incomplete\"").sequence("S/p0", 1).accept();
    assertThat(run.fold().table())
        .containsExactly("[sub1, null, null, active, null, null, null" + NO_CANDIDATES);
  }

  @Test
  void headsThatTieAreAmbiguous() {
    Fixture run = new Fixture(Fixture.current("/v"));
    run.event("u", "sub1", "10:00:00", "\"active\"").accept();
    run.event("c", "sub1", "10:00:00", "\"incomplete\"").accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[sub1, null, null, null, null, null, null, [AMBIGUOUS],"
                + " [\"active\", \"incomplete\"]]");
  }

  @Test
  void columnsThatTieNameTheirCandidates() {
    Fixture run = new Fixture(Fixture.fixed("f FIRST /v", "l LAST /v", "n COUNT"));
    run.event("e1", "k", "10:00:00", "1").accept();
    run.event("e2", "k", "10:05:00", "25e-1").accept();
    run.event("e3", "k", "10:05:00", "\"2.5\"").accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[k, 10:00:00, 10:10:00, 1, null, 3, 3, 0, 0, [AMBIGUOUS], [l=\"2.5\", l=2.5]]");
  }

  @Test
  void aForkHasNoActiveValue() {
    // C40: r stays in force, and none of r, r1, r2 wins
    Fixture run = new Fixture(Fixture.current("/v"));
    Fixture.Event root = run.event("r", "b3", "10:03:00", "0");
    root.accept();
    root.mark(CellFlag.AMBIGUOUS);
    for (String branch : new String[] {"1", "2"}) {
      Fixture.Event correction = run.event("r" + branch, "b3", "10:04:00", branch);
      correction.acceptWithout();
      correction.mark(CellFlag.AMBIGUOUS);
    }
    // members of a cycle contribute nothing: no active value for b1
    Fixture.Event a = run.event("a", "b1", "10:00:00", "1");
    a.acceptWithout();
    a.mark(CellFlag.INCOMPLETE);
    assertThat(run.fold().table())
        .containsExactly("[b3, null, null, null, null, null, null, [AMBIGUOUS], [0, 1, 2]]");
  }

  @Test
  void aGapLeavesTheWindowsItMeetsIncomplete() {
    // C31
    Fixture run =
        new Fixture(Fixture.fixed("n COUNT"))
            .gaps(
                (sequence, start, end) ->
                    sequence.equals("S/p0")
                        && start.isBefore(Fixture.at("10:12:40"))
                        && end.isAfter(Fixture.at("10:05:00")));
    run.event("e1", "k", "09:59:00", null).sequence("S/p0", 41).accept();
    run.event("e2", "k", "10:05:00", null).sequence("S/p0", 42).accept();
    run.event("e3", "k", "10:12:40", null).sequence("S/p0", 45).accept();
    run.event("e4", "other", "10:12:40", null).sequence("S/p1", 1).accept();
    assertThat(run.fold().table())
        .containsExactly(
            "[k, 09:50:00, 10:00:00, 1, 1, 0, 0" + NO_CANDIDATES,
            "[k, 10:00:00, 10:10:00, 1, 1, 0, 0, [INCOMPLETE], []]",
            "[k, 10:10:00, 10:20:00, 1, 1, 0, 0, [INCOMPLETE], []]",
            "[other, 10:10:00, 10:20:00, 1, 1, 0, 0" + NO_CANDIDATES);
  }

  @Test
  void kindsFoundAtRunTimeMakeTheirOwnRows() {
    Fixture run = new Fixture(Fixture.longestGap());
    run.event("e3", "k", "10:09:00", "\"c\"").accept();
    run.event("e1", "k", "10:00:00", "\"a\"").accept();
    run.event("e2", "k", "10:02:00", "\"b\"").accept();
    run.event("e4", "k", "10:02:00", "\"b\"").unfit().mark(CellFlag.INCOMPLETE);
    run.event("e5", "alone", "10:02:00", "\"b\"").accept();
    assertThat(run.fold().table())
        .containsExactly("[k, null, null, 420000, \"c\", null, null, null, [INCOMPLETE], []]");
  }

  @Test
  void kindsFoundAtRunTimeAreComparedToo() {
    Fixture run = new Fixture(Fixture.longestGap());
    for (String key : new String[] {"same", "other", "missing"}) {
      run.event("e1", key, "10:00:00", "\"a\"").accept();
      run.event("e2", key, "10:02:00", "\"b\"").accept();
    }
    run.event("e1", "alone", "10:00:00", null).accept();
    run.record("same", null, "gap_ms=\"120000\"", "ended_by=\"\\\"b\\\"\"");
    run.record("other", null, "gap_ms=1");
    run.record("alone", null, "gap_ms=1");
    assertThat(run.fold().findings.stream().map(finding -> finding.kind().name()))
        .containsExactlyInAnyOrder("MISSING_WINDOW", "UNEXPECTED_WINDOW", "PROJECTION_DRIFT");
  }

  @Test
  void kindsFoundAtRunTimeSeeTheOrderOfASequence() {
    Fixture run = new Fixture(Fixture.longestGap());
    run.event("e1", "k", "10:05:00", "1").sequence("q", 1).accept();
    run.event("e2", "k", "10:00:00", "2").sequence("q", 2).accept();
    run.event("e3", "k", "10:01:00", "3").sequence("q", 3).accept();
    assertThat(run.fold().table())
        .containsExactly("[k, null, null, 60000, 3, null, null, null" + NO_CANDIDATES);
  }
}
