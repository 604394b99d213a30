package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.plan.AggregateOrder;
import dev.constat.rules.plan.PlanLine;
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
 * Withholds planned messages behind which a row of the same aggregate was delivered.
 *
 * <p><b>Input</b>: blocks of delivered rows and messages of aggregates whose order is kept.
 * <b>Output</b>: reports; blocks of the messages, planned or withheld, for {@link WritePlan}.
 * <b>Cost</b>: one shuffle of a short record per delivered row of such an aggregate; an aggregate
 * of any size is folded in constant memory.
 */
public final class KeepOrder
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollectionTuple> {

  private static final long serialVersionUID = 1L;

  /** Blocks of what it reads, of every stage that makes some. */
  public static final TupleTag<KV<Integer, byte[]>> AGGREGATES =
      new TupleTag<>("planned-in-aggregates") {};

  /** Reports of this stage. */
  public static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  private final StageSinks sinks;

  private KeepOrder(StageSinks sinks) {
    this.sinks = sinks;
  }

  /** Creates it. */
  public static KeepOrder of(StageSinks sinks) {
    return new KeepOrder(sinks);
  }

  /** Whether a run needs it. */
  public static boolean needed(RunSpec spec) {
    return PlanRecords.keepsOrder(spec);
  }

  /** Folds all groups; returns how many records it read. */
  static long fold(SortedRecords records, PlanRecords out) throws IOException {
    long read = 0;
    AggregateOrder order = new AggregateOrder();
    while (records.nextGroup()) {
      order.begin();
      for (; records.nextRecord(); read++) {
        KeyReader body = new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo());
        switch (records.kind()) {
          case PlanRecords.KIND_HEAD -> {
            String outboxId = body.text();
            order.head(body.bytes(), outboxId);
          }
          case PlanRecords.KIND_DELIVERED -> order.delivered(body.text());
          default -> {
            boolean unlessHeld = body.bool();
            byte[] position = body.bytes();
            out.message(order.message(PlanLine.read(body), position, unlessHeld));
          }
        }
      }
    }
    return read;
  }

  @Override
  public PCollectionTuple expand(PCollection<KV<Integer, byte[]>> blocks) {
    return StageFn.withCoders(
        blocks
            .apply("GroupByAggregate", GroupIntoBuckets.create())
            .apply(
                "FoldAggregates",
                ParDo.of(new Fold(sinks))
                    .withOutputTags(REPORTS, TupleTagList.of(WritePlan.LINES))),
        REPORTS);
  }

  static final class Fold extends StageFn {

    private static final long serialVersionUID = 1L;

    private transient PlanRecords lines;

    Fold(StageSinks sinks) {
      super("order", sinks);
    }

    @Override
    void prepare() {
      lines = new PlanRecords(exit(WritePlan.LINES), null);
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      return KeepOrder.fold(records, lines);
    }
  }
}
