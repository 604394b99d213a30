package dev.constat.rules.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.outbox.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of the rows of one aggregate; the cut is two hours after its first. */
final class AggregateScanTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource("aggregates")
  void says(String title, List<AggregateRows> rows, List<String> said) {
    assertThat(scan(rows)).isEqualTo(said);
  }

  static Stream<Arguments> aggregates() {
    return Stream.of(
        arguments(
            "in order, each before the next is there: nothing",
            List.of(row(1).delivered(1), row(2).delivered(2), row(3).delivered(4)),
            List.of()),
        arguments(
            "at the same time: nothing but that the first was waited for",
            List.of(row(1).delivered(5), row(2).delivered(5)),
            List.of("o1 2-5")),
        arguments(
            "the last of those before decides, and of several the first",
            List.of(
                row(1).delivered(8), row(2).delivered(9), row(3).delivered(9), row(4).delivered(7)),
            List.of("o1 2-8", "o2 8-9", "ORDER_VIOLATION o4 UNKNOWN: delivered before o2")),
        arguments(
            "a dead head lets the next go",
            List.of(row(1).dead(3), row(2).delivered(3)),
            List.of("o1 2-3")),
        arguments(
            "not before it is dead",
            List.of(row(1).dead(4), row(2).delivered(3)),
            List.of("o1 2-4", "ORDER_VIOLATION o2 UNKNOWN: delivered before o1")),
        arguments(
            "one that waits holds all others back, the first of several",
            List.of(
                row(1).status(Status.PENDING),
                row(2).status(Status.PROCESSING),
                row(3).delivered(3)),
            List.of(
                "o1 2-null", "ORDER_VIOLATION o3 UNKNOWN: delivered before o1, which still waits")),
        arguments(
            "unless it may still be delivered in time",
            List.of(row(1).status(Status.PENDING), row(2).delivered(3).unsettled()),
            List.of("o1 2-null")),
        arguments(
            "what others were delivered is known all the same",
            List.of(
                row(1).delivered(9),
                row(2).status(Status.PENDING),
                row(3).delivered(3).unsettled()),
            List.of("o1 2-9", "o2 9-null", "ORDER_VIOLATION o3 UNKNOWN: delivered before o1")),
        arguments(
            "one whose acknowledgement may still come was delivered nobody knows when",
            List.of(row(1).delivered(9), row(2).delivered(3).provisional()),
            List.of("o1 2-9")),
        arguments(
            "but before one that waits whenever that was",
            List.of(row(1).status(Status.PENDING), row(2).delivered(3).provisional()),
            List.of(
                "o1 2-null", "ORDER_VIOLATION o2 UNKNOWN: delivered before o1, which still waits")),
        arguments(
            "one of which nothing is known decides nothing",
            List.of(
                row(1).status(null),
                row(2).delivered(3),
                row(3).status(Status.DLQ),
                row(4).delivered(4)),
            List.of()),
        arguments(
            "held back by the first that is not terminal",
            List.of(
                row(1).delivered(1),
                row(2).status(Status.PROCESSING),
                row(3).waiting(),
                row(4).waiting()),
            List.of("o2 3-null", "o3 behind o2", "o4 behind o2")),
        arguments(
            "stuck by itself",
            List.of(row(1).delivered(1), row(2).waiting()),
            List.of("o2 behind null")),
        arguments(
            "acknowledged, yet not terminal: it lets go, and holds back",
            List.of(row(1).delivered(1).status(Status.PENDING), row(2).waiting()),
            List.of("o2 behind o1")),
        arguments(
            "waited for from when the next was visible, or the one before had gone",
            List.of(row(1).delivered(6), row(2).visible(4).delivered(9), row(3).delivered(9)),
            List.of("o1 4-6", "o2 6-9")),
        arguments(
            "sent again behind others: the row itself, lightly",
            List.of(
                row(1).delivered(9).dead(3),
                row(2).delivered(3),
                row(3).delivered(8),
                row(4).delivered(9)),
            List.of(
                "o1 2-3",
                "o3 4-8",
                "ORDER_VIOLATION o1 Given up, then delivered after all: o2 had gone ahead x2")),
        arguments(
            "no order, no findings",
            List.of(row(1).unordered().delivered(9), row(2).unordered().delivered(3)),
            List.of()),
        arguments(
            "no order: no part in that of others",
            List.of(row(1).unordered().delivered(9), row(2).delivered(3)),
            List.of()));
  }

  private static AggregateRows row(int number) {
    return AggregateRows.of("o" + number).created(number);
  }

  private static List<String> scan(List<AggregateRows> rows) {
    List<String> said = new ArrayList<>();
    AggregateScan scan = new AggregateScan(AggregateRows.at(120), false, new Said(said));
    scan.begin("acct", "a1", AggregateScan.Marks.NONE, null);
    List<AggregateRow> all = rows.stream().map(AggregateRows::get).toList();
    for (AggregateRow row : all) {
      if (row.ordered() && row.resubmitted()) {
        give(row, scan::resubmitted);
      }
    }
    all.forEach(row -> give(row, scan::row));
    scan.end();
    scan.flush(new Tally());
    return said;
  }

  /** Takes a row as bytes. */
  private interface Taker {
    void take(byte[] buffer, int positionFrom, int positionTo, int contentFrom, int contentTo);
  }

  private static void give(AggregateRow row, Taker taker) {
    KeyWriter bytes = new KeyWriter().octet(1);
    row.writePosition(bytes, false);
    int positionTo = bytes.size();
    row.writeContent(bytes);
    taker.take(bytes.toBytes(), 1, positionTo, positionTo, bytes.size());
  }

  /** Takes down what is said. */
  private record Said(List<String> lines) implements AggregateScan.Out {

    @Override
    public void finding(Finding finding) {
      String id = finding.subject().replaceAll(".*:\"|\"}", "");
      lines.add(
          finding.kind()
              + " "
              + id
              + " "
              + finding.reason()
              + (finding.occurrences() == 1 ? "" : " x" + finding.occurrences()));
    }

    @Override
    public void waiting(AggregateRow row, AggregateRow head) {
      lines.add(row.outboxId() + " behind " + (head == null ? null : head.outboxId()));
    }

    @Override
    public void head(AggregateRow row, Instant since, Instant until) {
      lines.add(
          row.outboxId() + " " + minute(since) + "-" + (until == null ? null : minute(until)));
    }

    private static long minute(Instant time) {
      return (time.getEpochSecond() - AggregateRows.START.getEpochSecond()) / 60;
    }
  }
}
