package dev.constat.rules.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.outbox.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
            "visible before it was there: from when on it was",
            List.of(row(1).delivered(6), row(2).visible(1).delivered(9)),
            List.of("o1 2-6")),
        arguments(
            "given up after it had been delivered: it had let go by then",
            List.of(row(1).delivered(3).dead(9), row(2).delivered(4)),
            List.of("o1 2-3")),
        arguments(
            "one that keeps no order is not waited for, nor does it wait",
            List.of(row(1).delivered(9), row(2).unordered().delivered(3), row(3).delivered(9)),
            List.of("o1 3-9")),
        arguments(
            "one that keeps no order holds nobody back",
            List.of(row(1).unordered().status(Status.PENDING), row(2).waiting()),
            List.of("o2 behind null")),
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

  @ParameterizedTest(name = "{0}")
  @MethodSource("counts")
  void counts(String title, List<AggregateRows> rows, List<String> types, String judged) {
    Tally tally = new Tally();
    scan(rows, tally);
    assertThat(OrderReport.of(tally, true).idOrder()).isEqualTo("integer");
    OrderReport report = OrderReport.of(tally, false);
    assertThat(report.idOrder()).isEqualTo("text");
    assertThat(report.types()).extracting(AggregateScanTest::line).isEqualTo(types);
    long inFlight = tally.sum(Coverage.SILENT, "ORDER_VIOLATION", "IN_FLIGHT");
    assertThat(
            tally.sum(Coverage.JUDGED, "ORDER_VIOLATION") + " judged, " + inFlight + " in flight")
        .isEqualTo(judged);
  }

  private static String line(OrderReport.OfType type) {
    Map<String, Long> overtakings = new TreeMap<>(type.overtakings());
    overtakings.values().removeIf(count -> count == 0);
    OrderTally.Longest longest = type.longest();
    return (type.ordered() ? "ordered " : "unordered ")
        + type.effectType()
        + " "
        + type.delivered()
        + " "
        + overtakings
        + " inversions "
        + type.priorityInversions()
        + ", heads "
        + type.heads()
        + " dead "
        + type.freedByDlq()
        + " still "
        + type.still()
        + (longest == null ? "" : ", " + longest.blocked() + " " + longest.outboxId());
  }

  static Stream<Arguments> counts() {
    return Stream.of(
        arguments(
            "an overtaking and two heads",
            List.of(
                row(1).delivered(8), row(2).delivered(9), row(3).delivered(9), row(4).delivered(7)),
            List.of("ordered notify 4 {UNKNOWN=1} inversions 0, heads 2 dead 0 still 0, PT6M o1"),
            "4 judged, 0 in flight"),
        arguments(
            "a dead head",
            List.of(row(1).dead(3), row(2).delivered(3)),
            List.of("ordered notify 1 {} inversions 0, heads 1 dead 1 still 0, PT1M o1"),
            "1 judged, 0 in flight"),
        arguments(
            "a head that was sent again after it was dead",
            List.of(row(1).delivered(9).dead(3), row(2).delivered(3)),
            List.of("ordered notify 2 {} inversions 0, heads 1 dead 1 still 0, PT1M o1"),
            "2 judged, 0 in flight"),
        arguments(
            "one that waits still",
            List.of(row(1).status(Status.PENDING), row(2).delivered(3)),
            List.of(
                "ordered notify 1 {UNKNOWN=1} inversions 0, heads 1 dead 0 still 1, PT1H58M o1"),
            "1 judged, 0 in flight"),
        arguments(
            "one that may be delivered in time",
            List.of(row(1).status(Status.PENDING), row(2).delivered(3).unsettled()),
            List.of("ordered notify 1 {} inversions 0, heads 1 dead 0 still 1, PT1H58M o1"),
            "0 judged, 1 in flight"),
        arguments(
            "one that was delivered nobody knows when",
            List.of(row(1).delivered(9), row(2).delivered(3).provisional()),
            List.of("ordered notify 2 {} inversions 0, heads 1 dead 0 still 0, PT7M o1"),
            "1 judged, 1 in flight"),
        arguments(
            "equally long heads, of which the first is named, and a longer one",
            List.of(
                row(1).delivered(5),
                row(2).delivered(8),
                row(3).delivered(12),
                row(4).delivered(16),
                row(5).delivered(16)),
            List.of("ordered notify 5 {} inversions 0, heads 4 dead 0 still 0, PT4M o3"),
            "5 judged, 0 in flight"),
        arguments(
            "no order, with the greater priority behind",
            List.of(
                row(1).unordered().delivered(9).priority(5L),
                row(2).unordered().delivered(3).priority(1L),
                row(3).unordered().delivered(2).priority(null)),
            List.of("unordered notify 3 {UNKNOWN=2} inversions 1, heads 0 dead 0 still 0"),
            "0 judged, 0 in flight"),
        arguments(
            "no order, in flight",
            List.of(
                row(1).unordered().status(Status.PENDING),
                row(2).unordered().delivered(3).unsettled()),
            List.of("unordered notify 1 {} inversions 0, heads 0 dead 0 still 0"),
            "0 judged, 0 in flight"),
        arguments(
            "types by name, ordered ones first",
            List.of(
                row(1).delivered(1),
                row(2).unordered().delivered(2),
                row(3).type("z").delivered(3),
                row(4).delivered(4),
                row(5).type("a").delivered(5),
                row(6).type("b").status(Status.DLQ).dead(9),
                row(7).unordered().type("z").delivered(7)),
            List.of(
                "ordered a 1 {} inversions 0, heads 0 dead 0 still 0",
                "ordered notify 2 {} inversions 0, heads 0 dead 0 still 0",
                "ordered z 1 {} inversions 0, heads 0 dead 0 still 0",
                "unordered notify 1 {} inversions 0, heads 0 dead 0 still 0",
                "unordered z 1 {} inversions 0, heads 0 dead 0 still 0"),
            "4 judged, 0 in flight"),
        arguments(
            "a type of which nothing was delivered but a head is known",
            List.of(row(1).type("b").dead(9), row(2).delivered(9)),
            List.of(
                "ordered b 0 {} inversions 0, heads 1 dead 1 still 0, PT7M o1",
                "ordered notify 1 {} inversions 0, heads 0 dead 0 still 0"),
            "1 judged, 0 in flight"));
  }

  @Test
  void theRowBehindAPartWaitsForTheLastOfThePart() {
    AggregateRow behind = row(2).delivered(5).get();
    KeyWriter mark = new KeyWriter();
    RowMark.writeFirst(mark, AggregateRows.position(behind), AggregateRows.content(behind));
    for (boolean inParts : new boolean[] {true, false}) {
      List<String> said = new ArrayList<>();
      AggregateScan scan = new AggregateScan(AggregateRows.at(120), false, new Said(said));
      scan.begin("acct", "a1", AggregateScan.Marks.NONE, inParts ? mark.toBytes() : null);
      scan.end();
      scan.begin("acct", "a1", AggregateScan.Marks.NONE, inParts ? mark.toBytes() : null);
      give(row(1).delivered(5).get(), scan::row);
      scan.end();
      assertThat(said).isEqualTo(inParts ? List.of("o1 2-5") : List.of());
    }
  }

  static Stream<Arguments> heads() {
    Instant until = AggregateRows.at(5);
    return Stream.of(
        arguments(row(1).delivered(5), until, "DISPATCHED", 180_000L, "DELIVERY"),
        arguments(row(1).dead(5), until, "DLQ", 180_000L, "DLQ"),
        arguments(row(1).delivered(9).dead(5), until, "DISPATCHED", 180_000L, "DLQ"),
        arguments(row(1).status(Status.PENDING), null, "PENDING", 7_080_000L, null),
        arguments(row(1).status(null).delivered(5).status(null), until, null, 180_000L, "DELIVERY"),
        arguments(row(1).dead(5), Instant.MAX, "DLQ", Long.MAX_VALUE, "DLQ"));
  }

  @ParameterizedTest
  @MethodSource("heads")
  void aHeadIsARowOfItsTable(
      AggregateRows row, Instant until, String status, long blocked, String by) {
    Instant since = AggregateRows.at(2);
    assertThat(Heads.row(row.get(), since, until, AggregateRows.at(120)))
        .containsExactly("acct", "a1", "o1", "notify", status, since, until, blocked, by);
  }

  private static AggregateRows row(int number) {
    return AggregateRows.of("o" + number).created(number);
  }

  private static List<String> scan(List<AggregateRows> rows) {
    return scan(rows, new Tally());
  }

  private static List<String> scan(List<AggregateRows> rows, Tally tally) {
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
    scan.flush(tally);
    scan.flush(tally); // once more, and nothing counts twice
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
