package dev.constat.transforms.buckets;

import static com.google.common.base.Preconditions.checkArgument;

import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;

/**
 * The format of a block, which is how records travel: one byte of format version, four bytes of
 * length (of the whole block, most significant first), then records one after the other.
 */
public final class Blocks {

  /** The size that a block is closed at, unless a single record is larger. */
  public static final int MAX_LENGTH = 256 << 10;

  /** What all the open blocks of one {@link BlockAppender} take at most. */
  public static final int MEMORY = 32 << 20;

  static final int FORMAT_VERSION = 1;
  static final int HEADER = 1 + Integer.BYTES;

  private Blocks() {}

  /** The coder of blocks on their way, with their bucket as key. */
  public static KvCoder<Integer, byte[]> coder() {
    return KvCoder.of(VarIntCoder.of(), ByteArrayCoder.of());
  }

  /** The size that a block is closed at when there are so many buckets. */
  static int lengthFor(Buckets buckets) {
    return Math.min(MAX_LENGTH, MEMORY / buckets.count());
  }

  /** Writes the header of a block whose records are in place already. */
  static void writeHeader(byte[] block, int length) {
    block[0] = FORMAT_VERSION;
    for (int i = 1; i < HEADER; i++) {
      block[i] = (byte) (length >>> Byte.SIZE * (HEADER - 1 - i));
    }
  }

  /** Refuses what is not a whole block of a known format. */
  static void checkHeader(byte[] block) {
    checkArgument(block.length >= HEADER, "Invalid block: %s bytes", block.length);
    checkArgument(
        block[0] == FORMAT_VERSION,
        "Unsupported block format: v%s (supported: v%s)",
        block[0] & 0xFF,
        FORMAT_VERSION);
    int length = 0;
    for (int i = 1; i < HEADER; i++) {
      length = length << Byte.SIZE | block[i] & 0xFF;
    }
    checkArgument(
        block.length == length, "Invalid block: %s bytes, but it says %s", block.length, length);
  }

  /** Moves {@code record} to the record at {@code from}, and refuses one that leaves the block. */
  static void moveTo(RecordView record, byte[] block, int from) {
    boolean whole;
    try {
      record.moveTo(block, from);
      whole = record.endsBy(block.length);
    } catch (ArrayIndexOutOfBoundsException e) {
      whole = false;
    }
    checkArgument(whole, "Invalid block: no whole record at byte %s of %s", from, block.length);
  }
}
