package dev.constat.pipelines.report;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.RunReport;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How much each check could judge, and what nobody can say anything about. */
final class CoverageSection {

  private final RunSpec spec;
  private final RunReport report;
  private final Values values;

  CoverageSection(RunSpec spec, RunReport report, Values values) {
    this.spec = spec;
    this.report = report;
    this.values = values;
  }

  void into(Html html) {
    html.element("h3", "Blind spots").line();
    blindSpots(html);
    html.element("h3", "Passed over in silence").line();
    silent(html);
    html.element("h3", "What each check judged").line();
    checks(html);
  }

  private void blindSpots(Html html) {
    ImmutableList<String> missing = missingInputs();
    if (!missing.isEmpty()) {
      html.element(
          "p",
          "Not given to this run, so nothing of it was judged: " + ReportPage.list(missing) + ".");
    }
    Table table =
        Table.of("Subjects that could not be judged")
            .column("check")
            .column("why")
            .number("subjects");
    boolean any = false;
    for (RunReport.Coverage check : report.coverage()) {
      for (Map.Entry<String, Long> reason : check.notJudged().entrySet()) {
        any = true;
        table.row(
            Table.words(check.check()),
            cell -> values.value(cell, reason.getKey()),
            Table.count(reason.getValue()));
      }
    }
    if (any) {
      table.into(html, "summary.json has all");
    } else {
      html.element(
          "p",
          Units.count(report.coverage().size(), "check", "checks")
              + " judged every subject that came before them.");
    }
  }

  private ImmutableList<String> missingInputs() {
    List<String> missing = new ArrayList<>();
    if (spec.task() instanceof Task.Reconcile) {
      for (Input input : Input.values()) {
        if (!spec.archives().containsKey(input)) {
          missing.add(input.key());
        }
      }
    }
    return ImmutableList.copyOf(missing);
  }

  private void silent(Html html) {
    if (report.silent().isEmpty()) {
      html.element(
          "p",
          "No subject was too young at a cut, or older than what a retention keeps, so none was"
              + " passed over.");
      return;
    }
    html.element(
        "p",
        "An absence is stated only where no cut of an extract and no retention explains it. About"
            + " these subjects nothing is stated.");
    Table table =
        Table.of("Subjects about which nothing is stated")
            .column("check")
            .column("why")
            .number("subjects");
    report
        .silent()
        .forEach(
            (path, count) -> {
              List<String> parts = Splitter.on(' ').limit(2).splitToList(path);
              table.row(
                  Table.words(parts.size() > 1 ? parts.get(1) : path),
                  Table.words(why(parts.get(0))),
                  Table.count(count));
            });
    table.into(html, "summary.json has all");
  }

  private static String why(String reason) {
    return switch (reason) {
      case "IN_FLIGHT" -> "IN_FLIGHT: too young at the cut";
      case "OUT_OF_HORIZON" -> "OUT_OF_HORIZON: older than what was kept";
      default -> reason;
    };
  }

  private void checks(Html html) {
    Table table =
        Table.of("Coverage by check", Table.CHECKS)
            .column("check")
            .number("judged")
            .number("not judged")
            .number("findings");
    for (RunReport.Coverage check : report.coverage()) {
      table.row(
          Table.words(check.check()),
          Table.count(check.judged()),
          Table.count(check.notJudged().values().stream().mapToLong(Long::longValue).sum()),
          Table.count(
              report.findings().stream()
                  .filter(count -> count.kind().name().equals(check.check()))
                  .mapToLong(RunReport.KindCount::findings)
                  .sum()));
    }
    table.into(html, "summary.json has all");
  }
}
