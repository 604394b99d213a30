package dev.constat.pipelines.cli;

import dev.constat.pipelines.output.Commit;
import dev.constat.pipelines.output.JsonText;
import dev.constat.pipelines.output.RebuildReport;
import dev.constat.pipelines.run.Reconciliation;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what came of a rebuild: short, for people. */
final class RebuildText {

  /** What a rerun of the same work says. */
  static final String CONSUMED = "already consumed, identical";

  private final PrintStream out;

  RebuildText(PrintStream out) {
    this.out = out;
  }

  void print(Reconciliation.Result result) {
    RebuildReport rebuild = (RebuildReport) result.task();
    line("%s of %s, replay %s", rebuild.projection(), result.report().name(), rebuild.replayId());
    if (rebuild.from() != null || rebuild.to() != null) {
      line(
          "from %s to %s",
          rebuild.from() == null ? "the beginning" : rebuild.from(),
          rebuild.to() == null ? "the end" : rebuild.to());
    }
    line("");
    line("  %-20s %10s %10s %10s %10s", "version", "cells", "on time", "refined", "too late");
    for (RebuildReport.Version version : rebuild.versions()) {
      line(
          "  %-20s %,10d %,10d %,10d %,10d",
          version.version(),
          version.cells(),
          version.onTime(),
          version.refined(),
          version.tooLate());
    }
    line("");
    for (RebuildReport.Difference difference : rebuild.differences()) {
      line(
          "  %s against %s: %,d differing cells, %,d differences",
          difference.version(),
          rebuild.versions().get(0).version(),
          difference.cells(),
          difference.rows());
      for (Map.Entry<String, Long> cause : difference.causes().entrySet()) {
        if (cause.getValue() > 0) {
          line("    %-18s %,10d", cause.getKey(), cause.getValue());
        }
      }
      if (!difference.notCompared().isEmpty()) {
        line("    not compared: %s", String.join(", ", difference.notCompared()));
      }
    }
    if (!rebuild.differences().isEmpty()) {
      line("");
    }
    reasons(result.report().reasons());
    if (result.outcome() == Commit.Outcome.KEPT) {
      line("%s", CONSUMED);
    }
    line("report: %s", result.folder());
  }

  private void reasons(List<String> reasons) {
    if (!reasons.isEmpty()) {
      line("INCONCLUSIVE");
      reasons.forEach(reason -> line("  %s", reason));
    }
  }

  private void line(String format, Object... values) {
    out.print(JsonText.harmless(String.format(Locale.ROOT, format, values)) + "\n");
  }
}
