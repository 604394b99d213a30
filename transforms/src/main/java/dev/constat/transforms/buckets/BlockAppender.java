package dev.constat.transforms.buckets;

import static com.google.common.base.Preconditions.checkState;

import dev.constat.rules.encoding.KeyWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Packs records into blocks, one open block per bucket. A block leaves when the next record does
 * not fit it, and the rest with {@link #flush}; a record larger than a block gets a block of its
 * own.
 *
 * <p>Belongs to one instance of a {@code DoFn}: {@link #clear} when a bundle starts, {@link #to}
 * with each element and once more when the bundle ends, then {@link #flush}.
 *
 * <p><b>Memory.</b> {@link Blocks#MEMORY} at most, taken as blocks grow; nothing is allocated for a
 * record. A block that cannot be kept is an {@link UncheckedIOException}.
 */
public final class BlockAppender {

  private static final int FIRST_CAPACITY = 1 << 10;

  private final Buckets buckets;
  private final int blockLength;
  private final byte[][] blocks;
  private final int[] lengths;
  private final int[] records;
  private final BlockStore store;
  private BlockOutput output;

  /**
   * Packs records.
   *
   * @param store where blocks go
   */
  public BlockAppender(Buckets buckets, BlockStore store) {
    this.buckets = buckets;
    this.store = store;
    this.blockLength = Blocks.lengthFor(buckets);
    this.blocks = new byte[buckets.count()][];
    this.lengths = new int[buckets.count()];
    this.records = new int[buckets.count()];
    Arrays.fill(lengths, Blocks.HEADER);
  }

  /** Says where the tickets of blocks go from now on. */
  public BlockAppender to(BlockOutput output) {
    this.output = output;
    return this;
  }

  /** Forgets the records that have not left, and where tickets go. */
  public void clear() {
    output = null;
    Arrays.fill(lengths, Blocks.HEADER);
    Arrays.fill(records, 0);
  }

  /** Appends a record to the block of its group's bucket. */
  public void append(KeyWriter group, KeyWriter order, int kind, KeyWriter body) {
    append(
        group.buffer(),
        0,
        group.size(),
        order.buffer(),
        0,
        order.size(),
        kind,
        body.buffer(),
        0,
        body.size());
  }

  /**
   * Appends a record, whose parts are copied, to the block of its group's bucket.
   *
   * @param kind from 0 to 255
   */
  public void append(
      byte[] group,
      int groupFrom,
      int groupTo,
      byte[] order,
      int orderFrom,
      int orderTo,
      int kind,
      byte[] body,
      int bodyFrom,
      int bodyTo) {
    checkState(output != null, "There is no output to append for");
    RecordView.check(
        group, groupFrom, groupTo, order, orderFrom, orderTo, kind, body, bodyFrom, bodyTo);
    int length = RecordView.lengthOf(groupTo - groupFrom, orderTo - orderFrom, bodyTo - bodyFrom);
    int bucket = buckets.of(group, groupFrom, groupTo);
    byte[] block;
    int at;
    if (length > blockLength - Blocks.HEADER) {
      block = new byte[Blocks.HEADER + length];
      at = Blocks.HEADER;
    } else {
      block = blockWithRoomFor(bucket, length);
      at = lengths[bucket];
      lengths[bucket] = at + length;
      records[bucket]++;
    }
    RecordView.write(
        block, at, group, groupFrom, groupTo, order, orderFrom, orderTo, kind, body, bodyFrom,
        bodyTo);
    if (block != blocks[bucket]) {
      emit(bucket, block, block.length, 1);
    }
  }

  /** Lets all records go that have not left. */
  public void flush() {
    for (int bucket = 0; bucket < blocks.length; bucket++) {
      if (lengths[bucket] > Blocks.HEADER) {
        emit(bucket);
      }
    }
  }

  private byte[] blockWithRoomFor(int bucket, int length) {
    if (lengths[bucket] + length > blockLength) {
      emit(bucket);
    }
    int needed = lengths[bucket] + length;
    byte[] block = blocks[bucket];
    if (block == null || block.length < needed) {
      int doubled = block == null ? FIRST_CAPACITY : block.length * 2;
      int capacity = Math.min(blockLength, Math.max(doubled, needed));
      block = block == null ? new byte[capacity] : Arrays.copyOf(block, capacity);
      blocks[bucket] = block;
    }
    return block;
  }

  private void emit(int bucket) {
    checkState(output != null, "There is no output to append for");
    emit(bucket, blocks[bucket], lengths[bucket], records[bucket]);
    lengths[bucket] = Blocks.HEADER;
    records[bucket] = 0;
  }

  private void emit(int bucket, byte[] block, int length, int count) {
    Blocks.writeHeader(block, length, count);
    try {
      output.output(bucket, store.keep(block, length));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
