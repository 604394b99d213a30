package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.outbox.OutboxPosition;
import dev.constat.rules.outbox.StateClass;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.spec.Effect;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Against a cut at 12:00, with the default limits. */
class StateJudgeTest {

  private final Notes notes = new Notes();

  private StateClass judge(RunFacts facts, Rows row) {
    return new StateJudge(facts, notes).judge(row.delivery(), Effect.undeclared("notify"));
  }

  private StateClass judge(Rows row) {
    return judge(Run.undecided().facts(), row);
  }

  private static Rows o1() {
    return Rows.of("o1").created("10:00:00");
  }

  private static Acks ack(String time) {
    return Acks.at(time, "k");
  }

  static Stream<Arguments> classes() {
    return Stream.of(
        arguments("DISPATCHED", o1(), List.of()),
        arguments("DISPATCHED", o1().acks(ack("10:00:02")), List.of()),
        arguments("DLQ", o1().status(Status.DLQ), List.of()),
        arguments("DLQ", o1().status(Status.DLQ).acks(ack("10:00:02")), List.of()),
        // a conflict comes first, and nothing else is said of its row
        arguments(
            "STATE_CONFLICT",
            o1().status(Status.DLQ).attempts(9L).conflicting(false).dispatched("09:00:00"),
            List.of("STATE_CONFLICT")),
        arguments("NOT_JUDGED", o1().status(null), List.of()),
        // an acknowledgement says more than a status
        arguments(
            "ACKED_NOT_TERMINAL",
            o1().pending().acks(ack("11:50:00")),
            List.of("ACKED_NOT_TERMINAL")),
        arguments("ACKED_NOT_TERMINAL", o1().pending().acks(ack("11:50:00.000000001")), List.of()),
        arguments(
            "ACKED_NOT_TERMINAL",
            o1().processing().lease("n1", "10:01:00").acks(ack("10:00:30")),
            List.of("ACKED_NOT_TERMINAL")),
        arguments(
            "STUCK_PENDING",
            o1().pending().acks(ack("10:00:30").replay("R")),
            List.of("STUCK_PENDING")),
        arguments(
            "STUCK_PENDING",
            o1().pending().acks(ack("10:00:30").applied(false)),
            List.of("STUCK_PENDING")),
        // leases
        arguments(
            "STUCK_LEASE",
            o1().processing().lease("n1", "11:49:59.999999999"),
            List.of("STUCK_LEASE")),
        arguments("LEASED", o1().processing().lease("n1", "11:50:00"), List.of()),
        arguments("LEASED", o1().processing().lease("n1", "12:00:30"), List.of()),
        arguments("STUCK_LEASE", o1().processing(), List.of("STUCK_LEASE")),
        arguments("LEASED", o1().processing().created("11:50:00"), List.of()),
        arguments("LEASED", o1().processing().claimed("11:50:00"), List.of()),
        arguments("STUCK_LEASE", o1().processing().claimed("11:49:59"), List.of("STUCK_LEASE")),
        arguments("LEASE_UNKNOWN", o1().processing().lease("n1", "10:01:00?"), List.of()),
        arguments("LEASE_UNKNOWN", o1().processing().claimed("10:01:00?"), List.of()),
        arguments(
            "STUCK_LEASE",
            o1().processing().claimed("10:01:00?").lease("n1", "10:01:00"),
            List.of("STUCK_LEASE")),
        // pending
        arguments("WAITING", o1().pending().created("11:30:00"), List.of()),
        arguments(
            "STUCK_PENDING",
            o1().pending().created("11:29:59.999999999"),
            List.of("STUCK_PENDING")),
        arguments("WAITING", o1().pending().visible("11:30:00"), List.of()),
        arguments("WAITING", o1().pending().visible("13:00:00"), List.of()),
        arguments("STUCK_PENDING", o1().pending().visible("09:00:00"), List.of("STUCK_PENDING")),
        arguments("NOT_JUDGED", o1().pending().visible("10:00:00?"), List.of()),
        arguments("WAITING", o1().pending().created("11:30:00").visible("10:00:00?"), List.of()),
        // no attempt left; stated once its acknowledgements are known
        arguments("IMPLICIT_DLQ", o1().pending().attempts(5L), List.of()),
        arguments("STUCK_PENDING", o1().pending().attempts(4L), List.of("STUCK_PENDING")),
        arguments("STUCK_PENDING", o1().pending().attempts(null), List.of("STUCK_PENDING")),
        arguments("IMPLICIT_DLQ", o1().pending().attempts(5L).created("11:50:00"), List.of()),
        arguments("WAITING", o1().pending().attempts(5L).created("11:50:00.000000001"), List.of()),
        arguments("IMPLICIT_DLQ", o1().pending().attempts(6L), List.of("RETRY_LIMIT_EXCEEDED")),
        // C14
        arguments(
            "ACKED_NOT_TERMINAL",
            o1().pending().attempts(40L).acks(ack("10:00:02")),
            List.of("ACKED_NOT_TERMINAL", "RETRY_LIMIT_EXCEEDED")));
  }

