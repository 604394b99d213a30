package dev.constat.transforms.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.BigEndianIntegerCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupIntoBucketsTest {

  private static final Buckets BUCKETS = new Buckets(4);

  @TempDir private Path directory;

  /** Appends each word as a record: its first letter is the group, the word the body. */
  static final class PackWords extends DoFn<String, String> {

    private static final TupleTag<String> LENGTHS = new TupleTag<>("lengths") {};
    private static final TupleTag<KV<Integer, byte[]>> BLOCKS = new TupleTag<>("blocks") {};

    private transient BlockAppender appender;

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
      byte[] word = context.element().getBytes(StandardCharsets.UTF_8);
      appender.to(BlockOutput.to(context, BLOCKS));
      appender.append(word, 0, 1, word, 0, 0, 0, word, 0, word.length);
      context.output(word.length + " letters");
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) {
      appender.to(BlockOutput.to(context, BLOCKS)).flush();
    }
  }

  /** Gives one line per group. */
  private static final class ListWords extends BucketFn<String> {

    ListWords(SpillSpace space) {
      super(BlockStore.TRAVELLING, space);
    }

    @Override
    protected void fold(int bucket, SortedRecords records, ProcessContext context)
        throws IOException {
      while (records.nextGroup()) {
        List<String> words = new ArrayList<>();
        while (records.nextRecord()) {
          words.add(new String(records.body(), StandardCharsets.UTF_8));
        }
        assertThat(BUCKETS.of(records.group())).isEqualTo(bucket);
        context.output(String.join(" ", words));
      }
    }
  }

  /** Reads one record of many and gives up. */
  private static final class GiveUp extends BucketFn<String> {

    GiveUp(SpillSpace space) {
      super(BlockStore.TRAVELLING, space, RecordSorter.MIN_BUDGET);
    }

    @Override
    protected void fold(int bucket, SortedRecords records, ProcessContext context)
        throws IOException {
      records.nextGroup();
      throw new UncheckedIOException(new IOException("the stage gave up"));
    }
  }

  @Test
  void bringsGroupsTogetherInOrder() {
    Pipeline pipeline = pipeline();
    PCollectionTuple packed =
        pipeline
            .apply("Words", Create.of("bee", "ant", "cow", "ape", "bat", "ant"))
            .apply(
                "Pack",
                ParDo.of(new PackWords())
                    .withOutputTags(PackWords.LENGTHS, TupleTagList.of(PackWords.BLOCKS)));
    PCollection<String> lines =
        packed
            .get(PackWords.BLOCKS)
            .apply("Group", GroupIntoBuckets.create())
            .apply("List", ParDo.of(new ListWords(new DirectorySpillSpace(directory.toString()))));

    // Not containsInAnyOrder(), which needs Hamcrest.
    PAssert.that(lines)
        .satisfies(
            all -> {
              assertThat(all).containsExactlyInAnyOrder("ant ant ape", "bat bee", "cow");
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  @Test
  void leavesNoRunBehindWhenAStageFails() {
    Pipeline pipeline = pipeline();
    List<String> words = IntStream.range(0, 5_000).mapToObj(i -> "word-" + i).toList();
    pipeline
        .apply("Words", Create.of(words))
        .apply(
            "Pack",
            ParDo.of(new PackWords())
                .withOutputTags(PackWords.LENGTHS, TupleTagList.of(PackWords.BLOCKS)))
        .get(PackWords.BLOCKS)
        .apply("Group", GroupIntoBuckets.create())
        .apply("Give up", ParDo.of(new GiveUp(new DirectorySpillSpace(directory.toString()))));

    assertThatThrownBy(() -> pipeline.run().waitUntilFinish())
        .hasRootCauseMessage("the stage gave up");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void namesSpillSpaceThatCannotBeUsed() {
    Path missing = directory.resolve("missing");
    Pipeline pipeline = pipeline();
    List<String> words = IntStream.range(0, 5_000).mapToObj(i -> "word-" + i).toList();
    pipeline
        .apply("Words", Create.of(words))
        .apply(
            "Pack",
            ParDo.of(new PackWords())
                .withOutputTags(PackWords.LENGTHS, TupleTagList.of(PackWords.BLOCKS)))
        .get(PackWords.BLOCKS)
        .apply("Group", GroupIntoBuckets.create())
        .apply("Give up", ParDo.of(new GiveUp(new DirectorySpillSpace(missing.toString()))));

    assertThatThrownBy(() -> pipeline.run().waitUntilFinish())
        .cause()
        .hasMessageStartingWith("Cannot sort in temporary space: ")
        .hasMessageContaining(missing.toString());
  }

  @Test
  void refusesAnotherCoder() {
    PCollection<KV<Integer, byte[]>> blocks =
        pipeline()
            .apply(
                "Blocks",
                Create.empty(KvCoder.of(BigEndianIntegerCoder.of(), ByteArrayCoder.of())));

    assertThatThrownBy(() -> blocks.apply("Group", GroupIntoBuckets.create()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid coder of Blocks/")
        .hasMessageEndingWith("must be " + Blocks.coder());
  }

  @Test
  void refusesUnboundedInput() {
    PCollection<KV<Integer, byte[]>> blocks =
        pipeline()
            .apply("Blocks", Create.empty(Blocks.coder()))
            .setIsBoundedInternal(PCollection.IsBounded.UNBOUNDED);

    assertThatThrownBy(() -> blocks.apply("Group", GroupIntoBuckets.create()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("Invalid input: Blocks/.* is unbounded, must be bounded");
  }

  private static Pipeline pipeline() {
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs("--runner=DirectRunner", "--targetParallelism=2").create());
  }
}
