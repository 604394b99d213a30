package dev.constat.pipelines.cli;

import dev.constat.pipelines.output.JsonText;
import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.run.Reconciliation;
import dev.constat.rules.baseline.Acknowledgements;
import dev.constat.rules.reconcile.Book;
import dev.constat.rules.spec.Baseline;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/** Prints what came of a run: short, for people. */
final class ResultText {

  private final PrintStream out;

  ResultText(PrintStream out) {
    this.out = out;
  }

  void print(Reconciliation.Result result) {
    RunReport report = result.report();
    line("%s%s", report.name(), report.asOf() == null ? "" : " as of " + report.asOf());
    line("");
    for (RunReport.InputFacts input : report.inputs()) {
      line(
          "  %-18s %,12d rows%s%s",
          input.input(),
          input.rows(),
          input.first() == null ? "" : "  " + input.first() + " to " + input.last(),
          input.unreadable() == 0
              ? ""
              : String.format(Locale.ROOT, "  %,d unreadable", input.unreadable()));
    }
    line("");
    for (Map.Entry<String, Long> decision : report.decisions().entrySet()) {
      if (decision.getValue() > 0) {
        line("  %-26s %,12d", decision.getKey(), decision.getValue());
      }
    }
    for (Map.Entry<String, Long> answer : report.timeliness().entrySet()) {
      if (answer.getValue() > 0) {
        line("  %-26s %,12d  of those accepted", answer.getKey(), answer.getValue());
      }
    }
    line("");
    if (report.findings().isEmpty()) {
      line("  no findings");
    } else {
      line("  %-8s %-28s %10s %12s", "level", "kind", "findings", "occurrences");
      for (RunReport.KindCount count : report.findings()) {
        line(
            "  %-8s %-28s %,10d %,12d",
            count.level().key(), count.kind(), count.findings(), count.occurrences());
      }
    }
    if (report.baseline() != null) {
      printBaseline(report.baseline());
    }
    long silent = report.silent().values().stream().mapToLong(Long::longValue).sum();
    if (silent > 0) {
      line("  and %,d subjects in flight or out of horizon, about which nothing is stated", silent);
    }
    line("");
    for (Book book : report.books()) {
      if (book.residue() != 0) {
        line("  BOOK %s has a residue of %d: a bug of Constat", book.name(), book.residue());
      }
    }
    line("%s", report.verdict());
    for (String reason : report.reasons()) {
      line("  %s", reason);
    }
    line("report: %s", result.folder());
  }

  private void printBaseline(Acknowledgements.Report baseline) {
    line("  %,d of these findings acknowledged by the baseline", baseline.findings());
    for (Acknowledgements.Expired expired : baseline.expired()) {
      line(
          "  expired: %s, of %s, until %s, fits %,d findings",
          expired.entry().label(),
          expired.entry().owner(),
          expired.entry().until(),
          expired.findings());
    }
    for (Baseline.Entry unused : baseline.unused()) {
      line("  unused: %s, of %s, until %s", unused.label(), unused.owner(), unused.until());
    }
  }

  private void line(String format, Object... values) {
    out.print(JsonText.harmless(String.format(Locale.ROOT, format, values)) + "\n");
  }
}