  @ParameterizedTest
  @MethodSource("classes")
  void theFirstClassThatAppliesHolds(String expected, Rows row, List<String> kinds) {
    assertThat(judge(row)).isEqualTo(StateClass.valueOf(expected));
    assertThat(notes.kinds()).isEqualTo(kinds);
    assertThat(notes.book("states", expected)).isEqualTo(1);
    assertThat(notes.tally().sum(CheckTally.STATES, "notify", expected)).isEqualTo(1);
    notes
        .findings()
        .forEach(
            finding -> {
              assertThat(finding.subject()).isEqualTo("{\"outbox_id\":\"o1\"}");
              assertThat(finding.rule()).isEqualTo("states/1");
              assertThat(finding.evidence()).contains(row.place());
            });
  }

  @Test
  void whatIsTooYoungIsCountedAndSilent() {
    judge(o1().pending().created("11:55:00"));
    assertThat(notes.silent(Kind.STUCK_PENDING, Standing.IN_FLIGHT)).isEqualTo(1);
    judge(o1().pending().acks(ack("11:55:00")));
    assertThat(notes.silent(Kind.ACKED_NOT_TERMINAL, Standing.IN_FLIGHT)).isEqualTo(1);
    assertThat(notes.findings()).isEmpty();
  }

  @Test
  void anUnknownTimeIsNotJudged() {
    judge(o1().processing().lease("n1", "10:01:00?"));
    judge(o1().pending().visible("10:00:00?"));
    judge(o1().status(null));
    assertThat(notes.notJudged(Kind.STUCK_LEASE, "lease_until without a zone")).isEqualTo(1);
    assertThat(notes.notJudged(Kind.STUCK_PENDING, "visible_at without a zone")).isEqualTo(1);
    assertThat(notes.notJudged(Kind.STUCK_PENDING, "no status")).isEqualTo(1);
  }

  @Test
  void stuckLeasesSayForHowLong() {
    // C15
    judge(o1().processing().lease("n1", "10:01:00"));
    Finding expired = notes.finding(Kind.STUCK_LEASE);
    assertThat(expired.reason()).isEqualTo("Lease expired PT1H59M before the cut");
    assertThat(expired.actual()).contains("\"lease_owner\":\"n1\"");
    assertThat(expired.firstAt()).isEqualTo(Times.at("10:01:00"));
    Notes other = new Notes();
    new StateJudge(Run.undecided().facts(), other)
        .judge(o1().processing().delivery(), Effect.undeclared("notify"));
    assertThat(other.finding(Kind.STUCK_LEASE).reason())
        .isEqualTo("PROCESSING without lease for PT2H");
  }

  @Test
  void aRowThatALaterOneOvertookMayHaveBeenSkipped() {
    Run run = Run.undecided();
    KeyWriter position = new KeyWriter();
    OutboxPosition.write(position, Times.at("10:30:00"), "o9", false);
    run.tally().max(position.toBytes(), ReadTally.LAST_DISPATCHED);
    RunFacts facts = run.facts();
    judge(facts, o1().pending());
    Finding finding = notes.finding(Kind.STUCK_PENDING);
    assertThat(finding.hints()).containsExactly("CURSOR_SKIP");
    assertThat(finding.reason()).isEqualTo("PENDING for PT2H at the cut");
    Notes tried = new Notes();
    StateJudge judge = new StateJudge(facts, tried);
    judge.judge(o1().pending().attempts(1L).delivery(), Effect.undeclared("notify"));
    assertThat(tried.finding(Kind.STUCK_PENDING).hints()).isEmpty();
    Notes later = new Notes();
    new StateJudge(facts, later)
        .judge(o1().pending().created("10:30:01").delivery(), Effect.undeclared("notify"));
    assertThat(later.finding(Kind.STUCK_PENDING).hints()).isEmpty();
  }

  static Stream<Arguments> contradictions() {
    return Stream.of(
        arguments(o1().claimed("09:59:59"), "claimed_at 2026-01-05T09:59:59Z is before created_at"),
        arguments(
            o1().dispatched("09:59:59"), "dispatched_at 2026-01-05T09:59:59Z is before created_at"),
        arguments(
            o1().status(Status.DLQ).dead("09:59:59"),
            "dlq_at 2026-01-05T09:59:59Z is before created_at"),
        arguments(
            o1().acks(ack("09:59:59")), "first acked_at 2026-01-05T09:59:59Z is before created_at"),
        arguments(
            o1().acks(ack("09:59:59").replay("R")),
            "first acked_at 2026-01-05T09:59:59Z is before created_at"),
        arguments(o1().attempts(0L), "DISPATCHED with 0 attempts"),
        arguments(o1().acknowledgedFor("S/e9"), "an acknowledgement names the event S/e9"),
        arguments(
            o1().attempts(0L).claimed("09:00:00"),
            "claimed_at 2026-01-05T09:00:00Z is before created_at; DISPATCHED with 0 attempts"),
        arguments(o1(), null),
        arguments(o1().claimed("10:00:00").dispatched("10:00:00"), null),
        arguments(o1().claimed("09:00:00?").dispatched("09:00:00?"), null),
        arguments(o1().attempts(null), null),
        arguments(o1().pending().created("11:59:00"), null));
  }

