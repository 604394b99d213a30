package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.outputs.FileNames;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.stages.KeepOrder;
import dev.constat.transforms.stages.ReconcileEvents;
import dev.constat.transforms.stages.ScanArrivals;
import dev.constat.transforms.stages.StageSinks;
import dev.constat.transforms.stages.WritePlan;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * What a run that plans does once its events are reconciled: hears of the clock where effects
 * depend on it, keeps the order of aggregates where it plans messages, and writes the plan.
 */
final class PlanSteps {

  private final RunSpec spec;
  private final FileNames names;
  private final StageSinks sinks;

  PlanSteps(RunSpec spec, FileNames names, StageSinks sinks) {
    this.spec = spec;
    this.names = names;
    this.sinks = sinks;
  }

  /** Whether the plan depends on what only the clock says. */
  static boolean needsTime(RunSpec spec) {
    return EffectPolicy.asksForTime(spec);
  }

  /**
   * Takes these steps.
   *
   * @param reconciled what leaves {@link ReconcileEvents}
   * @param timed what leaves {@link ScanArrivals}, or null where nobody asked it
   * @param facts what all of Read reports
   * @return what they report
   */
  ImmutableList<PCollection<StageReport>> follow(
      PCollectionTuple reconciled, PCollectionTuple timed, PCollectionView<StageReport> facts) {
    ImmutableList.Builder<PCollection<StageReport>> reports = ImmutableList.builder();
    PCollectionList<KV<Integer, byte[]>> lines =
        PCollectionList.of(reconciled.get(WritePlan.LINES));
    lines = timed == null ? lines : lines.and(timed.get(WritePlan.LINES));
    if (KeepOrder.needed(spec)) {
      PCollectionList<KV<Integer, byte[]>> aggregates =
          PCollectionList.of(reconciled.get(KeepOrder.AGGREGATES));
      aggregates = timed == null ? aggregates : aggregates.and(timed.get(KeepOrder.AGGREGATES));
      PCollectionTuple kept =
          aggregates
              .apply("JoinAggregates", Flatten.pCollections())
              .apply("KeepOrder", KeepOrder.of(sinks));
      reports.add(kept.get(KeepOrder.REPORTS));
      lines = lines.and(kept.get(WritePlan.LINES));
    }
    return reports
        .add(
            lines
                .apply("JoinLines", Flatten.pCollections())
                .apply("WritePlan", WritePlan.of(spec, facts, names, sinks)))
        .build();
  }
}
