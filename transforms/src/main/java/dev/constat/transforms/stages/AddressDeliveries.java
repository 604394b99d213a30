package dev.constat.transforms.stages;

import dev.constat.rules.findings.Tally;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockOutput;
import dev.constat.transforms.buckets.Blocks;
import dev.constat.transforms.buckets.BucketFn;
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
 * Finds out which event each outbox row, acknowledgement and recorded decision belongs to.
 *
 * <p><b>Input</b>: blocks of rows, acknowledgements, decisions and of the keys of ingestion_ids.
 * <b>Output</b>: blocks for {@link ReconcileEvents} and for {@link FollowClaims}, and reports.
 * <b>Guarantees</b>: every row and every acknowledgement that is no archive copy is passed on once;
 * what comes out does not depend on the order of blocks. <b>Cost</b>: one shuffle of the input.
 */
public final class AddressDeliveries
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollectionTuple> {

  private static final long serialVersionUID = 1L;

  /** Blocks for the next stage. */
  public static final TupleTag<KV<Integer, byte[]>> EVENTS = new TupleTag<>("events") {};

  /** Reports of this stage. */
  public static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  /** Blocks of rows by claim for {@link FollowClaims}, where it is needed. */
  public static final TupleTag<KV<Integer, byte[]>> CLAIMS = new TupleTag<>("claims") {};

  private static final long ACK_ID_BUDGET = 4L << 20;

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final StageSinks sinks;

  private AddressDeliveries(RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param read what all of Read reports
   */
  public static AddressDeliveries of(
      RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    return new AddressDeliveries(spec, read, sinks);
  }

  @Override
  public PCollectionTuple expand(PCollection<KV<Integer, byte[]>> blocks) {
    TupleTagList tags = TupleTagList.of(REPORTS);
    if (FollowClaims.needed(spec)) {
      tags = tags.and(CLAIMS);
    }
    PCollectionTuple out =
        blocks
            .apply("GroupByAddress", GroupIntoBuckets.create())
            .apply(
                "FoldAddresses",
                ParDo.of(
                        new Fold(
                            new FactsView(spec, read, sinks), FollowClaims.needed(spec), sinks))
                    .withSideInputs(read)
                    .withOutputTags(EVENTS, tags));
    out.get(EVENTS).setCoder(Blocks.coder());
    out.get(REPORTS).setCoder(StageReport.CODER);
    if (out.has(CLAIMS)) {
      out.get(CLAIMS).setCoder(Blocks.coder());
    }
    return out;
  }

  static final class Fold extends BucketFn<KV<Integer, byte[]>> {

    private static final long serialVersionUID = 1L;

    private final FactsView facts;
    private final boolean followsClaims;
    private final StageSinks sinks;
    private transient BlockAppender appender;
    private transient BlockAppender claims;
    private transient RecordSorter ackIds;

    Fold(FactsView facts, boolean followsClaims, StageSinks sinks) {
      super(sinks.blocks(), sinks.spill());
      this.facts = facts;
      this.followsClaims = followsClaims;
      this.sinks = sinks;
    }

    @Setup
    public void setup() {
      appender = sinks.appender();
      claims = followsClaims ? sinks.appender() : null;
      ackIds = new RecordSorter(sinks.spill(), ACK_ID_BUDGET);
    }

    @StartBundle
    public void startBundle() {
      appender.clear();
      if (followsClaims) {
        claims.clear();
      }
    }

    @Override
    protected void fold(int bucket, SortedRecords records, ProcessContext context)
        throws IOException {
      Tally tally = new Tally();
      appender.to(BlockOutput.to(context, EVENTS));
      if (followsClaims) {
        claims.to(BlockOutput.to(context, CLAIMS));
      }
      AddressFold fold =
          new AddressFold(
              facts.facts(context),
              new EventRecords(appender::append, facts.facts(context).spec()),
              followsClaims ? new ClaimRecords(claims::append) : null,
              tally,
              ackIds);
      sinks.meter().passed("address", fold.fold(records));
      context.output(REPORTS, StageReport.of(tally));
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) {
      appender.to(BlockOutput.to(context, EVENTS)).flush();
      if (followsClaims) {
        claims.to(BlockOutput.to(context, CLAIMS)).flush();
      }
    }

    @Override
    @Teardown
    public void teardown() throws IOException {
      super.teardown();
      if (ackIds != null) {
        ackIds.close();
      }
    }
  }
}
