package dev.constat.transforms.stages;

import dev.constat.rules.diff.DiffRecords;
import dev.constat.rules.projection.CellSink;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.StageReport;
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
 * Walks the chains of corrections of each source and scope, and finds what is in force.
 *
 * <p><b>Input</b>: blocks of events that correct others or may be corrected. <b>Output</b>:
 * reports; findings go to their sink; blocks of cells for {@link ProjectCells} where there are
 * projections. <b>Cost</b>: one shuffle of these events. <b>Memory</b>: a few hundred bytes for
 * each such event of one source and scope, which one worker walks; what projections need of them
 * spills.
 */
public final class WalkChains
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollectionTuple> {

  private static final long serialVersionUID = 1L;

  /** Reports of this stage. */
  public static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  /** Blocks of cells, where there are projections. */
  public static final TupleTag<KV<Integer, byte[]>> CELLS = new TupleTag<>("cells") {};

  /** Blocks of what does not count alike in versions, where these are compared. */
  public static final TupleTag<KV<Integer, byte[]>> DIFFERENCES = new TupleTag<>("differences") {};

  private static final long WAITING_BUDGET = 32L << 20;

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final PCollectionView<StageReport> sequences;
  private final StageSinks sinks;

  private WalkChains(
      RunSpec spec,
      PCollectionView<StageReport> read,
      PCollectionView<StageReport> sequences,
      StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.sequences = sequences;
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param read what all of Read reports
   * @param sequences what {@link ScanSequences} reports, or null where it does not run
   */
  public static WalkChains of(
      RunSpec spec,
      PCollectionView<StageReport> read,
      PCollectionView<StageReport> sequences,
      StageSinks sinks) {
    return new WalkChains(spec, read, sequences, sinks);
  }

  @Override
  public PCollectionTuple expand(PCollection<KV<Integer, byte[]>> blocks) {
    SequencesView tables = new SequencesView(sequences);
    TupleTagList tags = TupleTagList.empty();
    tags = spec.projections().isEmpty() ? tags : tags.and(CELLS);
    tags = spec.comparesVersions() ? tags.and(DIFFERENCES) : tags;
    PCollectionTuple out =
        blocks
            .apply("GroupByScope", GroupIntoBuckets.create())
            .apply(
                "FoldChains",
                ParDo.of(new Fold(spec, new FactsView(spec, read, sinks), tables, sinks))
                    .withSideInputs(read)
                    .withSideInputs(tables.sideInputs())
                    .withOutputTags(REPORTS, tags));
    return StageFn.withCoders(out, REPORTS);
  }

  static final class Fold extends StageFn {

    private static final long serialVersionUID = 1L;

    private final RunSpec spec;
    private final FactsView facts;
    private final SequencesView sequences;
    private transient CellSink cells;
    private transient DiffRecords differences;
    private transient RecordSorter waiting;

    Fold(RunSpec spec, FactsView facts, SequencesView sequences, StageSinks sinks) {
      super("chains", sinks);
      this.spec = spec;
      this.facts = facts;
      this.sequences = sequences;
    }

    @Override
    void prepare() {
      cells = CellStage.sink(spec.projections().isEmpty() ? null : exit(CELLS));
      differences = CellStage.differences(spec, spec.comparesVersions() ? exit(DIFFERENCES) : null);
      waiting = sorter(WAITING_BUDGET);
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      RunFacts known = facts.facts(context);
      return new ChainFold(
              known,
              ledger,
              CellStage.partial(known, sequences.tables(context), cells),
              differences,
              waiting)
          .fold(records);
    }
  }
}
