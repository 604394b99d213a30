package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EffectJudgeTest {

  private static final String NOTIFY = "{type: notify, consumers: [c1]}";

  private static Run run() {
    return Run.undecided().effect(NOTIFY);
  }

  private static Story story(Run run) {
    return Story.in(run).receive(e1());
  }

  private static Receptions e1() {
    return Receptions.of("i1").at("10:00:00");
  }

  private static Rows o1() {
    return Rows.of("o1");
  }

  private static Acks ack() {
    return Acks.at("10:00:02", "k");
  }

  @Test
  void oneRowAndOneAcknowledgementAreInOrder() {
    Notes notes = story(run()).rows(o1().acks(ack())).tell();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.effects()).containsExactly("o1 c1 k 1 DONE 0 -");
    assertThat(notes.book("effects", "notify", "matched")).isEqualTo(1);
    assertThat(notes.book("outbox row", "matched")).isEqualTo(1);
    assertThat(notes.book("consumers", "notify", "c1", "acked")).isEqualTo(1);
    assertThat(notes.book("awaited", "notify", "c1")).isEqualTo(1);
    assertThat(notes.judged(Kind.MISSING_OUTBOX)).isEqualTo(1);
    assertThat(notes.judged(Kind.ORPHAN_OUTBOX)).isEqualTo(1);
    assertThat(notes.judged(Kind.SURPLUS_OUTBOX)).isEqualTo(1);
    assertThat(notes.judged(Kind.MISSING_ACK)).isEqualTo(1);
  }

  // Rows that are missing

  @Test
  void anAcceptedEventExpectsItsRow() {
    // C10
    Notes notes = story(run()).tell();
    Finding finding = notes.finding(Kind.MISSING_OUTBOX);
    assertThat(finding.subject())
        .isEqualTo("{\"effect_type\":\"notify\",\"source\":\"S\",\"source_event_id\":\"e1\"}");
    assertThat(finding.reason()).isEqualTo("Accepted, and no outbox row announces the effect");
    assertThat(finding.actual()).contains("\"age\":\"PT2H\"", "\"decision\":\"ACCEPTED\"");
    assertThat(finding.hints()).containsExactly("retention unknown");
    assertThat(finding.evidence()).containsExactly(e1().place());
    assertThat(notes.effects()).containsExactly("- - - 0 MISSING 0 -");
    assertThat(notes.book("effects", "notify", "MISSING_OUTBOX")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "11:50:00, MISSING_OUTBOX, MISSING",
    "11:50:00.000000001, IN_FLIGHT, IN_FLIGHT",
    "2025-12-06T12:00:00, MISSING_OUTBOX, MISSING",
    "2025-12-06T11:59:59, OUT_OF_HORIZON, OUT_OF_HORIZON",
  })
  void aMissingRowHasItsHorizons(String received, String line, String outcome) {
    // C42, C43
    Run run = run().archive(Input.OUTBOX, "cut: 2026-01-05T12:00:00Z, retention: P30D");
    Notes notes = Story.in(run).receive(Receptions.of("i1").at(received)).tell();
    assertThat(notes.book("effects", "notify", line)).isEqualTo(1);
    assertThat(notes.effects()).containsExactly("- - - 0 " + outcome + " 0 -");
    assertThat(notes.findings(Kind.MISSING_OUTBOX)).hasSize(outcome.equals("MISSING") ? 1 : 0);
    notes.findings().forEach(finding -> assertThat(finding.hints()).isEmpty());
  }

  @Test
  void anInputWithErrorsMayHoldTheRow() {
    assertThat(story(run().incomplete(Input.OUTBOX)).tell().finding(Kind.MISSING_OUTBOX).hints())
        .containsExactly("INPUT_INCOMPLETE", "retention unknown");
  }

  @Test
  void eachTypeExpectsARow() {
    Notes notes =
        story(run().effect("{type: mail}").effect("{type: sms, when: {topic: x}}"))
            .rows(o1())
            .tell();
    assertThat(notes.findings(Kind.MISSING_OUTBOX))
        .extracting(Finding::subject)
        .allMatch(subject -> subject.contains("mail"))
        .hasSize(1);
    assertThat(notes.book("effects", "sms", "not expected")).isEqualTo(1);
  }

  @Test
  void withoutAnOutboxNothingIsMissing() {
    Notes absent = story(run().without(Input.OUTBOX)).tell();
    assertThat(absent.findings()).isEmpty();
    assertThat(absent.notJudged(Kind.MISSING_OUTBOX, "outbox not configured")).isEqualTo(1);
    assertThat(absent.effects()).containsExactly("- - - 0 NOT_JUDGED 0 -");
    Notes empty = story(run().empty(Input.OUTBOX)).tell();
    assertThat(empty.findings()).isEmpty();
    assertThat(empty.notJudged(Kind.MISSING_OUTBOX, "outbox input empty")).isEqualTo(1);
    assertThat(empty.book("effects", "notify", "not judged")).isEqualTo(1);
  }

  @Test
  void eventsThatCannotBeJoinedAreNotJudged() {
    Notes heuristic =
        Story.in(run()).receive(Receptions.of("i1").fingerprint("f").at("10:00:00")).tell();
    assertThat(heuristic.findings()).isEmpty();
    assertThat(heuristic.notJudged(Kind.MISSING_OUTBOX, "no source_event_id")).isEqualTo(1);
    Notes ambiguous = story(run()).ambiguous().tell();
    assertThat(ambiguous.findings()).isEmpty();
    assertThat(ambiguous.notJudged(Kind.MISSING_OUTBOX, "a row names several events")).isEqualTo(1);
    Notes contested =
        Story.in(run())
            .receive(
                e1(),
                Receptions.of("i2").hash("a").copy("x"),
                Receptions.of("i2").hash("b").copy("y"))
            .rows(o1())
            .tell();
    assertThat(contested.kinds()).containsExactly("ARCHIVE_CONFLICT", "MISSING_ACK");
    assertThat(contested.notJudged(Kind.SURPLUS_OUTBOX, "several contents of an ingestion_id"))
        .isEqualTo(1);
    assertThat(contested.book("outbox row", "not judged")).isEqualTo(1);
    assertThat(contested.book("effects", "notify", "not judged")).isEqualTo(1);
  }

  @Test
  void aConflictingDuplicateContestsNoEffect() {
    Notes notes = story(run()).receive(Receptions.of("i2").hash("other")).tell();
    assertThat(notes.kinds()).containsExactly("CONFLICTING_DUPLICATE", "MISSING_OUTBOX");
  }

  @Test
  void aKeyOfReplaysAloneExpectsNothing() {
    Notes notes =
        Story.in(run())
            .receive(e1().replay("R", "e1"))
            .rows(o1(), Rows.of("o2").replay("R"))
            .tell();
    assertThat(notes.findings(Kind.MISSING_OUTBOX)).isEmpty();
    assertThat(notes.findings(Kind.SURPLUS_OUTBOX)).isEmpty();
    assertThat(notes.book("effects", "notify", "not expected")).isEqualTo(1);
    assertThat(notes.book("outbox row", "not judged")).isEqualTo(1);
    assertThat(notes.book("outbox row", "replay")).isEqualTo(1);
    assertThat(notes.notJudged(Kind.SURPLUS_OUTBOX, "event known by replays alone")).isEqualTo(1);
  }

  @Test
  void aReplayNeverPaysForTheOriginal() {
    Notes notes = story(run()).rows(Rows.of("o2").replay("R").acks(ack())).tell();
    assertThat(notes.kinds()).containsExactly("MISSING_OUTBOX");
    assertThat(notes.effects())
        .containsExactlyInAnyOrder("o2 c1 k 1 REPLAY 0 -", "- - - 0 MISSING 0 -");
  }

  // Rows that are too many

  @Test
  void theFirstRowIsInForce() {
    Notes notes =
        story(run())
            .rows(
                Rows.of("o3").created("10:00:02"),
                Rows.of("o2").created("10:00:01"),
                Rows.of("o1").created("10:00:02"),
                Rows.of("o0").created("09:00:00").replay("R"))
            .tell();
    assertThat(notes.findings(Kind.SURPLUS_OUTBOX))
        .extracting(Finding::subject)
        .containsExactly("{\"outbox_id\":\"o1\"}", "{\"outbox_id\":\"o3\"}");
    Finding finding = notes.findings(Kind.SURPLUS_OUTBOX).get(0);
    assertThat(finding.reason()).isEqualTo("A second row for one effect: o2 is in force");
    assertThat(finding.evidence()).containsExactly(Rows.of("o1").place(), Rows.of("o2").place());
    assertThat(notes.book("outbox row", "SURPLUS")).isEqualTo(2);
    assertThat(notes.book("outbox row", "matched")).isEqualTo(1);
    assertThat(notes.book("effects", "notify", "matched")).isEqualTo(1);
    // no acknowledgement is due for a surplus row
    assertThat(notes.findings(Kind.MISSING_ACK))
        .extracting(Finding::subject)
        .containsExactly("{\"consumer\":\"c1\",\"outbox_id\":\"o2\"}");
    assertThat(notes.effects())
        .contains("o1 c1 - 0 SURPLUS 0 o2", "o3 c1 - 0 SURPLUS 0 o2", "o0 - - 0 REPLAY 0 -");
  }

  @Test
  void aRowThatNoEntryExpectsIsSurplus() {
    Notes notes =
        story(Run.undecided().effect("{type: notify, when: {topic: x}, consumers: [c1]}"))
            .rows(o1())
            .tell();
    assertThat(notes.kinds()).containsExactly("SURPLUS_OUTBOX");
    Finding finding = notes.finding(Kind.SURPLUS_OUTBOX);
    assertThat(finding.reason()).startsWith("NOT_EXPECTED: ");
    assertThat(finding.expected()).isEqualTo("{\"effect_type\":\"notify\",\"outbox_rows\":0}");
    assertThat(notes.book("effects", "notify", "not expected")).isEqualTo(1);
    assertThat(notes.book("outbox row", "SURPLUS")).isEqualTo(1);
    assertThat(notes.effects()).containsExactly("o1 c1 - 0 SURPLUS 0 -");
  }

  @Test
  void aTypeThatNoEntryNamesIsUndeclared() {
    Notes notes =
        story(run())
            .rows(o1().acks(ack()), Rows.of("o2").type("x"), Rows.of("o3").type(null))
            .tell();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.book("outbox row", "undeclared")).isEqualTo(2);
    assertThat(notes.tally().sum(CheckTally.UNDECLARED, "x")).isEqualTo(1);
    assertThat(notes.tally().sum(CheckTally.UNDECLARED, null)).isEqualTo(1);
    assertThat(notes.notJudged(Kind.MISSING_ACK, "expected consumers not configured")).isEqualTo(2);
  }

  // Rows without an event

  @Test
  void aRowMayNameAnEventThatNobodyReceived() {
    // C11
    Notes notes =
        Story.in(run())
            .rows(Rows.of("o9").event("zz").pending().created("10:30:00"))
            .orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(notes.kinds()).containsExactly("ORPHAN_OUTBOX", "STUCK_PENDING");
    Finding finding = notes.finding(Kind.ORPHAN_OUTBOX);
    assertThat(finding.subject()).isEqualTo("{\"outbox_id\":\"o9\"}");
    assertThat(finding.reason()).isEqualTo("The row names an event that nobody received: S/zz");
    assertThat(finding.hints()).containsExactly("retention unknown");
    assertThat(notes.book("outbox row", "ORPHAN")).isEqualTo(1);
    assertThat(notes.effects()).containsExactly("o9 c1 - 0 ORPHAN 0 -");
  }

  @ParameterizedTest
  @CsvSource({
    "11:50:00, ORPHAN",
    "11:50:00.000000001, IN_FLIGHT",
    "2026-01-04T00:30:00, ORPHAN",
    "2026-01-04T00:29:59, OUT_OF_HORIZON",
  })
  void anOrphanHasItsHorizons(String created, String line) {
    Run run = run().archive(Input.EVENTS, "start: 2026-01-04T00:00:00Z, cut: 2026-01-05T12:00:00Z");
    Notes notes =
        Story.in(run).rows(o1().created(created).acks(ack())).orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(notes.book("outbox row", line)).isEqualTo(1);
    assertThat(notes.findings(Kind.ORPHAN_OUTBOX)).hasSize(line.equals("ORPHAN") ? 1 : 0);
    assertThat(notes.judged(Kind.ORPHAN_OUTBOX)).isEqualTo(line.equals("ORPHAN") ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "NO_EVENT, The row names no event",
    "AMBIGUOUS_EVENT, Several events fit what the row names: S/e1",
    "CONTRADICTORY_EVENT, The row's contents name different events",
  })
  void whatContradictsItselfIsReportedAtAnyAge(String because, String sentence) {
    Run run = run().archive(Input.EVENTS, "start: 2026-01-04T00:00:00Z, cut: 2026-01-05T12:00:00Z");
    for (String created : new String[] {"11:59:59", "2020-01-01T00:00:00"}) {
      Notes notes =
          Story.in(run).rows(o1().status(Status.DISPATCHED).created(created)).orphans(because);
      Finding finding = notes.finding(Kind.ORPHAN_OUTBOX);
      assertThat(finding.reason()).isEqualTo(sentence);
      assertThat(finding.actual()).contains("\"reason\":\"" + because + "\"");
      assertThat(finding.hints()).isEmpty();
      assertThat(notes.book("outbox row", "ORPHAN")).isEqualTo(1);
    }
  }

  @Test
  void anOrphanIsJudgedUnderTheLargestGraceWhereItsTypeIsUnknown() {
    Run run =
        Run.undecided().effect("{type: notify, grace: PT10M}").effect("{type: a, grace: PT1H}");
    Notes known =
        Story.in(run).rows(o1().created("11:40:00").acks(ack())).orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(known.findings(Kind.ORPHAN_OUTBOX)).hasSize(1);
    Notes unknown =
        Story.in(run).rows(o1().type("x").created("11:40:00")).orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(unknown.silent(Kind.ORPHAN_OUTBOX, Standing.IN_FLIGHT)).isEqualTo(1);
  }

  @Test
  void orphansOfReplaysAndOfNoEventsAreNone() {
    Notes replay = Story.in(run()).rows(o1().replay("R")).orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(replay.findings()).isEmpty();
    Notes empty =
        Story.in(run().empty(Input.EVENTS))
            .rows(o1().acks(ack()))
            .orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(empty.findings()).isEmpty();
    assertThat(empty.notJudged(Kind.ORPHAN_OUTBOX, "events input empty")).isEqualTo(1);
    assertThat(empty.book("outbox row", "not judged")).isEqualTo(1);
  }

  // Acknowledgements that are missing

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, MISSING_ACK, NO_ACK",
        "11:50:00, MISSING_ACK, NO_ACK",
        "11:50:00.000000001, IN_FLIGHT, IN_FLIGHT",
        "10:30:00?, not judged, NOT_JUDGED",
        "11:55:00?, IN_FLIGHT, IN_FLIGHT",
      })
  void aDispatchedRowAwaitsItsConsumers(String dispatched, String line, String outcome) {
    Notes notes = story(run()).rows(o1().dispatched(dispatched)).tell();
    if (dispatched != null && dispatched.equals("11:55:00?")) {
      // created within the grace, it was dispatched within it too
      notes = story(run()).rows(o1().created("11:55:00").dispatched(dispatched)).tell();
    }
    assertThat(notes.book("consumers", "notify", "c1", line)).isEqualTo(1);
    assertThat(notes.effects()).containsExactly("o1 c1 - 0 " + outcome + " 0 -");
    assertThat(notes.findings(Kind.MISSING_ACK)).hasSize(line.equals("MISSING_ACK") ? 1 : 0);
  }

  @Test
  void aMissingAcknowledgementNamesRowAndConsumer() {
    // C09
    Notes notes =
        story(Run.undecided().effect("{type: notify, consumers: [c1, c2]}"))
            .rows(o1().acks(ack().by("c2")))
            .tell();
    Finding finding = notes.finding(Kind.MISSING_ACK);
    assertThat(finding.subject()).isEqualTo("{\"consumer\":\"c1\",\"outbox_id\":\"o1\"}");
    assertThat(finding.reason()).isEqualTo("Dispatched, and c1 never acknowledged it");
    assertThat(finding.hints()).containsExactly("retention unknown");
    assertThat(notes.book("consumers", "notify", "c2", "acked")).isEqualTo(1);
    assertThat(notes.book("consumers", "notify", "c1", "MISSING_ACK")).isEqualTo(1);
  }

  @Test
  void anEffectThatWasNeverAppliedIsMissing() {
    Notes notes = story(run()).rows(o1().acks(ack().applied(false))).tell();
    assertThat(notes.finding(Kind.MISSING_ACK).hints())
        .containsExactly("NEVER_APPLIED", "retention unknown");
    assertThat(notes.effects()).containsExactly("o1 c1 k 0 NO_ACK 0 -");
    assertThat(
            story(run())
                .rows(o1().acks(ack().applied(false), Acks.at("10:00:03", "k2")))
                .tell()
                .findings())
        .isEmpty();
  }

  @Test
  void anAcknowledgementOutsideIsEvidence() {
    Notes notes = story(run().judging("10:00:00", "10:00:02")).rows(o1().acks(ack())).tell();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.book("consumers", "notify", "c1", "acked")).isEqualTo(1);
  }

  @Test
  void aReplaysAcknowledgementDoesNotPay() {
    Notes notes = story(run()).rows(o1().acks(ack().replay("R"))).tell();
    assertThat(notes.kinds()).containsExactly("MISSING_ACK");
  }

  @Test
  void unknownConsumersAreNotAwaited() {
    Notes notes = story(Run.undecided().effect("{type: notify}")).rows(o1()).tell();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.notJudged(Kind.MISSING_ACK, "expected consumers not configured")).isEqualTo(1);
    Notes absent = story(run().without(Input.ACKNOWLEDGEMENTS)).rows(o1()).tell();
    assertThat(absent.notJudged(Kind.MISSING_ACK, "acknowledgements not configured")).isEqualTo(1);
    assertThat(absent.book("consumers", "notify", "c1", "not judged")).isEqualTo(1);
  }

  @Test
  void aConsumerThatNoEntryNamesIsUnexpected() {
    Notes notes =
        story(run()).rows(o1().acks(ack(), ack().by("c9").id("x"), ack().by(null).id("y"))).tell();
    assertThat(notes.tally().sum(CheckTally.UNEXPECTED, "notify", "c9")).isEqualTo(1);
    assertThat(notes.tally().sum(CheckTally.UNEXPECTED, "notify", null)).isEqualTo(1);
    assertThat(notes.tally().sumsUnder(CheckTally.UNEXPECTED)).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PENDING", "PROCESSING", "DLQ"})
  void onlyDispatchedRowsAreAwaited(String status) {
    Notes notes =
        story(run()).rows(o1().status(Status.valueOf(status)).lease("n1", "12:00:00")).tell();
    assertThat(notes.findings(Kind.MISSING_ACK)).isEmpty();
    assertThat(notes.book("awaited", "notify", "c1")).isZero();
    assertThat(notes.effects())
        .containsExactly("o1 c1 - 0 " + (status.equals("DLQ") ? "DLQ" : "PENDING") + " 0 -");
  }

  @Test
  void whatIsOutsideIsNotJudged() {
    Notes event = story(run().judging("10:00:01", null)).rows(o1().acks(ack())).tell();
    assertThat(event.book("effects", "notify", "not judged")).isEqualTo(1);
    assertThat(event.book("outbox row", "not judged")).isEqualTo(1);
    Notes row = story(run().judging(null, "10:00:01")).rows(o1()).tell();
    assertThat(row.findings()).isEmpty();
    assertThat(row.book("effects", "notify", "not judged")).isEqualTo(1);
    assertThat(row.book("outbox row", "not judged")).isEqualTo(1);
    assertThat(row.notJudged(Kind.ORPHAN_OUTBOX, EffectJudge.OUTSIDE)).isEqualTo(1);
    assertThat(row.notJudged(Kind.MISSING_ACK, EffectJudge.OUTSIDE)).isEqualTo(1);
  }

  // Acknowledgements without a row

  private static Notes loose(Run run, Acks ack, String outboxId) {
    Notes notes = new Notes();
    Acknowledgement loose = ack.get(outboxId);
    new EffectJudge(run.facts(), notes).orphanAck(loose);
    return notes;
  }

  @ParameterizedTest
  @CsvSource({
    "11:50:00, ORPHAN",
    "11:50:00.000000001, IN_FLIGHT",
    "2025-12-06T12:30:00, ORPHAN",
    "2025-12-06T12:29:59, OUT_OF_HORIZON",
  })
  void anAcknowledgementWithoutARowHasItsHorizons(String at, String line) {
    // C42, C43
    Run run = run().archive(Input.OUTBOX, "cut: 2026-01-05T12:00:00Z, retention: P30D");
    Notes notes = loose(run, Acks.at(at, "k").id("a"), "o7");
    assertThat(notes.book("acks", line)).isEqualTo(1);
    assertThat(notes.effects()).containsExactly("o7 c1 k 1 " + line + " 0 -");
    assertThat(notes.findings(Kind.ORPHAN_ACK)).hasSize(line.equals("ORPHAN") ? 1 : 0);
    notes.findings().forEach(finding -> assertThat(finding.hints()).isEmpty());
  }

  @Test
  void anAcknowledgementThatNamesNoRowIsReportedAtAnyAge() {
    Run run = run().archive(Input.OUTBOX, "cut: 2026-01-05T12:00:00Z, retention: P30D");
    for (String at : new String[] {"11:59:59", "2020-01-01T00:00:00"}) {
      Notes notes = loose(run, Acks.at(at, "k").id("a"), null);
      assertThat(notes.finding(Kind.ORPHAN_ACK).reason())
          .isEqualTo("The acknowledgement names no outbox row");
      assertThat(notes.finding(Kind.ORPHAN_ACK).hints()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "a1 | {\"ack_id\":\"a1\"}",
        "- | {\"consumer\":\"c1\",\"effect_key\":\"k\",\"outbox_id\":\"o7\"}",
      })
  void anOrphanAcknowledgementIsNamedByItsId(String id, String subject) {
    Notes notes = loose(run(), Acks.at("10:00:00", "k").id(id), "o7");
    Finding finding = notes.finding(Kind.ORPHAN_ACK);
    assertThat(finding.subject()).isEqualTo(subject);
    assertThat(finding.reason())
        .isEqualTo("The acknowledgement names an outbox row that is not there: o7");
    assertThat(finding.hints()).containsExactly("retention unknown");
  }

  @Test
  void someLooseAcknowledgementsAreNoOrphans() {
    Notes replay = loose(run(), ack().replay("R"), "o7");
    assertThat(replay.findings()).isEmpty();
    assertThat(replay.book("acks", "replay")).isEqualTo(1);
    Notes absent = loose(run().without(Input.OUTBOX), ack(), "o7");
    assertThat(absent.findings()).isEmpty();
    assertThat(absent.notJudged(Kind.ORPHAN_ACK, "outbox not configured")).isEqualTo(1);
    Notes outside = loose(run().judging("11:00:00", null), ack(), "o7");
    assertThat(outside.notJudged(Kind.ORPHAN_ACK, EffectJudge.OUTSIDE)).isEqualTo(1);
    assertThat(outside.effects()).containsExactly("o7 c1 k 1 NOT_JUDGED 0 -");
  }
}
