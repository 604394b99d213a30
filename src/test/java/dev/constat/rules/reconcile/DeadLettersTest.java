package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.outbox.Status;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that were given up, by declaration or silently, and who never received them. */
class DeadLettersTest {

  private static final String BOTH = "[c1, c2]";

  private static Run run(String consumers) {
    return Run.undecided()
        .effect("{type: notify" + (consumers == null ? "" : ", consumers: " + consumers) + "}");
  }

  private static Notes tell(Run run, Rows row) {
    return Story.in(run).receive(Receptions.of("i1").at("10:00:00")).rows(row).tell();
  }

  private static Rows dlq() {
    return Rows.of("o1").status(Status.DLQ).attempts(5L).dead("10:20:00");
  }

  private static Rows implicit() {
    return Rows.of("o1").pending().attempts(5L);
  }

  private static Acks ack(String consumer) {
    return Acks.at("10:00:02", "k").by(consumer).id("a-" + consumer);
  }

  static Stream<Arguments> letters() {
    return Stream.of(
        arguments(
            "nobody received it",
            run(BOTH),
            dlq(),
            "[\"c1\",\"c2\"]",
            null,
            List.of("c1 never received", "c2 never received")),
        arguments(
            "one of two received it",
            run(BOTH),
            dlq().acks(ack("c2")),
            "[\"c1\"]",
            null,
            List.of("c1 never received", "c2 received")),
        arguments(
            "both received it",
            run(BOTH),
            dlq().acks(ack("c1"), ack("c2")),
            "[]",
            null,
            List.of("c1 received", "c2 received")),
        arguments(
            "seen, and not applied",
            run(BOTH),
            dlq().acks(ack("c1").applied(false), ack("c2")),
            "[\"c1\"]",
            null,
            List.of("c1 never received", "c2 received")),
        arguments(
            "received in a replay alone",
            run("[c1]"),
            dlq().acks(ack("c1").replay("R")),
            "[\"c1\"]",
            null,
            List.of("c1 never received")),
        arguments(
            "a consumer that nobody expects",
            run("[c1]"),
            dlq().acks(ack("c9")),
            "[\"c1\"]",
            null,
            List.of("c1 never received")),
        arguments(
            "consumers not configured",
            run(null),
            dlq(),
            "null",
            "expected consumers not configured",
            List.of()),
        arguments(
            "acknowledgements not configured",
            run("[c1]").without(Input.ACKNOWLEDGEMENTS),
            dlq(),
            "null",
            "acknowledgements not configured",
            List.of("c1 not judged")),
        arguments(
            "acknowledgements begin later",
            run("[c1]")
                .archive(
                    Input.ACKNOWLEDGEMENTS,
                    "cut: 2026-01-05T12:00:00Z, start: 2026-01-05T11:00:00Z"),
            dlq(),
            "null",
            "acknowledgements do not reach back so far",
            List.of("c1 not judged")),
        arguments(
            "received before they begin",
            run(BOTH)
                .archive(
                    Input.ACKNOWLEDGEMENTS,
                    "cut: 2026-01-05T12:00:00Z, start: 2026-01-05T11:00:00Z"),
            dlq().acks(ack("c1")),
            "null",
            "acknowledgements do not reach back so far",
            List.of("c1 received", "c2 not judged")),
        arguments(
            "dead just now",
            run("[c1]"),
            dlq().dead("11:59:00"),
            "[\"c1\"]",
            null,
            List.of("c1 never received")),
        arguments(
            "without a word",
            run(BOTH),
            implicit(),
            "[\"c1\",\"c2\"]",
            null,
            List.of("c1 never received", "c2 never received")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("letters")
  void aDeadLetterSaysWhoNeverReceivedIt(
      String name, Run run, Rows row, String neverReceived, String unknown, List<String> book) {
    Notes notes = tell(run, row);
    Kind kind = row.row().status() == Status.DLQ ? Kind.DLQ : Kind.IMPLICIT_DLQ;
    Finding finding = notes.finding(kind);
    assertThat(finding.subject()).isEqualTo("{\"outbox_id\":\"o1\"}");
    assertThat(finding.rule()).isEqualTo("states/1");
    assertThat(finding.evidence()).containsExactly(row.place());
    assertThat(finding.actual())
        .contains("\"never_received\":" + neverReceived)
        .contains("\"source\":\"S\",\"source_event_id\":\"e1\"");
    assertThat(finding.actual().contains("never_received_unknown")).isEqualTo(unknown != null);
    if (unknown != null) {
      assertThat(finding.actual()).contains("\"never_received_unknown\":\"" + unknown + "\"");
    }
    assertThat(
            notes.tally().sumsUnder(CheckTally.BOOK, CheckTally.DEAD, "notify").keySet().stream()
                .map(path -> path.get(0) + " " + path.get(1)))
        .containsExactlyElementsOf(book);
    assertThat(
            notes.tally().sum(CheckTally.DEAD_DECLARED, "notify")
                + " "
                + notes.tally().sum(CheckTally.DEAD_IMPLICIT, "notify"))
        .isEqualTo(kind == Kind.DLQ ? "1 0" : "0 1");
    assertThat(notes.judged(kind)).isEqualTo(1);
  }

  static Stream<Arguments> reasons() {
    return Stream.of(
        arguments(run(BOTH), dlq(), "Given up: c1, c2 never received it"),
        arguments(run(BOTH), dlq().acks(ack("c1")), "Given up: c2 never received it"),
        arguments(
            run("[c1]"),
            dlq().acks(ack("c1")),
            "Given up: every consumer received it all the same"),
        arguments(run(null), dlq(), "Given up: the effect did not happen"),
        arguments(
            run("[c1]"),
            implicit(),
            "PENDING with no attempt left: nobody will send it and nobody says so"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void theReasonNamesThem(Run run, Rows row, String reason) {
    assertThat(tell(run, row).findings().get(0).reason()).isEqualTo(reason);
  }

  @Test
  void deadRowsAreDatedByTheirDeath() {
    assertThat(tell(run("[c1]"), dlq().dead("11:00:00")).finding(Kind.DLQ).firstAt())
        .isEqualTo(Times.at("11:00:00"));
    assertThat(tell(run("[c1]"), dlq().dead(null)).finding(Kind.DLQ).firstAt())
        .isEqualTo(Times.at("10:00:01"));
    assertThat(tell(run("[c1]"), implicit()).finding(Kind.IMPLICIT_DLQ).expected())
        .isEqualTo("{\"max_attempts\":5,\"status\":\"DLQ\"}");
  }

  @Test
  void theEffectsTableCallsBothDead() {
    assertThat(tell(run(BOTH), dlq().acks(ack("c2"))).effects())
        .containsExactlyInAnyOrder("o1 c2 k 1 DONE 0 -", "o1 c1 - 0 DLQ 0 -");
    assertThat(tell(run("[c1]"), implicit()).effects()).containsExactly("o1 c1 - 0 DLQ 0 -");
    assertThat(tell(run(null), implicit()).effects()).containsExactly("o1 - - 0 DLQ 0 -");
  }

  @Test
  void aRowOfAReplayHasBooksOfItsOwn() {
    Notes notes = tell(run("[c1]"), dlq().replay("R"));
    assertThat(notes.finding(Kind.DLQ).actual()).doesNotContain("never_received");
    assertThat(notes.tally().sumsUnder(CheckTally.DEAD)).isEmpty();
    assertThat(notes.tally().sumsUnder(CheckTally.DEAD_DECLARED)).isEmpty();
  }

  @Test
  void whatIsOutsideIsNotStated() {
    Notes notes = tell(run("[c1]").judging("11:00:00", null), dlq());
    assertThat(notes.findings(Kind.DLQ)).isEmpty();
    assertThat(notes.tally().sumsUnder(CheckTally.DEAD)).isEmpty();
  }

  @Test
  void anOrphanNamesTheEventThatItNames() {
    Notes notes = Story.in(run("[c1]")).rows(dlq().event("zz")).orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(notes.finding(Kind.DLQ).actual()).contains("\"source_event_id\":\"zz\"");
  }
}
