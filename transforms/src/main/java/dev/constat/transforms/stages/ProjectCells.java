package dev.constat.transforms.stages;

import dev.constat.rules.diff.DiffRecords;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.projection.CellFold;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.GroupIntoBuckets;
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
 * Makes the cells of every version of every projection, side by side, and holds them against the
 * recorded ones.
 *
 * <p><b>Input</b>: blocks of cells, added up as far as earlier stages could, and of recorded cells.
 * <b>Output</b>: reports; cells and findings go to their sinks. <b>Cost</b>: one shuffle of cells.
 */
public final class ProjectCells
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollectionTuple> {

  private static final long serialVersionUID = 1L;

  /** Reports of this stage. */
  public static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  /** Blocks of cells for {@link CompareVersions}, where versions are compared. */
  public static final TupleTag<KV<Integer, byte[]>> DIFFERENCES = new TupleTag<>("differences") {};

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final PCollectionView<StageReport> sequences;
  private final StageSinks sinks;

  private ProjectCells(
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
  public static ProjectCells of(
      RunSpec spec,
      PCollectionView<StageReport> read,
      PCollectionView<StageReport> sequences,
      StageSinks sinks) {
    return new ProjectCells(spec, read, sequences, sinks);
  }

  @Override
  public PCollectionTuple expand(PCollection<KV<Integer, byte[]>> blocks) {
    SequencesView tables = new SequencesView(sequences);
    PCollectionTuple out =
        blocks
            .apply("GroupByKey", GroupIntoBuckets.create())
            .apply(
                "FoldCells",
                ParDo.of(new Fold(spec, new FactsView(spec, read, sinks), tables, sinks))
                    .withSideInputs(read)
                    .withSideInputs(tables.sideInputs())
                    .withOutputTags(
                        REPORTS,
                        spec.comparesVersions()
                            ? TupleTagList.of(DIFFERENCES)
                            : TupleTagList.empty()));
    return StageFn.withCoders(out, REPORTS);
  }

  /** Folds the records of a bucket; returns how many there were. */
  static long fold(SortedRecords records, CellFold cells) throws IOException {
    long read = 0;
    while (records.nextGroup()) {
      cells.begin(new KeyReader(records.group()));
      for (; records.nextRecord(); read++) {
        cells.next(
            records.kind(),
            new KeyReader(records.buffer(), records.orderFrom(), records.orderTo()),
            new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo()));
      }
      cells.end();
    }
    return read;
  }

  static final class Fold extends StageFn {

    private static final long serialVersionUID = 1L;

    private final RunSpec spec;
    private final FactsView facts;
    private final SequencesView sequences;
    private transient DiffRecords differences;

    Fold(RunSpec spec, FactsView facts, SequencesView sequences, StageSinks sinks) {
      super("cells", sinks);
      this.spec = spec;
      this.facts = facts;
      this.sequences = sequences;
    }

    @Override
    void prepare() {
      differences = CellStage.differences(spec, spec.comparesVersions() ? exit(DIFFERENCES) : null);
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      RunFacts known = facts.facts(context);
      return ProjectCells.fold(
          records,
          new CellFold(
              Projector.all(known.spec().projections()),
              sequences.tables(context).gaps()::meets,
              new CellNotes(known, ledger, differences)));
    }
  }
}
