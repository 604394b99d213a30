package dev.constat.transforms.stages;

import dev.constat.rules.diff.DiffRecords;
import dev.constat.rules.projection.CellSink;
import dev.constat.rules.projection.PartialCells;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.scan.SlabMaxima;
import java.io.IOException;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * Places every reception in time: against the watermark that its partition had on its arrival.
 *
 * <p><b>Input</b>: blocks of receptions as identity decided them. <b>Output</b>: reports; decisions
 * and findings go to their sinks; blocks of events in chains for {@link WalkChains}, and of cells
 * for {@link ProjectCells} where there are projections. <b>Guarantees</b>: a partition of any size
 * is worked on in slabs of time by as many workers as there are; the answer is that of one scan.
 * <b>Cost</b>: one shuffle of what the decisions table holds.
 */
public final class ScanArrivals
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollectionTuple> {

  private static final long serialVersionUID = 1L;

  /** Reports of this stage. */
  public static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  /** Blocks of events that correct others or may be corrected. */
  public static final TupleTag<KV<Integer, byte[]>> CHAINS = new TupleTag<>("chains") {};

  /** Blocks of cells, where there are projections. */
  public static final TupleTag<KV<Integer, byte[]>> CELLS = new TupleTag<>("cells") {};

  /** Blocks of what does not count alike in versions, where these are compared. */
  public static final TupleTag<KV<Integer, byte[]>> DIFFERENCES = new TupleTag<>("differences") {};

  /** Blocks of rows for {@link ScanAggregates}, where that depends on the time of their event. */
  public static final TupleTag<KV<Integer, byte[]>> IN_AGGREGATES =
      new TupleTag<>("in-aggregates") {};

  static final String STAGE = "arrivals";

  private final RunSpec spec;
  private final Views views;
  private final StageSinks sinks;

  /**
   * What earlier stages report.
   *
   * @param read all of Read
   * @param events {@link ReconcileEvents}
   * @param sequences {@link ScanSequences}, or null where it does not run
   */
  public record Views(
      PCollectionView<StageReport> read,
      PCollectionView<StageReport> events,
      PCollectionView<StageReport> sequences) {}

  private ScanArrivals(RunSpec spec, Views views, StageSinks sinks) {
    this.spec = spec;
    this.views = views;
    this.sinks = sinks;
  }

  /** Creates it. */
  public static ScanArrivals of(RunSpec spec, Views views, StageSinks sinks) {
    return new ScanArrivals(spec, views, sinks);
  }

  private static boolean placesRows(RunSpec spec) {
    return ScanAggregates.needed(spec) && EffectPolicy.asksForTime(spec);
  }

  @Override
  public PCollectionTuple expand(PCollection<KV<Integer, byte[]>> blocks) {
    SequencesView sequences = new SequencesView(views.sequences());
    TupleTagList tags = spec.plan() == null ? TupleTagList.of(CHAINS) : PlanRecords.tags(spec);
    tags = spec.projections().isEmpty() ? tags : tags.and(CELLS);
    tags = spec.comparesVersions() ? tags.and(DIFFERENCES) : tags;
    tags = placesRows(spec) ? tags.and(IN_AGGREGATES) : tags;
    PCollectionTuple out =
        blocks
            .apply("GroupByPartition", GroupIntoBuckets.create())
            .apply(
                "FoldArrivals",
                ParDo.of(
                        new Fold(
                            spec,
                            new FactsView(spec, views.read(), sinks),
                            views.events(),
                            sequences,
                            sinks))
                    .withSideInputs(views.read(), views.events())
                    .withSideInputs(sequences.sideInputs())
                    .withOutputTags(REPORTS, tags));
    return StageFn.withCoders(out, REPORTS);
  }

  static final class Fold extends StageFn {

    private static final long serialVersionUID = 1L;

    private final RunSpec spec;
    private final FactsView facts;
    private final PCollectionView<StageReport> events;
    private final SequencesView sequences;
    private transient RecordOut chains;
    private transient CellSink cells;
    private transient DiffRecords differences;
    private transient RecordOut inAggregates;
    private transient SlabMaxima maxima;
    private transient PlanRecords planned;

    Fold(
        RunSpec spec,
        FactsView facts,
        PCollectionView<StageReport> events,
        SequencesView sequences,
        StageSinks sinks) {
      super(STAGE, sinks);
      this.spec = spec;
      this.facts = facts;
      this.events = events;
      this.sequences = sequences;
    }

    @Override
    void prepare() {
      planned = spec.plan() == null ? null : PlanRecords.leaving(spec, this::exit);
      chains = spec.plan() == null ? exit(CHAINS) : RecordOut.NOWHERE;
      cells = CellStage.sink(spec.projections().isEmpty() ? null : exit(CELLS));
      differences = CellStage.differences(spec, spec.comparesVersions() ? exit(DIFFERENCES) : null);
      inAggregates = placesRows(spec) ? exit(IN_AGGREGATES) : null;
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      if (maxima == null) {
        maxima = facts.partitions(context).maxima(context.sideInput(events).tally());
      }
      SequenceTables tables = sequences.tables(context);
      PartialCells partial = CellStage.partial(facts.facts(context), tables, cells);
      return new ArrivalFold(
              spec,
              maxima,
              tables,
              ledger,
              partial,
              new ChainRecords(chains, spec),
              differences,
              inAggregates == null
                  ? null
                  : new AggregateRecords(
                      inAggregates, facts.aggregates(context), spec.integerOutboxIds()))
          .planning(planned)
          .fold(records);
    }
  }
}
