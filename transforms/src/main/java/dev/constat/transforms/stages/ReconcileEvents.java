package dev.constat.transforms.stages;

import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.KeyVerdict;
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
 * Judges every event: decides its receptions and reconciles it with its outbox rows and their
 * acknowledgements.
 *
 * <p><b>Input</b>: blocks of receptions and of what {@link AddressDeliveries} addressed.
 * <b>Output</b>: reports; effects and findings go to their sinks, one part per bucket; blocks of
 * receptions for {@link ScanArrivals}, of quarantined versions for {@link QuarantinePayloads}, of
 * rows that name an aggregate for {@link ScanAggregates} where there is an outbox, and where they
 * are asked for of numbers for {@link ScanSequences}, of what replays did for {@link
 * FollowReplays}, of repeats for {@link FollowClaims} and of accepted events for {@link
 * FindIdentityDrift}. <b>Guarantees</b>: what is written does not depend on the order of blocks,
 * and a retry replaces what an earlier attempt left. <b>Cost</b>: one shuffle of the input.
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

  /** Blocks of all receptions, as identity decided them, for {@link ScanArrivals}. */
  public static final TupleTag<KV<Integer, byte[]>> ARRIVALS = new TupleTag<>("arrivals") {};

  /** Blocks of numbered receptions for {@link ScanSequences}, where a source documents them. */
  public static final TupleTag<KV<Integer, byte[]>> NUMBERS = new TupleTag<>("numbers") {};

  /** Blocks of rows that name an aggregate, for {@link ScanAggregates}. */
  public static final TupleTag<KV<Integer, byte[]>> IN_AGGREGATES =
      new TupleTag<>("in-aggregates") {};

  /** Blocks of what replays did, for {@link FollowReplays}, where a registry is given. */
  public static final TupleTag<KV<Integer, byte[]>> REPLAYED = new TupleTag<>("replayed") {};

  /** Blocks of repeats under lapsed claims for {@link FollowClaims}, where it is needed. */
  public static final TupleTag<KV<Integer, byte[]>> LAPSES = new TupleTag<>("lapses") {};

  private static final String STAGE = "events";
  private static final long EVENT_BUDGET = 32L << 20;
  private static final long UNIT_BUDGET = 8L << 20;
  private static final long REPLAY_BUDGET = 4L << 20;

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
    PCollectionTuple out =
        blocks
            .apply("GroupByEvent", GroupIntoBuckets.create())
            .apply(
                "FoldEvents",
                ParDo.of(new Fold(new FactsView(spec, read, sinks), spec, sinks))
                    .withSideInputs(read)
                    .withOutputTags(REPORTS, exits(spec)));
    return StageFn.withCoders(out, REPORTS);
  }

  /** What leaves; a run that plans only asks which effects an event has, and when it must. */
  private static TupleTagList exits(RunSpec spec) {
    TupleTagList tags;
    if (spec.plan() == null) {
      tags = TupleTagList.of(QUARANTINED).and(ARRIVALS);
      tags = spec.identityDrift() ? tags.and(ACCEPTED) : tags;
      tags = SequenceRecords.needed(spec) ? tags.and(NUMBERS) : tags;
      tags = ReplayRecords.needed(spec) ? tags.and(REPLAYED) : tags;
      tags = FollowClaims.needed(spec) ? tags.and(LAPSES) : tags;
    } else {
      tags = PlanRecords.tags(spec);
      tags = EffectPolicy.asksForTime(spec) ? tags.and(ARRIVALS) : tags;
    }
    return ScanAggregates.needed(spec) ? tags.and(IN_AGGREGATES) : tags;
  }

  static final class Fold extends StageFn {

    private static final long serialVersionUID = 1L;

    private final FactsView facts;
    private final RunSpec spec;
    private transient RecordOut quarantined;
    private transient RecordOut accepted;
    private transient RecordOut arrivals;
    private transient RecordOut numbers;
    private transient PlanRecords planned;
    private transient RecordOut inAggregates;
    private transient RecordOut replayed;
    private transient RecordOut lapses;
    private transient RecordSorter events;
    private transient RecordSorter units;
    private transient RecordSorter receptions;

    Fold(FactsView facts, RunSpec spec, StageSinks sinks) {
      super(STAGE, sinks);
      this.facts = facts;
      this.spec = spec;
    }

    @Override
    void prepare() {
      boolean plans = spec.plan() != null;
      quarantined = plans ? RecordOut.NOWHERE : exit(QUARANTINED);
      arrivals = plans && !EffectPolicy.asksForTime(spec) ? RecordOut.NOWHERE : exit(ARRIVALS);
      accepted = spec.identityDrift() ? exit(ACCEPTED) : null;
      numbers = !plans && SequenceRecords.needed(spec) ? exit(NUMBERS) : null;
      planned = plans ? PlanRecords.leaving(spec, this::exit) : null;
      inAggregates = ScanAggregates.needed(spec) ? exit(IN_AGGREGATES) : null;
      replayed = ReplayRecords.needed(spec) ? exit(REPLAYED) : null;
      receptions = replayed == null ? null : sorter(REPLAY_BUDGET);
      lapses = FollowClaims.needed(spec) ? exit(LAPSES) : null;
      events = sorter(EVENT_BUDGET);
      units = sorter(UNIT_BUDGET);
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      RunFacts runFacts = facts.facts(context);
      Partitions partitions = facts.partitions(context);
      EventExits exits =
          new EventExits(
              new ArrivalRecords(arrivals, partitions, spec.integerOutboxIds()),
              numbers == null ? null : new SequenceRecords(numbers, spec),
              inAggregates == null
                  ? null
                  : new AggregateRecords(
                      inAggregates, facts.aggregates(context), spec.integerOutboxIds()),
              lapses == null ? null : new ClaimRecords(lapses),
              replayed == null
                  ? null
                  : new ReplayRecords(replayed, receptions, runFacts, ledger.tally()),
              version -> QuarantinePayloads.append(version, quarantined),
              this::append);
      EventFold fold = new EventFold(runFacts, ledger, partitions, exits, events, units);
      return (planned == null ? fold : fold.planning(runFacts, planned)).fold(records);
    }

    private void append(KeyVerdict verdict) {
      if (accepted != null) {
        FindIdentityDrift.append(verdict, accepted);
      }
    }
  }
}
