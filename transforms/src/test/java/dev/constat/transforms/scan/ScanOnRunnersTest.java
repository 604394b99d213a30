package dev.constat.transforms.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockOutput;
import dev.constat.transforms.buckets.BlockStore;
import dev.constat.transforms.buckets.Blocks;
import dev.constat.transforms.buckets.BucketFn;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.HeapSpillSpace;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.StageReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The running maximum as a job on both runners, in the two shapes in which it is used: the clock
 * (largest earlier occurred_at) and the order audit (largest delivery of earlier rows).
 */
class ScanOnRunnersTest {

  private static final int HOT = 3_000;
  private static final long SLAB = 250;
  private static final Buckets BUCKETS = new Buckets(8);
  private static final long SORT_BUDGET = 1L << 20;

  private static final TupleTag<KV<Integer, byte[]>> BLOCKS = new TupleTag<>("blocks") {};
  private static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  private static List<ScanRow> rows(String shape) {
    return shape.equals("clock") ? ScanRow.clock(7, HOT) : ScanRow.deliveries(7, HOT);
  }

  /** Counts the samples of a split. */
  static final class Sample extends DoFn<Integer, StageReport> {

    private final String shape;
    private final int splits;

    Sample(String shape, int splits) {
      this.shape = shape;
      this.splits = splits;
    }

    @ProcessElement
    public void processElement(@Element Integer split, OutputReceiver<StageReport> out) {
      Tally tally = new Tally();
      for (ScanRow row : ScanRow.split(rows(shape), split, splits)) {
        samples(shape)
            .count(
                tally, writer(row::writeId), writer(row::writeScope), writer(row::writePosition));
      }
      out.output(StageReport.of(tally));
    }
  }

  private static Samples samples(String shape) {
    return new Samples(shape, 4);
  }

  private static KeyWriter writer(Consumer<KeyWriter> write) {
    KeyWriter out = new KeyWriter();
    write.accept(out);
    return out;
  }

  /** The stage before the scan: appends the rows of a split to the blocks of their slabs. */
  static final class Route extends DoFn<Integer, KV<Integer, byte[]>> {

    private final String shape;
    private final int splits;
    private final PCollectionView<StageReport> read;
    private transient BlockAppender appender;

    Route(String shape, int splits, PCollectionView<StageReport> read) {
      this.shape = shape;
      this.splits = splits;
      this.read = read;
    }

    @Setup
    public void setup() {
      appender = new BlockAppender(BUCKETS, BlockStore.TRAVELLING);
    }

    @StartBundle
    public void startBundle() {
      appender.clear();
    }

    @ProcessElement
    public void processElement(ProcessContext context) {
      appender.to(BlockOutput.to(context, BLOCKS));
      Slabs slabs = Slabs.of(context.sideInput(read).tally(), samples(shape), SLAB);
      SlabMaxima.Keeper keeper = new SlabMaxima.Keeper(shape, slabs);
      KeyWriter group = new KeyWriter();
      for (ScanRow row : ScanRow.split(rows(shape), context.element(), splits)) {
        KeyWriter scope = writer(row::writeScope);
        KeyWriter position = writer(row::writePosition);
        slabs.writeGroup(group.clear(), scope, position);
        if (row.value() != null) {
          keeper.add(scope, position, writer(row::writeValue));
        }
        row.writeId(position);
        KeyWriter body = writer(row::writeId);
        row.writeBody(body);
        appender.append(group, position, row.value() == null ? 0 : 1, body);
      }
      Tally tally = new Tally();
      keeper.addTo(tally);
      context.output(REPORTS, StageReport.of(tally));
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) {
      appender.to(BlockOutput.to(context, BLOCKS)).flush();
    }
  }

  /** Says of each row what stands before it. */
  private static final class Scan extends BucketFn<String> {

    private final String shape;
    private final PCollectionView<StageReport> read;
    private final PCollectionView<StageReport> kept;

    Scan(String shape, PCollectionView<StageReport> read, PCollectionView<StageReport> kept) {
      super(BlockStore.TRAVELLING, new HeapSpillSpace(), SORT_BUDGET);
      this.shape = shape;
      this.read = read;
      this.kept = kept;
    }

    @Override
    protected void fold(int bucket, SortedRecords records, ProcessContext context)
        throws IOException {
      Slabs slabs = Slabs.of(context.sideInput(read).tally(), samples(shape), SLAB);
      SlabMaxima maxima = SlabMaxima.of(context.sideInput(kept).tally(), shape, slabs);
      RunningMaximum maximum = new RunningMaximum();
      while (records.nextGroup()) {
        maximum.start(maxima.before(records.groupBuffer(), records.groupFrom(), records.groupTo()));
        while (records.nextRecord()) {
          KeyReader body = new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo());
          context.output(body.text() + " " + ScanRow.shown(maximum.before()));
          if (records.kind() == 1) {
            maximum.add(records.buffer(), body.position(), records.bodyTo());
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "clock, --runner=DirectRunner --targetParallelism=1, 1",
    "clock, --runner=DirectRunner --targetParallelism=4, 7",
    "clock, --runner=FlinkRunner --flinkMaster=[local] --parallelism=3, 11",
    "order, --runner=DirectRunner --targetParallelism=3, 5",
    "order, --runner=FlinkRunner --flinkMaster=[local] --parallelism=2, 3",
  })
  void findTheGreatestBeforeEachRow(String shape, String runner, int splits) {
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(runner.split(" ")).create());
    List<Integer> order = new ArrayList<>(IntStream.range(0, splits).boxed().toList());
    Collections.shuffle(order, new Random(splits));
    PCollection<Integer> input = pipeline.apply("Splits", Create.of(order));
    PCollectionView<StageReport> read =
        input
            .apply("Sample", ParDo.of(new Sample(shape, splits)))
            .setCoder(StageReport.CODER)
            .apply("SumSamples", Combine.globally(new StageReport.Sum()).asSingletonView());
    PCollectionTuple routed =
        input.apply(
            "Route",
            ParDo.of(new Route(shape, splits, read))
                .withSideInputs(read)
                .withOutputTags(BLOCKS, TupleTagList.of(REPORTS)));
    PCollectionView<StageReport> kept =
        routed
            .get(REPORTS)
            .setCoder(StageReport.CODER)
            .apply("SumMaxima", Combine.globally(new StageReport.Sum()).asSingletonView());
    PCollection<String> found =
        routed
            .get(BLOCKS)
            .setCoder(Blocks.coder())
            .apply("Group", GroupIntoBuckets.create())
            .apply("Scan", ParDo.of(new Scan(shape, read, kept)).withSideInputs(read, kept))
            .setCoder(StringUtf8Coder.of());
    PAssert.that(found)
        .satisfies(
            lines -> {
              Map<String, String> before = new TreeMap<>();
              for (String line : lines) {
                String[] parts = line.split(" ", -1);
                assertThat(before.put(parts[0], parts[1])).isNull();
              }
              assertThat(before.equals(ScanRow.expected(rows(shape)))).isTrue();
              return null;
            });
    pipeline.run().waitUntilFinish();
  }
}
