package dev.constat.transforms.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One job on both runners: a million records in one group, fifty thousand in others, and a budget
 * far below the largest bucket. Each bucket becomes a file of digests.
 */
class BucketsOnRunnersTest {

  private static final int HOT = 1_000_000;
  private static final int ALL = 1_050_000;
  private static final int COLD_GROUPS = 15_000;
  private static final Buckets BUCKETS = new Buckets(16);
  private static final long BUDGET = 2L << 20;

  private static Map<String, String> expected;

  @TempDir private Path directory;

  /** Makes one record after the other in memory of its own. */
  private static final class RecordMaker {

    final KeyWriter group = new KeyWriter();
    final KeyWriter order = new KeyWriter();
    final KeyWriter body = new KeyWriter();
    int kind;

    void make(int number) {
      boolean hot = number < HOT;
      group.clear().text("orders").text(hot ? "hot" : "event-" + number % COLD_GROUPS);
      order.clear().unsigned(hot ? number * 0x9E3779B97F4A7C15L : number / COLD_GROUPS);
      body.clear().signed(number);
      for (int i = 0; !hot && i < number % 25; i++) {
        body.unsigned(number * (i + 0x9E3779B97F4A7C15L));
      }
      kind = number % 3;
    }
  }

  /** Packs the records of a split, that is every so many of a sequence in leaps. */
  static final class Pack extends DoFn<Integer, KV<Integer, byte[]>> {

    private final int splits;
    private final long leap;
    private transient BlockAppender appender;

    Pack(int splits, long leap) {
      this.splits = splits;
      this.leap = leap;
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
    public void processElement(
        @Element Integer split, OutputReceiver<KV<Integer, byte[]>> receiver) {
      appender.to(BlockOutput.to(receiver));
      RecordMaker maker = new RecordMaker();
      for (int i = split; i < ALL; i += splits) {
        maker.make((int) (i * leap % ALL));
        appender.append(maker.group, maker.order, maker.kind, maker.body);
      }
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) {
      appender.to(BlockOutput.to(context)).flush();
    }
  }

  /** Writes a line per group: its bytes, the number of its records, the digest of them in order. */
  private static final class WriteDigests extends BucketFn<Void> {

    private final String directory;

    WriteDigests(SpillSpace space, Path directory) {
      super(BlockStore.TRAVELLING, space, BUDGET);
      this.directory = directory.toString();
    }

    @Override
    protected void fold(int bucket, SortedRecords records, ProcessContext context)
        throws IOException {
      List<String> lines = new ArrayList<>();
      MessageDigest digest = sha256();
      while (records.nextGroup()) {
        long count = 0;
        while (records.nextRecord()) {
          count++;
          update(digest, records.kind(), records.buffer(), records.orderFrom(), records.orderTo());
          update(digest, 0, records.buffer(), records.bodyFrom(), records.bodyTo());
        }
        lines.add(line(records.group(), count, digest));
      }
      Files.write(Path.of(directory, fileName(bucket)), lines);
    }
  }

  @BeforeAll
  static void sortInPlainJava() {
    Map<Integer, List<TestRecord>> buckets = new TreeMap<>();
    RecordMaker maker = new RecordMaker();
    for (int number = 0; number < ALL; number++) {
      maker.make(number);
      TestRecord record =
          new TestRecord(
              maker.group.toBytes(), maker.order.toBytes(), maker.kind, maker.body.toBytes());
      buckets.computeIfAbsent(BUCKETS.of(record.group()), b -> new ArrayList<>()).add(record);
    }
    expected = new TreeMap<>();
    MessageDigest digest = sha256();
    buckets.forEach(
        (bucket, records) -> {
          StringBuilder lines = new StringBuilder();
          for (List<TestRecord> group : TestRecord.sortedGroups(records)) {
            for (TestRecord record : group) {
              update(digest, record.kind(), record.order(), 0, record.order().length);
              update(digest, 0, record.body(), 0, record.body().length);
            }
            lines.append(line(group.get(0).group(), group.size(), digest)).append('\n');
          }
          expected.put(fileName(bucket), lines.toString());
        });
  }

  @ParameterizedTest
  @CsvSource({
    "--runner=DirectRunner --targetParallelism=1, 2, 1",
    "--runner=DirectRunner --targetParallelism=4, 5, 499979",
    "--runner=FlinkRunner --flinkMaster=[local] --parallelism=1, 3, 11",
    "--runner=FlinkRunner --flinkMaster=[local] --parallelism=4, 16, 999983"
  })
  void giveTheSameBytes(String runner, int splits, long leap) throws IOException {
    Path output = Files.createDirectory(directory.resolve("output"));
    Path spill = Files.createDirectory(directory.resolve("spill"));
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    Stream.concat(
                            Stream.of(runner.split(" ")),
                            runner.contains("DirectRunner")
                                ? Stream.of(
                                    "--enforceImmutability=false", "--enforceEncodability=false")
                                : Stream.empty())
                        .toArray(String[]::new))
                .create());
    List<Integer> order = new ArrayList<>(IntStream.range(0, splits).boxed().toList());
    Collections.shuffle(order, new Random(leap));
    pipeline
        .apply("Splits", Create.of(order))
        .apply("Pack", ParDo.of(new Pack(splits, leap)))
        .apply("Group", GroupIntoBuckets.create())
        .apply(
            "Write digests",
            ParDo.of(new WriteDigests(new DirectorySpillSpace(spill.toString()), output)));
    pipeline.run().waitUntilFinish();

    Map<String, String> written = new TreeMap<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path file : files.toList()) {
        written.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    assertThat(written.keySet()).isEqualTo(expected.keySet());
    written.forEach(
        (file, lines) ->
            assertThat(lines.equals(expected.get(file))).as("%s is as expected", file).isTrue());
    assertThat(spill).isEmptyDirectory();
  }

  private static String fileName(int bucket) {
    return "bucket-" + bucket;
  }

  private static String line(byte[] group, long count, MessageDigest digest) {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(group) + ' ' + count + ' ' + hex.formatHex(digest.digest());
  }

  private static void update(MessageDigest digest, int kind, byte[] bytes, int from, int to) {
    digest.update((byte) kind);
    digest.update((byte) (to - from));
    digest.update(bytes, from, to - from);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
