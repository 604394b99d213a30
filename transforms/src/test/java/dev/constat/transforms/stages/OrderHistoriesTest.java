package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecOverrides;
import dev.constat.rules.spec.RunSpecParser;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The order of aggregates agrees with an oracle, however they are cut, spread and shuffled. */
final class OrderHistoriesTest {

  private static final int HISTORIES = 300;

  private static RunSpec spec(boolean integerIds, boolean timed, boolean fromGiven) {
    RunSpec spec =
        RunSpecParser.parse(
            """
            constat: 1
            archives:
              events: {files: e, allow_empty: true, cut: 2026-01-05T12:00:00Z}
              outbox: {files: o, cut: 2026-01-05T12:00:00Z, id_order: ORDER}
              acknowledgements: {files: a, allow_empty: true, cut: 2026-01-05T12:00:00Z}
            effects:
              - {type: notify, order: aggregate, max_attempts: 9TIMED}
              - {type: bill, order: aggregate, max_attempts: 9}
              - {type: mail, max_attempts: 9}
            """
                .replace("ORDER", integerIds ? "integer" : "text")
                .replace("TIMED", timed ? ", when: {timeliness: ON_TIME}" : ""),
            "constat.yaml",
            "order");
    return fromGiven
        ? new RunSpecOverrides(null, OrderHistory.FROM.toString(), null, null).applyTo(spec)
        : spec;
  }

  @Test
  void agreesWithTheOracle() {
    EnumMap<Kind, Integer> seen = new EnumMap<>(Kind.class);
    int heads = 0;
    int warnings = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      boolean integerIds = seed % 2 == 0;
      boolean fromGiven = seed % 3 == 0;
      RunSpec spec = spec(integerIds, seed % 5 == 0, fromGiven);
      OrderHistory history = new OrderHistory(seed, integerIds, fromGiven);
      RunOutcome outcome = InMemoryRun.of(spec).run(history.records());

      assertThat(said(outcome)).as("seed %s", seed).isEqualTo(history.expected());
      assertThat(outcome.unbalanced()).as("seed %s", seed).isEmpty();
      outcome.findings().forEach(finding -> seen.merge(finding.kind(), 1, Integer::sum));
      heads += outcome.headLines().size();
      warnings += (int) outcome.findingLines().stream().filter(OrderHistoriesTest::warns).count();
      sameInAnyShape(spec, history, outcome, seed);
    }
    assertThat(seen.get(Kind.ORDER_VIOLATION)).isGreaterThan(200);
    assertThat(seen.get(Kind.BLOCKED_BY_HEAD)).isGreaterThan(40);
    assertThat(heads).isGreaterThan(200);
    assertThat(warnings).isGreaterThan(20);
  }

  private static boolean warns(String line) {
    return line.startsWith("warning ORDER_VIOLATION");
  }

  private static void sameInAnyShape(
      RunSpec spec, OrderHistory history, RunOutcome outcome, int seed) {
    List<String> report = outcome.report(true);
    for (int slab : new int[] {1, 2, 3, 7}) {
      List<String> other =
          InMemoryRun.of(spec)
              .slabs(slab)
              .buckets(slab % 2 == 0 ? 16 : 1)
              .shuffledBy(seed)
              .run(history.records())
              .report(true);
      assertThat(RunOutcome.differences(report, other))
          .as("seed %s, slab %s", seed, slab)
          .isEmpty();
    }
  }

  private static Map<String, List<String>> said(RunOutcome outcome) {
    Map<String, List<String>> said = new TreeMap<>();
    said.put(
        "findings",
        outcome.findings().stream()
            .map(OrderHistoriesTest::line)
            .flatMap(Optional::stream)
            .sorted()
            .toList());
    said.put("heads", outcome.headLines());
    List<String> counts = new ArrayList<>();
    for (OrderReport.OfType type : OrderReport.of(outcome.tally(), false).types()) {
      count(counts, type.effectType() + " delivered", type.delivered());
      type.overtakings()
          .forEach((cause, count) -> count(counts, type.effectType() + " " + cause, count));
      count(counts, type.effectType() + " inversions", type.priorityInversions());
    }
    String check = Kind.ORDER_VIOLATION.name();
    count(counts, "judged", outcome.tally().sum(CheckTally.JUDGED, check));
    count(counts, "IN_FLIGHT", outcome.tally().sum(CheckTally.SILENT, check, "IN_FLIGHT"));
    counts.sort(null);
    said.put("counts", counts);
    return said;
  }

  private static void count(List<String> counts, String name, long count) {
    if (count > 0) {
      counts.add(name + " " + count);
    }
  }

  private static Optional<String> line(Finding finding) {
    String id = ArchiveRecord.object(finding.subject()).path("outbox_id").asText();
    String head = finding.level().key() + " " + finding.kind() + " " + id;
    return switch (finding.kind()) {
      case ORDER_VIOLATION ->
          Optional.of(
              head
                  + " "
                  + finding.reason()
                  + (finding.level() == finding.kind().level() ? "" : " x" + finding.occurrences())
                  + (finding.hints().contains("DLQ_RESUBMIT") ? " [DLQ_RESUBMIT]" : ""));
      case BLOCKED_BY_HEAD ->
          Optional.of(head + " by " + ArchiveRecord.object(finding.actual()).get("head").asText());
      case STUCK_PENDING -> Optional.of(head);
      default -> Optional.empty();
    };
  }
}
