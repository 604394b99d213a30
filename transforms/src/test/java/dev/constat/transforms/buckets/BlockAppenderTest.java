package dev.constat.transforms.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockAppenderTest {

  private record Block(int bucket, byte[] bytes) {}

  private final List<Block> blocks = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(RecordShape.class)
  void bringsEveryRecordIntoABlockOfItsBucket(RecordShape shape) throws IOException {
    List<TestRecord> records = shape.records(1, 20_000);
    for (int count : new int[] {1, 16, 4096}) {
      blocks.clear();
      Buckets buckets = new Buckets(count);
      BlockAppender appender = appender(buckets);
      for (TestRecord record : records) {
        record.appendTo(appender);
      }
      appender.flush();

      try (RecordSorter sorter = new RecordSorter(new HeapSpillSpace())) {
        for (Block block : blocks) {
          sorter.addBlock(BlockStore.TRAVELLING, block.bytes());
          try (RecordSorter inBlock = new RecordSorter(new HeapSpillSpace())) {
            inBlock.addBlock(BlockStore.TRAVELLING, block.bytes());
            SortedRecords sorted = inBlock.sort();
            while (sorted.nextGroup()) {
              assertThat(buckets.of(sorted.group())).isEqualTo(block.bucket());
            }
          }
        }
        assertThat(TestRecord.readGroups(sorter.sort()))
            .isEqualTo(TestRecord.sortedGroups(records));
      }
    }
  }

  /** Blocks of one record and of some hundred, into a sorter that has room for few of them. */
  @ParameterizedTest
  @EnumSource(RecordShape.class)
  void losesNoRecordOfABlockThatTheSorterHasNoRoomFor(RecordShape shape) throws IOException {
    BlockAppender appender = appender(new Buckets(1));
    for (long budget : new long[] {4 << 10, 6 << 10, 32 << 10, 256 << 10}) {
      Random random = new Random(budget);
      HeapSpillSpace space = new HeapSpillSpace();
      try (RecordSorter sorter = new RecordSorter(space, budget)) {
        for (int repeat = 0; repeat < 3; repeat++) {
          blocks.clear();
          List<TestRecord> records = shape.records(repeat, 5_000);
          int left = 0;
          for (TestRecord record : records) {
            record.appendTo(appender);
            if (left-- == 0) {
              appender.flush();
              left = random.nextInt(1 << random.nextInt(10));
            }
          }
          appender.flush();
          for (Block block : blocks) {
            sorter.addBlock(BlockStore.TRAVELLING, block.bytes());
          }
          assertThat(TestRecord.readGroups(sorter.sort()))
              .isEqualTo(TestRecord.sortedGroups(records));
          sorter.clear();
        }
      }
      assertThat(space.stillOpen()).isZero();
    }
  }

  /** Blocks may lie in a shuffle of another worker; a change here needs a new format version. */
  @Test
  void writesVersionLengthAndRecords() {
    BlockAppender appender = appender(new Buckets(1));
    new TestRecord(new byte[] {1, 2}, new byte[] {3}, 9, new byte[] {4, 5, 6}).appendTo(appender);
    new TestRecord(new byte[0], new byte[0], 255, new byte[0]).appendTo(appender);
    appender.flush();

    assertThat(HexFormat.of().formatHex(blocks.get(0).bytes()))
        .isEqualTo(
            "02"
                + "00000017"
                + "00000002"
                + "020103"
                + "0102"
                + "03"
                + "09"
                + "040506"
                + "000000"
                + "ff");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 128, 256, 4096})
  void closesBlocksAtTheirSize(int count) {
    BlockAppender appender = appender(new Buckets(count));
    int limit = Math.min(256 << 10, (32 << 20) / count);
    byte[] group = {1};
    byte[] body = new byte[1_000];
    for (int i = 0; i < 2_000; i++) {
      new TestRecord(group, new byte[0], 0, body).appendTo(appender);
    }

    assertThat(blocks)
        .isNotEmpty()
        .allSatisfy(block -> assertThat(block.bytes()).hasSizeBetween(limit - 1_010, limit));
  }

  @Test
  void givesALargeRecordABlockOfItsOwn() throws IOException {
    BlockAppender appender = appender(new Buckets(1));
    TestRecord small = new TestRecord(new byte[] {1}, new byte[0], 0, new byte[10]);
    TestRecord large = new TestRecord(new byte[] {1}, new byte[0], 0, new byte[300 << 10]);
    small.appendTo(appender);
    large.appendTo(appender);
    small.appendTo(appender);
    appender.flush();

    assertThat(blocks).hasSize(2);
    try (RecordSorter sorter = new RecordSorter(new HeapSpillSpace())) {
      sorter.addBlock(BlockStore.TRAVELLING, blocks.get(0).bytes());
      assertThat(TestRecord.readGroups(sorter.sort())).isEqualTo(List.of(List.of(large)));
      sorter.clear();
      sorter.addBlock(BlockStore.TRAVELLING, blocks.get(1).bytes());
      assertThat(TestRecord.readGroups(sorter.sort())).isEqualTo(List.of(List.of(small, small)));
    }
  }

  @Test
  void forgetsWhatABundleBeforeHasLeft() {
    BlockAppender appender = appender(new Buckets(1));
    TestRecord record = new TestRecord(new byte[] {1}, new byte[0], 0, new byte[10]);
    record.appendTo(appender);
    appender.clear();

    assertThatThrownBy(() -> record.appendTo(appender))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("There is no output to append for");
    appender.to((bucket, block) -> blocks.add(new Block(bucket, block))).flush();
    assertThat(blocks).isEmpty();
  }

  @Test
  void keepsNoHoldOfABlockThatLeft() {
    BlockAppender appender = appender(new Buckets(1));
    new TestRecord(new byte[] {1}, new byte[0], 0, new byte[10]).appendTo(appender);
    appender.flush();
    byte[] before = blocks.get(0).bytes().clone();
    new TestRecord(new byte[] {2}, new byte[0], 0, new byte[10]).appendTo(appender);
    appender.flush();

    assertThat(blocks.get(0).bytes()).isEqualTo(before);
  }

  @Test
  void refusesDamagedBlocks() throws IOException {
    BlockAppender appender = appender(new Buckets(1));
    for (TestRecord record : RecordShape.NOISE.records(1, 3)) {
      record.appendTo(appender);
    }
    appender.flush();
    byte[] block = blocks.get(0).bytes();
    try (RecordSorter sorter = new RecordSorter(new HeapSpillSpace())) {
      assertThatThrownBy(() -> sorter.addBlock(BlockStore.TRAVELLING, new byte[4]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Invalid block: 4 bytes");
      assertThatThrownBy(
              () -> sorter.addBlock(BlockStore.TRAVELLING, Arrays.copyOf(block, block.length - 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Invalid block: %s bytes, but it says %s".formatted(block.length - 1, block.length));
      byte[] later = block.clone();
      later[0] = 1;
      assertThatThrownBy(() -> sorter.addBlock(BlockStore.TRAVELLING, later))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Unsupported block format: v1 (supported: v2)");
      byte[] longer = block.clone();
      Arrays.fill(longer, 9, 12, (byte) 0x7F);
      assertThatThrownBy(() -> sorter.addBlock(BlockStore.TRAVELLING, longer))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Invalid block: no whole record %s bytes before its end".formatted(block.length - 9));
      byte[] endless = block.clone();
      Arrays.fill(endless, 9, endless.length, (byte) 0xFF);
      assertThatThrownBy(() -> sorter.addBlock(BlockStore.TRAVELLING, endless))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Invalid block: no whole record %s bytes before its end".formatted(block.length - 9));
      byte[] tooMany = block.clone();
      tooMany[8] = 4;
      assertThatThrownBy(() -> sorter.addBlock(BlockStore.TRAVELLING, tooMany))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Invalid block: 1 of 4 records are missing");
      byte[] tooFew = block.clone();
      tooFew[8] = 2;
      assertThatThrownBy(() -> sorter.addBlock(BlockStore.TRAVELLING, tooFew))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Invalid block: more than the 2 records that it says");
      byte[] absurd = block.clone();
      absurd[5] = 0x7F;
      assertThatThrownBy(() -> sorter.addBlock(BlockStore.TRAVELLING, absurd))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Invalid block: %s records in %s bytes".formatted(0x7F000003, block.length));
    }
  }

  private BlockAppender appender(Buckets buckets) {
    return new BlockAppender(buckets, BlockStore.TRAVELLING)
        .to((bucket, block) -> blocks.add(new Block(bucket, block)));
  }
}
