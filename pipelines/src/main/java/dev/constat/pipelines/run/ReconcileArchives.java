package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.pipelines.tables.TablePart;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.outputs.ReportSink;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.stages.AddressDeliveries;
import dev.constat.transforms.stages.CompareVersions;
import dev.constat.transforms.stages.FindIdentityDrift;
import dev.constat.transforms.stages.FollowClaims;
import dev.constat.transforms.stages.FollowReplays;
import dev.constat.transforms.stages.ProjectCells;
import dev.constat.transforms.stages.QuarantinePayloads;
import dev.constat.transforms.stages.ReconcileEvents;
import dev.constat.transforms.stages.ScanAggregates;
import dev.constat.transforms.stages.ScanArrivals;
import dev.constat.transforms.stages.ScanSequences;
import dev.constat.transforms.stages.StageSinks;
import dev.constat.transforms.stages.WalkChains;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.PDone;

/**
 * The main job as one graph: read, address, reconcile, place in time, walk chains, project,
 * quarantine, and one report of it all. What must be known of all that went before, before anything
 * is judged, goes to the judging stages as a side input.
 */
final class ReconcileArchives extends PTransform<PBegin, PDone> {

  private static final long serialVersionUID = 1L;

  private final RunSpec spec;
  private final ImmutableList<ArchiveFile> files;
  private final ImmutableList<TablePart> tables;
  private final TableExtracts extracts;
  private final SplitPlanner planner;
  private final StageSinks sinks;
  private final ReportSink reports;

  private ReconcileArchives(
      RunSpec spec,
      ImmutableList<ArchiveFile> files,
      ImmutableList<TablePart> tables,
      TableExtracts extracts,
      SplitPlanner planner,
      StageSinks sinks,
      ReportSink reports) {
    this.spec = spec;
    this.files = files;
    this.tables = tables;
    this.extracts = extracts;
    this.planner = planner;
    this.sinks = sinks;
    this.reports = reports;
  }

  /**
   * Creates it.
   *
   * @param files of all inputs, as they were listed
   * @param tables the parts of those inputs that are tables
   * @param extracts where parts of tables are written down
   * @param sinks where stages leave things
   * @param reports where the report of it all goes
   */
  static ReconcileArchives of(
      RunSpec spec,
      ImmutableList<ArchiveFile> files,
      ImmutableList<TablePart> tables,
      TableExtracts extracts,
      SplitPlanner planner,
      StageSinks sinks,
      ReportSink reports) {
    return new ReconcileArchives(spec, files, tables, extracts, planner, sinks, reports);
  }

  /** Every file that records are read from. */
  private ImmutableList<ArchiveFile> readFrom() {
    ImmutableList.Builder<ArchiveFile> all = ImmutableList.builder();
    all.addAll(files);
    tables.forEach(part -> all.add(extracts.of(part)));
    return all.build();
  }

  @Override
  public PDone expand(PBegin begin) {
    PCollectionTuple read =
        begin.apply("ReadArchives", ReadArchives.of(spec, files, tables, extracts, planner, sinks));
    PCollection<StageReport> readReports =
        PCollectionList.of(read.get(ReadArchives.REPORTS))
            .and(read.get(ReadArchives.PLAN_REPORTS))
            .apply("JoinReadReports", Flatten.pCollections());
    PCollectionView<StageReport> facts = sum(readReports, "SumReadReports");

    PCollectionTuple addressed =
        read.get(ReadArchives.ADDRESSES)
            .apply("AddressDeliveries", AddressDeliveries.of(spec, facts, sinks));
    PCollection<KV<Integer, byte[]>> events =
        PCollectionList.of(read.get(ReadArchives.EVENTS))
            .and(read.get(ReadArchives.PLAN_EVENTS))
            .and(addressed.get(AddressDeliveries.EVENTS))
            .apply("JoinEvents", Flatten.pCollections());
    PCollectionTuple reconciled =
        events.apply("ReconcileEvents", ReconcileEvents.of(spec, facts, sinks));
    PCollectionList<StageReport> sooner =
        PCollectionList.of(readReports)
            .and(addressed.get(AddressDeliveries.REPORTS))
            .and(reconciled.get(ReconcileEvents.REPORTS));
    if (spec.plan() != null) {
      return deliver(sooner.and(plan(reconciled, facts)));
    }
    List<PCollection<StageReport>> later = new ArrayList<>();
    PCollectionView<StageReport> sequences = null;
    if (ScanSequences.needed(spec)) {
      PCollection<StageReport> followed =
          reconciled
              .get(ReconcileEvents.NUMBERS)
              .apply("ScanSequences", ScanSequences.of(spec, facts, sinks));
      sequences = sum(followed, "SumSequenceReports");
      later.add(followed);
    }
    PCollectionView<StageReport> judged =
        sum(reconciled.get(ReconcileEvents.REPORTS), "SumEventReports");
    if (FollowReplays.needed(spec)) {
      later.add(
          reconciled
              .get(ReconcileEvents.REPLAYED)
              .apply("FollowReplays", FollowReplays.of(spec, facts, sinks)));
    }
    PCollectionTuple timed =
        reconciled
            .get(ReconcileEvents.ARRIVALS)
            .apply(
                "ScanArrivals",
                ScanArrivals.of(spec, new ScanArrivals.Views(facts, judged, sequences), sinks));
    later.add(timed.get(ScanArrivals.REPORTS));
    if (ScanAggregates.needed(spec)) {
      later.add(scanAggregates(reconciled, timed, facts, judged));
    }
    PCollectionTuple chained =
        timed
            .get(ScanArrivals.CHAINS)
            .apply("WalkChains", WalkChains.of(spec, facts, sequences, sinks));
    later.add(chained.get(WalkChains.REPORTS));
    PCollectionList<KV<Integer, byte[]>> cells = PCollectionList.empty(begin.getPipeline());
    if (timed.has(ScanArrivals.CELLS)) {
      cells = cells.and(timed.get(ScanArrivals.CELLS)).and(chained.get(WalkChains.CELLS));
    }
    if (read.has(ReadArchives.CELLS)) {
      cells = cells.and(read.get(ReadArchives.CELLS));
    }
    if (cells.size() > 0) {
      PCollectionTuple projected =
          cells
              .apply("JoinCells", Flatten.pCollections())
              .apply("ProjectCells", ProjectCells.of(spec, facts, sequences, sinks));
      later.add(projected.get(ProjectCells.REPORTS));
      if (spec.comparesVersions()) {
        later.add(
            PCollectionList.of(timed.get(ScanArrivals.DIFFERENCES))
                .and(chained.get(WalkChains.DIFFERENCES))
                .and(projected.get(ProjectCells.DIFFERENCES))
                .apply("JoinDifferences", Flatten.pCollections())
                .apply("CompareVersions", CompareVersions.of(spec, sinks)));
      }
    }
    if (FollowClaims.needed(spec)) {
      later.add(
          PCollectionList.of(addressed.get(AddressDeliveries.CLAIMS))
              .and(reconciled.get(ReconcileEvents.LAPSES))
              .apply("JoinClaims", Flatten.pCollections())
              .apply("FollowClaims", FollowClaims.of(sinks)));
    }
    if (spec.rebuild() == null) {
      later.add(
          reconciled
              .get(ReconcileEvents.QUARANTINED)
              .apply(
                  "QuarantinePayloads",
                  QuarantinePayloads.of(
                      spec, facts, new ArchivePayloads(spec, readFrom(), planner), sinks)));
    }

    PCollectionList<StageReport> all = sooner.and(later);
    if (spec.identityDrift()) {
      all =
          all.and(
              reconciled
                  .get(ReconcileEvents.ACCEPTED)
                  .apply("FindIdentityDrift", FindIdentityDrift.of(sinks)));
    }
    return deliver(all);
  }

