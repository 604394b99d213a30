package dev.constat.transforms.stages;

import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.outputs.StageReport;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * Follows the numbers of sources that document their sequences: gaps, resets, epochs.
 *
 * <p><b>Input</b>: blocks of numbered receptions. <b>Output</b>: reports, which also carry what
 * {@link SequenceTables} reads; findings go to their sink. <b>Cost</b>: one shuffle of a few bytes
 * per reception; each sequence is followed by one worker, in memory that grows with its holes.
 */
public final class ScanSequences
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollection<StageReport>> {

  private static final long serialVersionUID = 1L;

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final StageSinks sinks;

  private ScanSequences(RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param read what all of Read reports
   */
  public static ScanSequences of(
      RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    return new ScanSequences(spec, read, sinks);
  }

  /** Whether any source of a run documents its sequences. */
  public static boolean needed(RunSpec spec) {
    return SequenceRecords.needed(spec);
  }

  @Override
  public PCollection<StageReport> expand(PCollection<KV<Integer, byte[]>> blocks) {
    return blocks
        .apply("GroupBySequence", GroupIntoBuckets.create())
        .apply(
            "FollowNumbers",
            ParDo.of(
                    new ReportingFn(
                        "sequences",
                        new FactsView(spec, read, sinks),
                        sinks,
                        (facts, records, notes) -> new SequenceFold(facts, notes).fold(records)))
                .withSideInputs(read))
        .setCoder(StageReport.CODER);
  }
}
