package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.order.Release;
import dev.constat.rules.outbox.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rows take part in the order of their aggregate, and how. */
final class AggregateRowsTest {

  private static final String ORDERED = "{type: notify, order: aggregate, grace: PT10M}";

  private static Acks ack(String time) {
    return Acks.at(time, "k");
  }

  private static Notes tell(String entry, Rows row) {
    return Story.in(Run.undecided().effect(entry)).receive(Receptions.of("i1")).rows(row).tell();
  }

  private static AggregateRow told(String entry, Rows row) {
    return Iterables.getOnlyElement(tell(entry, row).aggregateRows());
  }

  @Test
  void theFirstOriginalAcknowledgementIsTheDelivery() {
    AggregateRow row =
        told(
            ORDERED,
            Rows.of("o1")
                .dispatched("10:00:01")
                .acks(
                    ack("10:00:09"),
                    ack("10:00:05"),
                    ack("10:00:02").applied(false),
                    ack("10:00:03").replay("R")));
    assertThat(row.delivery()).isEqualTo(Times.at("10:00:05"));
    assertThat(row.release()).isEqualTo(Release.AT_A_TIME);
    assertThat(row.ordered()).isTrue();
  }

  @Test
  void elseDispatchedAtIs() {
    AggregateRow row =
        told(
            "{type: notify}",
            Rows.of("o1").dispatched("10:00:01").acks(ack("10:00:03").replay("R")));
    assertThat(row.delivery()).isEqualTo(Times.at("10:00:01"));
    assertThat(row.ordered()).isFalse();
    assertThat(row.place()).isNull();
  }

  @Test
  void replaysAndConflictsTakeNoPart() {
    assertThat(tell(ORDERED, Rows.of("o1").replay("R")).aggregateRows()).isEmpty();
    Notes conflict = tell(ORDERED, Rows.of("o1").dispatched("10:00:01").conflicting(false));
    assertThat(conflict.aggregateRows()).isEmpty();
    assertThat(conflict.notJudged(Kind.ORDER_VIOLATION, "several contents")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "DISPATCHED, , , DISPATCHED without a time",
    "DISPATCHED, 10:00:01?, , dispatched_at without a zone",
    "DLQ, , , DLQ without dlq_at",
    "DLQ, , 10:00:01?, dlq_at without a zone",
    ", , , no status"
  })
  void whatIsNotKnownIsCounted(Status status, String dispatched, String dead, String because) {
    Rows row = Rows.of("o1").status(status).dispatched(dispatched).dead(dead);
    Notes notes = tell(ORDERED, row);
    assertThat(notes.notJudged(Kind.ORDER_VIOLATION, because)).isEqualTo(1);
    assertThat(Iterables.getOnlyElement(notes.aggregateRows()).release())
        .isEqualTo(Release.UNKNOWN);
    assertThat(tell("{type: notify}", row).notJudged(Kind.ORDER_VIOLATION, because)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"11:50:00, true", "11:50:00.000000001, false"})
  void settledWhenTheGraceIsOver(String dispatched, boolean settled) {
    assertThat(told(ORDERED, Rows.of("o1").dispatched(dispatched)).settled()).isEqualTo(settled);
  }

  @Test
  void anOrderedRowThatIsStuckWaitsForItsAggregate() {
    Notes notes = tell(ORDERED, Rows.of("o1").pending());
    assertThat(Iterables.getOnlyElement(notes.aggregateRows()).waiting()).isTrue();
    assertThat(notes.findings(Kind.STUCK_PENDING)).isEmpty();
    assertThat(notes.book("states", "STUCK_PENDING")).isZero();

    PendingJudge judge =
        new PendingJudge(Run.undecided().effect(ORDERED).facts(), notes::finding, notes::tally);
    judge.waiting(Iterables.getOnlyElement(notes.aggregateRows()), null);
    assertThat(notes.findings(Kind.STUCK_PENDING)).hasSize(1);
    assertThat(notes.book("states", "STUCK_PENDING")).isEqualTo(1);
  }

  @Test
  void anUnorderedOneDoesNot() {
    Notes notes = tell("{type: notify}", Rows.of("o1").pending());
    assertThat(Iterables.getOnlyElement(notes.aggregateRows()).waiting()).isFalse();
    assertThat(notes.findings(Kind.STUCK_PENDING)).hasSize(1);
    assertThat(notes.book("states", "STUCK_PENDING")).isEqualTo(1);
  }

  @Test
  void norDoesOneThatIsYoungOrHasNoAttemptLeft() {
    assertThat(told(ORDERED, Rows.of("o1").pending().created("11:30:00")).waiting()).isFalse();
    assertThat(told(ORDERED, Rows.of("o1").pending().attempts(5L)).waiting()).isFalse();
  }
}
