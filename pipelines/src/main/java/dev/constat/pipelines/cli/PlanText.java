package dev.constat.pipelines.cli;

import dev.constat.pipelines.output.JsonText;
import dev.constat.pipelines.output.RepairPlanReport;
import dev.constat.pipelines.output.ReplayPlanReport;
import dev.constat.pipelines.run.Reconciliation;
import dev.constat.rules.plan.Withheld;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what a plan comes to: short, for people. */
final class PlanText {

  private final PrintStream out;

  PlanText(PrintStream out) {
    this.out = out;
  }

  void print(Reconciliation.Result result) {
    if (result.task() instanceof ReplayPlanReport replay) {
      replay(result.report().name(), replay);
    } else {
      repair(result.report().name(), (RepairPlanReport) result.task());
    }
    List<String> reasons = result.report().reasons();
    if (!reasons.isEmpty()) {
      line("INCONCLUSIVE");
      reasons.forEach(reason -> line("  %s", reason));
    }
    line("nothing was published");
    line("report: %s", result.folder());
  }

  private void replay(String name, ReplayPlanReport replay) {
    line("replay of %s, %s, as %s", replay.topic(), name, replay.batchId());
    line(
        "created from %s to %s, both included",
        replay.from() == null ? "the beginning" : replay.from(),
        replay.to() == null ? "the end" : replay.to());
    line("");
    line("  %,d events would be published", replay.events());
    withheld(replay.withheld());
    if (replay.withoutTopic() > 0) {
      line("  %,d accepted events of the interval have no topic", replay.withoutTopic());
    }
    line("");
    if (replay.effects().isEmpty()) {
      line("  the run spec names no effects");
    } else {
      line(
          "  %-20s %10s %10s %14s %10s",
          "effect type", "events", "effects", "acknowledged", "withheld");
      for (ReplayPlanReport.Effect effect : replay.effects()) {
        line(
            "  %-20s %,10d %10s %14s %,10d%s",
            effect.type(),
            effect.events(),
            effect.consumersUnknown() > 0
                ? "unknown"
                : String.format(Locale.ROOT, "%,d", effect.predicted()),
            effect.alreadyAcknowledged() == null || effect.consumersUnknown() > 0
                ? "unknown"
                : String.format(Locale.ROOT, "%,d", effect.alreadyAcknowledged()),
            effect.withheld(),
            effect.replayable() ? "" : "  not replayable");
      }
    }
    line("");
  }

  private void repair(String name, RepairPlanReport repair) {
    line("repair of %s", name);
    line("");
    if (repair.messages().isEmpty()) {
      line("  no error is there that a message would mend");
    } else {
      line("  %-20s %-18s %10s %10s", "effect type", "mends", "to send", "withheld");
      for (RepairPlanReport.Messages messages : repair.messages()) {
        line(
            "  %-20s %-18s %,10d %,10d",
            messages.effectType(), messages.kind(), messages.planned(), messages.withheld());
      }
      line("");
      withheld(repair.withheld());
    }
    if (!repair.notMended().isEmpty()) {
      line("  errors that no message mends:");
      repair.notMended().forEach((kind, count) -> line("    %,d %s", count, kind));
    }
    line("");
  }

  private void withheld(Map<String, Long> withheld) {
    if (!withheld.isEmpty()) {
      line("  withheld:");
      withheld.forEach(
          (reason, count) ->
              line("    %,d %s: %s", count, reason, Withheld.valueOf(reason).sentence()));
    }
  }

  private void line(String format, Object... values) {
    out.print(JsonText.harmless(String.format(Locale.ROOT, format, values)) + "\n");
  }
}
