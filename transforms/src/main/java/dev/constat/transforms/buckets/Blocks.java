package dev.constat.transforms.buckets;

import static com.google.common.base.Preconditions.checkArgument;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;

/**
 * The format of a block, which is how records travel: one byte of format version, four bytes of
 * length (of the whole block, most significant first), four bytes that say how many records there
 * are, then the records one after the other.
 */
public final class Blocks {

  /** The size that a block is closed at, unless a single record is larger. */
  public static final int MAX_LENGTH = 256 << 10;

  /** What all the open blocks of one {@link BlockAppender} take at most. */
  public static final int MEMORY = 32 << 20;

  static final int FORMAT_VERSION = 2;
  static final int HEADER = 1 + 2 * Integer.BYTES;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private Blocks() {}

  /** The coder of blocks, or of their tickets, on their way, with their bucket as key. */
  public static KvCoder<Integer, byte[]> coder() {
    return KvCoder.of(VarIntCoder.of(), ByteArrayCoder.of());
  }

  /** The size that a block is closed at when there are so many buckets. */
  static int lengthFor(Buckets buckets) {
    return Math.min(MAX_LENGTH, MEMORY / buckets.count());
  }

  /** Writes the header of a block whose records are in place already. */
  static void writeHeader(byte[] block, int length, int records) {
    block[0] = FORMAT_VERSION;
    INT.set(block, 1, length);
    INT.set(block, 1 + Integer.BYTES, records);
  }

  /**
   * Refuses what is not a whole block of a known format.
   *
   * @param buffer holds it
   * @param from where it begins
   * @param length how many bytes it has
   * @return how many records it has
   */
  static int checkHeader(byte[] buffer, int from, int length) {
    checkArgument(length >= HEADER, "Invalid block: %s bytes", length);
    checkArgument(
        buffer[from] == FORMAT_VERSION,
        "Unsupported block format: v%s (supported: v%s)",
        buffer[from] & 0xFF,
        FORMAT_VERSION);
    int said = (int) INT.get(buffer, from + 1);
    checkArgument(length == said, "Invalid block: %s bytes, but it says %s", length, said);
    int records = (int) INT.get(buffer, from + 1 + Integer.BYTES);
    checkArgument(
        records >= 0 && records <= length,
        "Invalid block: %s records in %s bytes",
        records,
        length);
    return records;
  }

  /**
   * Moves {@code record} to the record at {@code at}, and refuses one that leaves the block.
   *
   * @param to where the block ends
   */
  static void moveTo(RecordView record, byte[] buffer, int at, int to) {
    boolean whole;
    try {
      record.moveTo(buffer, at);
      whole = record.endsBy(to);
    } catch (ArrayIndexOutOfBoundsException e) {
      whole = false;
    }
    checkArgument(whole, "Invalid block: no whole record %s bytes before its end", to - at);
  }
}
