package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.Quarantined;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockOutput;
import dev.constat.transforms.buckets.Blocks;
import dev.constat.transforms.buckets.BucketFn;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.FindingSorter;
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
 * Judges every event: decides its receptions and reconciles it with its outbox rows and their
 * acknowledgements.
 *
 * <p><b>Input</b>: blocks of receptions and of what {@link AddressDeliveries} addressed.
 * <b>Output</b>: reports; decisions, effects and findings go to their sinks, one part per bucket;
 * blocks of quarantined versions for {@link QuarantinePayloads}, and of accepted events for {@link
 * FindIdentityDrift} where that check is asked for. <b>Guarantees</b>: what is written does not
 * depend on the order of blocks, and a retry replaces what an earlier attempt left. <b>Cost</b>:
 * one shuffle of the input.
 */
public final class ReconcileEvents
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollectionTuple> {

  private static final long serialVersionUID = 1L;

  /** Reports of this stage. */
  public static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  /** Blocks of quarantined versions. */
  public static final TupleTag<KV<Integer, byte[]>> QUARANTINED = new TupleTag<>("quarantined") {};

  /** Blocks of accepted events, where identity drift is looked for. */
  public static final TupleTag<KV<Integer, byte[]>> ACCEPTED = new TupleTag<>("accepted") {};

  private static final String STAGE = "events";
  private static final long EVENT_BUDGET = 32L << 20;
  private static final long UNIT_BUDGET = 8L << 20;

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final StageSinks sinks;

  private ReconcileEvents(RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param read what all of Read reports
   */
  public static ReconcileEvents of(
      RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    return new ReconcileEvents(spec, read, sinks);
  }

  @Override
  public PCollectionTuple expand(PCollection<KV<Integer, byte[]>> blocks) {
    TupleTagList tags = TupleTagList.of(QUARANTINED);
    PCollectionTuple out =
        blocks
            .apply("GroupByEvent", GroupIntoBuckets.create())
            .apply(
                "FoldEvents",
                ParDo.of(new Fold(new FactsView(spec, read), spec.identityDrift(), sinks))
                    .withSideInputs(read)
                    .withOutputTags(REPORTS, spec.identityDrift() ? tags.and(ACCEPTED) : tags));
    out.get(REPORTS).setCoder(StageReport.CODER);
    out.get(QUARANTINED).setCoder(Blocks.coder());
    if (spec.identityDrift()) {
      out.get(ACCEPTED).setCoder(Blocks.coder());
    }
    return out;
  }

  static final class Fold extends BucketFn<StageReport> {

    private static final long serialVersionUID = 1L;

    private final FactsView facts;
    private final boolean looksForDrift;
    private final StageSinks sinks;
    private transient BlockAppender quarantined;
    private transient BlockAppender accepted;
    private transient RecordSorter events;
    private transient RecordSorter units;
    private transient FindingSorter findings;

    Fold(FactsView facts, boolean looksForDrift, StageSinks sinks) {
      super(sinks.spill());
      this.facts = facts;
      this.looksForDrift = looksForDrift;
      this.sinks = sinks;
    }

    @Setup
    public void setup() {
      quarantined = new BlockAppender(sinks.buckets());
      accepted = new BlockAppender(sinks.buckets());
      events = new RecordSorter(sinks.spill(), EVENT_BUDGET);
      units = new RecordSorter(sinks.spill(), UNIT_BUDGET);
      findings = new FindingSorter(sinks.spill());
    }

    @StartBundle
    public void startBundle() {
      quarantined.clear();
      accepted.clear();
    }

    @Override
    protected void fold(int bucket, SortedRecords records, ProcessContext context)
        throws IOException {
      quarantined.to(BlockOutput.to(context, QUARANTINED));
      accepted.to(BlockOutput.to(context, ACCEPTED));
      try (StageLedger ledger =
          new StageLedger(
              sinks.tables(),
              sinks.findings(),
              STAGE,
              bucket,
              sinks.buckets().count(),
              findings,
              this::append)) {
        EventFold fold = new EventFold(facts.facts(context), ledger, events, units, this::append);
        sinks.meter().passed(STAGE, fold.fold(records));
        context.output(ledger.finish());
      }
    }

    private void append(Quarantined version) {
      byte[] place = version.place().toBytes();
      KeyWriter body = new KeyWriter();
      version.write(body);
      quarantined.append(
          new KeyWriter().raw(place, 0, QuarantinePayloads.PART_BYTES),
          new KeyWriter().raw(place, QuarantinePayloads.PART_BYTES, Place.BYTES),
          0,
          body);
    }

    private void append(KeyVerdict verdict) {
      if (looksForDrift) {
        FindIdentityDrift.append(verdict, accepted::append);
      }
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) {
      quarantined.to(BlockOutput.to(context, QUARANTINED)).flush();
      if (looksForDrift) {
        accepted.to(BlockOutput.to(context, ACCEPTED)).flush();
      }
    }

    @Override
    @Teardown
    public void teardown() throws IOException {
      super.teardown();
      if (events != null) {
        events.close();
        units.close();
        findings.close();
      }
    }
  }
}
