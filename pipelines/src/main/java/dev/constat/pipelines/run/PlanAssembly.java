package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.pipelines.output.RepairPlanReport;
import dev.constat.pipelines.output.ReplayPlanReport;
import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.output.TaskReport;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.plan.PlanTally;
import dev.constat.rules.plan.RepairPlanner;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.ReplayPlan;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes the report of a plan of what its stages counted. */
final class PlanAssembly {

  private final RunFacts facts;
  private final Tally tally;

  PlanAssembly(RunFacts facts, Tally tally) {
    this.facts = facts;
    this.tally = tally;
  }

  /**
   * The report.
   *
   * @param found what the run found
   */
  TaskReport report(RunReport found) {
    return facts.spec().plan() instanceof ReplayPlan replay ? replay(replay) : repair(found);
  }

  private ReplayPlanReport replay(ReplayPlan plan) {
    ImmutableList.Builder<ReplayPlanReport.Effect> effects = ImmutableList.builder();
    for (String type : new EffectPolicy(facts.spec()).types()) {
      effects.add(
          new ReplayPlanReport.Effect(
              type,
              facts.spec().effects().stream()
                  .anyMatch(entry -> entry.type().equals(type) && entry.replayable()),
              count(type, PlanTally.Line.EVENTS),
              count(type, PlanTally.Line.PREDICTED),
              count(type, PlanTally.Line.CONSUMERS_UNKNOWN),
              facts.has(Input.ACKNOWLEDGEMENTS) ? count(type, PlanTally.Line.ACKNOWLEDGED) : null,
              count(type, PlanTally.Line.WITHHELD)));
    }
    return new ReplayPlanReport(
        plan.topic(),
        plan.from(),
        plan.to(),
        plan.batchId(),
        tally.sum(PlanTally.EVENTS),
        withheld(),
        tally.sum(PlanTally.WITHOUT_TOPIC),
        effects.build());
  }

  private Long count(String type, PlanTally.Line line) {
    return tally.sum(PlanTally.EFFECTS, type, line.name());
  }

  private RepairPlanReport repair(RunReport found) {
    Comparator<List<String>> byTypeAndKind =
        Comparator.<List<String>, String>comparing(path -> path.get(0))
            .thenComparing(path -> path.get(1));
    TreeSet<List<String>> paths = new TreeSet<>(byTypeAndKind);
    paths.addAll(tally.sumsUnder(PlanTally.MESSAGES).keySet());
    paths.addAll(tally.sumsUnder(PlanTally.WITHHELD_MESSAGES).keySet());
    ImmutableList.Builder<RepairPlanReport.Messages> messages = ImmutableList.builder();
    for (List<String> path : paths) {
      String type = Tally.step(path, 0);
      String kind = Tally.step(path, 1);
      messages.add(
          new RepairPlanReport.Messages(
              type,
              kind,
              tally.sum(PlanTally.MESSAGES, type, kind),
              tally.sum(PlanTally.WITHHELD_MESSAGES, type, kind)));
    }
    TreeMap<String, Long> notMended = new TreeMap<>();
    for (RunReport.KindCount count : found.findings()) {
      if (count.level() == Level.ERROR && !RepairPlanner.mends(count.kind())) {
        notMended.merge(count.kind().name(), count.findings(), Long::sum);
      }
    }
    return new RepairPlanReport(
        messages.build(), withheld(), ImmutableSortedMap.copyOfSorted(notMended));
  }

  private ImmutableSortedMap<String, Long> withheld() {
    TreeMap<String, Long> withheld = new TreeMap<>();
    tally
        .sumsUnder(PlanTally.WITHHELD)
        .forEach((path, count) -> withheld.put(Tally.step(path, 0), count));
    return ImmutableSortedMap.copyOfSorted(withheld);
  }
}