  private PDone deliver(PCollectionList<StageReport> all) {
    all.apply("JoinReports", Flatten.pCollections())
        .apply("SumReports", Combine.globally(new StageReport.Sum()))
        .apply("DeliverReport", ParDo.of(new Deliver(reports)));
    return PDone.in(all.getPipeline());
  }

  /** What is left to do for a plan; what is stuck is known where the order of aggregates is. */
  private List<PCollection<StageReport>> plan(
      PCollectionTuple reconciled, PCollectionView<StageReport> facts) {
    List<PCollection<StageReport>> later = new ArrayList<>();
    PCollectionView<StageReport> judged =
        sum(reconciled.get(ReconcileEvents.REPORTS), "SumEventReports");
    PCollectionTuple timed = null;
    if (PlanSteps.needsTime(spec)) {
      timed =
          reconciled
              .get(ReconcileEvents.ARRIVALS)
              .apply(
                  "ScanArrivals",
                  ScanArrivals.of(spec, new ScanArrivals.Views(facts, judged, null), sinks));
      later.add(timed.get(ScanArrivals.REPORTS));
    }
    if (ScanAggregates.needed(spec)) {
      later.add(scanAggregates(reconciled, timed, facts, judged));
    }
    later.addAll(
        new PlanSteps(spec, Reconciliation.inputFiles(readFrom()), sinks)
            .follow(reconciled, timed, facts));
    return later;
  }

  /** Follows the order of aggregates; rows come from where it is known what part they take. */
  private PCollection<StageReport> scanAggregates(
      PCollectionTuple reconciled,
      PCollectionTuple timed,
      PCollectionView<StageReport> facts,
      PCollectionView<StageReport> judged) {
    PCollection<KV<Integer, byte[]>> rows = reconciled.get(ReconcileEvents.IN_AGGREGATES);
    List<PCollectionView<StageReport>> kept = new ArrayList<>();
    kept.add(judged);
    if (timed != null && timed.has(ScanArrivals.IN_AGGREGATES)) {
      rows =
          PCollectionList.of(rows)
              .and(timed.get(ScanArrivals.IN_AGGREGATES))
              .apply("JoinRowsInAggregates", Flatten.pCollections());
      kept.add(sum(timed.get(ScanArrivals.REPORTS), "SumArrivalReports"));
    }
    return rows.apply("ScanAggregates", ScanAggregates.of(spec, facts, kept, sinks));
  }

  /** The sum of some reports, as a side input of later stages. */
  private static PCollectionView<StageReport> sum(PCollection<StageReport> reports, String name) {
    return reports.apply(name, Combine.globally(new StageReport.Sum()).asSingletonView());
  }

  /** Hands the report of the pipeline over. */
  static final class Deliver extends DoFn<StageReport, Void> {

    private static final long serialVersionUID = 1L;

    private final ReportSink reports;

    Deliver(ReportSink reports) {
      this.reports = reports;
    }

    @ProcessElement
    public void processElement(@Element StageReport report) throws Exception {
      reports.deliver(report);
    }
  }
}
