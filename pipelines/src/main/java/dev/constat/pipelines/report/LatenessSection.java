package dev.constat.pipelines.report;

import dev.constat.pipelines.output.RunReport;
import dev.constat.rules.spec.Lateness;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.time.SweepRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How late events were, and what another budget would have made of them. */
final class LatenessSection {

  /** How many sources have charts, those with most events first. */
  private static final int CHARTS = 8;

  private final RunSpec spec;
  private final RunReport report;
  private final Values values;
  private final TreeMap<String, List<RunReport.SourceFacts>> facts = new TreeMap<>();

  LatenessSection(RunSpec spec, RunReport report, Values values) {
    this.spec = spec;
    this.report = report;
    this.values = values;
    report
        .sources()
        .forEach(of -> facts.computeIfAbsent(of.source(), source -> new ArrayList<>()).add(of));
  }

  void into(Html html) {
    Map<String, List<Long>> lags = lags();
    if (lags.isEmpty()) {
      html.element("p", "No event was accepted, so none could be late.").line();
      return;
    }
    Table table =
        Table.of("Timeliness by source")
            .column("source")
            .column("budget in force")
            .number("on time")
            .number("late")
            .number("share late")
            .number("from the future")
            .number("out of order");
    List<String> names = new ArrayList<>(lags.keySet());
    for (String source : names) {
      long late = timely(source, "LATE");
      long all = late + timely(source, "ON_TIME") + timely(source, "FUTURE");
      table.row(
          cell -> values.value(cell, source),
          cell -> budgets(cell, source),
          Table.count(timely(source, "ON_TIME")),
          Table.count(late),
          Table.words(Units.share(late, all)),
          Table.count(timely(source, "FUTURE")),
          Table.count(facts.get(source).stream().mapToLong(RunReport.SourceFacts::disorder).sum()));
    }
    table.into(html, "summary.json has all");
    names.sort(
        Comparator.comparingLong((String source) -> -sum(lags.get(source)))
            .thenComparing(Comparator.naturalOrder()));
    Map<String, List<SweepRow>> ladders = ladders();
    html.open("div", "class", "charts").line();
    for (int i = 0; i < Math.min(CHARTS, names.size()); i++) {
      String source = names.get(i);
      html.open("section", "class", "chart", "aria-labelledby", "source-" + i);
      html.open("h3", "id", "source-" + i);
      values.brief(html, source);
      html.close().line();
      if (sum(lags.get(source)) > 0) {
        LagChart.into(html, "lag-" + i, source, lags.get(source));
      }
      sweep(html, i, source, ladders.getOrDefault(source, List.of()));
      html.close().line();
    }
    html.close().line();
    if (names.size() > CHARTS) {
      html.element(
          "p",
          "The page leaves out the charts of "
              + Units.count(names.size() - CHARTS, "source", "sources")
              + " with fewer events; summary.json has their figures.",
          "class",
          "leftout");
    }
  }

  private void sweep(Html html, int chart, String source, List<SweepRow> ladder) {
    if (ladder.isEmpty()) {
      return;
    }
    if (BudgetChart.isAllZero(ladder)) {
      html.element(
              "p",
              Units.count(ladder.get(0).events(), "event was", "events were")
                  + " held to every budget from "
                  + Units.duration(ladder.get(0).budget())
                  + " to "
                  + Units.duration(ladder.get(ladder.size() - 1).budget())
                  + ": none would be late under any of them.")
          .line();
      return;
    }
    BudgetChart.into(
        html, "budget-" + chart, source, ladder, spec.contract(source).lateness().budgets());
  }

  private void budgets(Html html, String source) {
    boolean next = false;
    for (Lateness.Budget budget : spec.contract(source).lateness().budgets()) {
      html.text(next ? ", " : "");
      Values.duration(html, budget.length());
      if (budget.from() != null) {
        html.text(" from ");
        Values.time(html, budget.from());
      }
      next = true;
    }
  }

  /** Delays by source, over its schema versions. */
  private Map<String, List<Long>> lags() {
    Map<String, List<Long>> bySource = new TreeMap<>();
    for (RunReport.SourceFacts version : report.sources()) {
      bySource.merge(
          version.source(),
          version.lags(),
          (a, b) -> {
            List<Long> both = new ArrayList<>();
            for (int i = 0; i < a.size(); i++) {
              both.add(a.get(i) + b.get(i));
            }
            return both;
          });
    }
    return bySource;
  }

  private Map<String, List<SweepRow>> ladders() {
    Map<String, List<SweepRow>> bySource = new LinkedHashMap<>();
    for (SweepRow row : report.lateness()) {
      bySource.computeIfAbsent(row.source(), source -> new ArrayList<>()).add(row);
    }
    bySource.values().forEach(rows -> rows.sort(Comparator.comparing(SweepRow::budget)));
    return bySource;
  }

  private long timely(String source, String answer) {
    return facts.get(source).stream()
        .mapToLong(version -> version.timeliness().getOrDefault(answer, 0L))
        .sum();
  }

  private static long sum(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
