package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.lease.BatchJudge;
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
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * Finds the redeliveries that a batch caused which took longer than its lease: no row shows by
 * itself how many its claim covers.
 *
 * <p><b>Input</b>: blocks of rows by claim from {@link AddressDeliveries}, and of repeats under
 * lapsed claims from {@link ReconcileEvents}. <b>Output</b>: reports; parts of findings go to their
 * sink. <b>Cost</b>: one shuffle of a few bytes for every claim on a row, where acknowledgements
 * name their workers, else nothing.
 */
public final class FollowClaims
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollection<StageReport>> {

  private static final long serialVersionUID = 1L;

  private static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};
  private static final String STAGE = "claims";

  private final StageSinks sinks;

  private FollowClaims(StageSinks sinks) {
    this.sinks = sinks;
  }

  /** Creates it. */
  public static FollowClaims of(StageSinks sinks) {
    return new FollowClaims(sinks);
  }

  /** Whether a run has the inputs that say something of claims. */
  public static boolean needed(RunSpec spec) {
    return spec.archives().containsKey(Input.OUTBOX)
        && spec.archives().containsKey(Input.ACKNOWLEDGEMENTS)
        && spec.rebuild() == null
        && spec.plan() == null;
  }

  @Override
  public PCollection<StageReport> expand(PCollection<KV<Integer, byte[]>> blocks) {
    PCollectionTuple out =
        blocks
            .apply("GroupByClaim", GroupIntoBuckets.create())
            .apply(
                "FoldClaims",
                ParDo.of(new Fold(sinks)).withOutputTags(REPORTS, TupleTagList.empty()));
    return StageFn.withCoders(out, REPORTS).get(REPORTS);
  }

  /** Folds the records of a bucket; returns how many it read. */
  static long fold(SortedRecords records, Notebook notes) throws IOException {
    BatchJudge judge = new BatchJudge(notes.tally());
    long read = 0;
    while (records.nextGroup()) {
      judge.begin();
      for (; records.nextRecord(); read++) {
        if (records.kind() == ClaimRecords.KIND_ROW) {
          judge.row();
          continue;
        }
        KeyReader in = new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo());
        Finding part = judge.lapsed(in.text(), in.nullableText(), in.signed());
        if (part != null) {
          notes.finding(part);
        }
      }
    }
    return read;
  }

  static final class Fold extends StageFn {

    private static final long serialVersionUID = 1L;

    Fold(StageSinks sinks) {
      super(STAGE, sinks);
    }

    @Override
    void prepare() {
      // sends nothing on
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      return FollowClaims.fold(records, ledger);
    }
  }
}
