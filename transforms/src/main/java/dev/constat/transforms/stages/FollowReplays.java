package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.replay.FollowedReplay;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.StageReport;
import java.io.IOException;
import java.time.Instant;
import java.util.stream.Stream;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * Follows replays through their scope and their receptions: REPLAY_ORDER and REPLAY_PARTIAL.
 *
 * <p><b>Input</b>: blocks of {@link ReplayRecords}. <b>Output</b>: reports; findings go to their
 * sink. <b>Cost</b>: one shuffle of a few bytes per reception of a replay and per event in the
 * scope of a replay that left a trace; each replay is followed by one worker, in constant memory.
 */
public final class FollowReplays
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollection<StageReport>> {

  private static final long serialVersionUID = 1L;

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final StageSinks sinks;

  private FollowReplays(RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param read what all of Read reports
   */
  public static FollowReplays of(
      RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    return new FollowReplays(spec, read, sinks);
  }

  /** Whether a run has a registry of replays. */
  public static boolean needed(RunSpec spec) {
    return ReplayRecords.needed(spec);
  }

  /** Folds all groups of a bucket; returns how many records it read. */
  static long fold(RunFacts facts, SortedRecords records, Notebook notes) throws IOException {
    Instant settled = settled(facts);
    long read = 0;
    while (records.nextGroup()) {
      String replayId = new KeyReader(records.group()).text();
      read +=
          ReplayRecords.follow(
              records,
              new FollowedReplay(
                  replayId,
                  facts.replays().replay(replayId),
                  settled,
                  notes.tally(),
                  notes::finding));
    }
    return read;
  }

  /** Up to when the inputs that show what a replay did are complete, and its grace is over. */
  private static Instant settled(RunFacts facts) {
    return Stream.of(Input.EVENTS, Input.OUTBOX, Input.ACKNOWLEDGEMENTS)
        .map(facts::input)
        .filter(input -> input != null && input.cut() != null)
        .map(RunFacts.InputFacts::cut)
        .min(Instant::compareTo)
        .map(cut -> cut.minus(new EffectPolicy(facts.spec()).largestGrace()))
        .orElse(Instant.MIN);
  }

  @Override
  public PCollection<StageReport> expand(PCollection<KV<Integer, byte[]>> blocks) {
    return blocks
        .apply("GroupByReplay", GroupIntoBuckets.create())
        .apply(
            "Follow",
            ParDo.of(
                    new ReportingFn(
                        "replays", new FactsView(spec, read, sinks), sinks, FollowReplays::fold))
                .withSideInputs(read))
        .setCoder(StageReport.CODER);
  }
}