  @ParameterizedTest
  @MethodSource("contradictions")
  void aRowMayContradictItself(Rows row, String contradiction) {
    judge(row);
    if (contradiction == null) {
      assertThat(notes.findings(Kind.IMPOSSIBLE_STATE)).isEmpty();
    } else {
      assertThat(notes.finding(Kind.IMPOSSIBLE_STATE).reason())
          .isEqualTo("No history leads to this row: " + contradiction);
    }
    assertThat(notes.judged(Kind.IMPOSSIBLE_STATE)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // C16
        "10:00:00, 13:01:00?, Even read as UTC, true",
        "10:00:00, 10:01:00?, -, false",
        "10:00:00, 10:01:00, -, false",
        "10:00:00, 10:01:00.000000001, A lease of PT1M0.000000001S is longer, true",
        "-, 13:01:00?, -, false",
        "10:00:00?, 13:01:00, -, false",
        "10:00:00, -, -, false",
        "10:00:00, 09:00:00, -, false",
      })
  void aLeaseMayBeLongerThanAnyGivenOut(
      String claimed, String until, String reason, boolean found) {
    judge(o1().created("09:00:00").processing().claimed(claimed).lease("n1", until));
    assertThat(notes.findings(Kind.IMPLAUSIBLE_LEASE)).hasSize(found ? 1 : 0);
    if (found) {
      assertThat(notes.finding(Kind.IMPLAUSIBLE_LEASE).reason()).startsWith(reason);
      assertThat(notes.finding(Kind.IMPLAUSIBLE_LEASE).expected())
          .isEqualTo("{\"lease_ttl\":\"PT1M\"}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "5, -, false",
        "6, -, true",
        "6, 11:00:00, false",
        "6, 11:00:00?, false",
        "-, -, false"
      })
  void attemptsHaveALimitUntilTheyAreGivenUp(Long attempts, String dead, boolean found) {
    judge(o1().status(Status.DLQ).attempts(attempts).dead(dead));
    assertThat(notes.findings(Kind.RETRY_LIMIT_EXCEEDED)).hasSize(found ? 1 : 0);
    if (found) {
      assertThat(notes.finding(Kind.RETRY_LIMIT_EXCEEDED).reason())
          .isEqualTo("Tried 6 times, more than the limit");
    }
  }

  @Test
  void aConflictShowsWhereTheOtherContentStands() {
    judge(o1().version("3").conflicting(true));
    Finding finding = notes.finding(Kind.STATE_CONFLICT);
    assertThat(finding.reason())
        .isEqualTo("Several contents of one row, and no row_version says which holds");
    assertThat(finding.evidence()).hasSize(2);
    assertThat(finding.actual()).contains("\"row_version\":\"3\"");
    assertThat(notes.judged(Kind.STATE_CONFLICT)).isEqualTo(1);
  }

  @Test
  void statesAreNotJudgedAtAnEarlierAsOf() {
    RunFacts facts = Run.undecided().asOf("11:00:00").facts();
    assertThat(judge(facts, o1().pending())).isEqualTo(StateClass.NOT_JUDGED);
    assertThat(judge(facts, o1().processing())).isEqualTo(StateClass.NOT_JUDGED);
    assertThat(judge(facts, o1().status(Status.DLQ))).isEqualTo(StateClass.NOT_JUDGED);
    assertThat(judge(facts, o1().conflicting(false))).isEqualTo(StateClass.STATE_CONFLICT);
    assertThat(notes.kinds()).containsExactly("STATE_CONFLICT");
    assertThat(notes.notJudged(Kind.STUCK_PENDING, "as_of before the cut of outbox")).isEqualTo(3);
  }

  @Test
  void aRowOutsideHasAClassAndNoFinding() {
    RunFacts facts = Run.undecided().judging("11:00:00", null).facts();
    assertThat(judge(facts, o1().status(Status.DLQ).attempts(9L))).isEqualTo(StateClass.DLQ);
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.book("states", "DLQ")).isEqualTo(1);
    assertThat(notes.notJudged(Kind.IMPOSSIBLE_STATE, EffectJudge.OUTSIDE)).isEqualTo(1);
    assertThat(notes.tally().sum(CheckTally.RETRIED, "notify")).isEqualTo(1);
  }

  @Test
  void idsMayBeIntegers() {
    Run run = Run.undecided().archive(Input.OUTBOX, "cut: 2026-01-05T12:00:00Z, id_order: integer");
    KeyWriter position = new KeyWriter();
    OutboxPosition.write(position, Times.at("10:00:00"), "10", true);
    run.tally().max(position.toBytes(), ReadTally.LAST_DISPATCHED);
    judge(run.facts(), Rows.of("9").created("10:00:00").pending());
    assertThat(notes.finding(Kind.STUCK_PENDING).hints()).containsExactly("CURSOR_SKIP");
  }
}
