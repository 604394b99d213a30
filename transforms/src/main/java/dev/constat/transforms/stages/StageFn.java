package dev.constat.transforms.stages;

import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockOutput;
import dev.constat.transforms.buckets.Blocks;
import dev.constat.transforms.buckets.BucketFn;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.FindingSorter;
import dev.constat.transforms.outputs.StageReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;

/**
 * A stage that folds the buckets of its records, writes down what it has to say about each, and
 * sends records on to other stages. Its main output are its reports.
 */
abstract class StageFn extends BucketFn<StageReport> {

  private final String stage;
  private final StageSinks sinks;
  private transient FindingSorter findings;
  private transient List<Exit> exits;
  private transient List<RecordSorter> sorters;

  /**
   * A stage.
   *
   * @param stage names it among those of a run
   */
  StageFn(String stage, StageSinks sinks) {
    super(sinks.blocks(), sinks.spill());
    this.stage = stage;
    this.sinks = sinks;
  }

  /** Sets the coders of the outputs of a stage. */
  static PCollectionTuple withCoders(PCollectionTuple out, TupleTag<StageReport> reports) {
    out.getAll()
        .forEach(
            (tag, collection) -> {
              if (!tag.equals(reports)) {
                blocks(collection).setCoder(Blocks.coder());
              }
            });
    out.get(reports).setCoder(StageReport.CODER);
    return out;
  }

  @SuppressWarnings("unchecked") // all that is no report is a block
  private static PCollection<KV<Integer, byte[]>> blocks(PCollection<?> collection) {
    return (PCollection<KV<Integer, byte[]>>) collection;
  }

  /** Blocks that leave for another stage, and where to. */
  private record Exit(BlockAppender appender, TupleTag<KV<Integer, byte[]>> tag) {}

  /** Gets ready: declares exits and sorters. */
  abstract void prepare();

  /**
   * Folds the records of a bucket.
   *
   * @return how many it read
   */
  abstract long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
      throws IOException;

  /** An exit for records to another stage; to be declared in {@link #prepare}. */
  final RecordOut exit(TupleTag<KV<Integer, byte[]>> tag) {
    BlockAppender appender = sinks.appender();
    exits.add(new Exit(appender, tag));
    return appender::append;
  }

  /** A sorter for parts of a bucket; to be declared in {@link #prepare}. */
  final RecordSorter sorter(long budget) {
    RecordSorter sorter = new RecordSorter(sinks.spill(), budget);
    sorters.add(sorter);
    return sorter;
  }

  @Setup
  public final void setup() {
    exits = new ArrayList<>();
    sorters = new ArrayList<>();
    findings = new FindingSorter(sinks.spill());
    prepare();
  }

  @StartBundle
  public final void startBundle() {
    exits.forEach(exit -> exit.appender().clear());
  }

  @Override
  protected final void fold(int bucket, SortedRecords records, ProcessContext context)
      throws IOException {
    exits.forEach(exit -> exit.appender().to(BlockOutput.to(context, exit.tag())));
    try (StageLedger ledger = new StageLedger(sinks, stage, bucket, findings)) {
      sinks.meter().passed(stage, fold(records, ledger, context));
      context.output(ledger.finish());
    }
  }

  @FinishBundle
  public final void finishBundle(FinishBundleContext context) {
    exits.forEach(exit -> exit.appender().to(BlockOutput.to(context, exit.tag())).flush());
  }

  @Override
  @Teardown
  public void teardown() throws IOException {
    super.teardown();
    if (findings != null) {
      for (RecordSorter sorter : sorters) {
        sorter.close();
      }
      findings.close();
    }
  }
}
