package dev.constat.transforms.stages;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.StageReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * Follows the order in which the rows of each aggregate were delivered, and says which rows are
 * held back by one that was not.
 *
 * <p><b>Input</b>: blocks of rows that name an aggregate. <b>Output</b>: reports; findings and the
 * table of heads go to their sinks. <b>Guarantees</b>: an aggregate of any size is worked on in
 * slabs of time by as many workers as there are; the answer is that of one scan. <b>Cost</b>: one
 * shuffle of some tens of bytes per row.
 */
public final class ScanAggregates
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollection<StageReport>> {

  private static final long serialVersionUID = 1L;

  private static final String STAGE = "aggregates";

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final List<PCollectionView<StageReport>> kept;
  private final StageSinks sinks;

  private ScanAggregates(
      RunSpec spec,
      PCollectionView<StageReport> read,
      List<PCollectionView<StageReport>> kept,
      StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.kept = new ArrayList<>(kept);
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param read what all of Read reports
   * @param kept what the stages report that rows come from
   */
  public static ScanAggregates of(
      RunSpec spec,
      PCollectionView<StageReport> read,
      List<PCollectionView<StageReport>> kept,
      StageSinks sinks) {
    return new ScanAggregates(spec, read, kept, sinks);
  }

  /** Whether a run has rows whose order can be followed. */
  public static boolean needed(RunSpec spec) {
    return spec.rebuild() == null && spec.archives().containsKey(Input.OUTBOX);
  }

  @Override
  public PCollection<StageReport> expand(PCollection<KV<Integer, byte[]>> blocks) {
    return blocks
        .apply("GroupByAggregate", GroupIntoBuckets.create())
        .apply(
            "FoldAggregates",
            ParDo.of(new Fold(new FactsView(spec, read, sinks), kept, sinks))
                .withSideInputs(read)
                .withSideInputs(kept))
        .setCoder(StageReport.CODER);
  }

  static final class Fold extends StageFn {

    private static final long serialVersionUID = 1L;

    private final FactsView facts;
    private final List<PCollectionView<StageReport>> kept;
    private transient Aggregates.Surroundings surroundings;

    Fold(FactsView facts, List<PCollectionView<StageReport>> kept, StageSinks sinks) {
      super(STAGE, sinks);
      this.facts = facts;
      this.kept = kept;
    }

    @Override
    void prepare() {
      // nothing leaves but reports
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      if (surroundings == null) {
        surroundings = facts.aggregates(context).surroundings(keptBy(context));
      }
      return new AggregateFold(facts.facts(context), surroundings, ledger).fold(records);
    }

    private Tally keptBy(ProcessContext context) {
      if (kept.size() == 1) {
        return context.sideInput(kept.get(0)).tally();
      }
      Tally tally = new Tally();
      kept.forEach(view -> tally.merge(context.sideInput(view).tally()));
      return tally;
    }
  }
}
