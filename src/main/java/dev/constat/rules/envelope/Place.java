package dev.constat.rules.envelope;

import com.google.common.collect.ComparisonChain;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.nio.ByteBuffer;

/**
 * Where a record stands in the archives. The order of places is the last tie-breaker everywhere:
 * input, file by name, position.
 *
 * @param input the input's ordinal
 * @param file rank of the file's name among the files of its input, from 0
 * @param part number of the split (JSON lines) or row group (Parquet) inside the file, from 0
 * @param position byte offset of the line in the uncompressed text (JSON lines), or number of the
 *     row in the file (Parquet), from 0
 * @param line number of the line inside its part, from 0; 0 in Parquet
 */
public record Place(int input, int file, int part, long position, int line)
    implements Comparable<Place> {

  /** Length in bytes of {@link #toBytes}. */
  public static final int BYTES = 21;

  @Override
  public int compareTo(Place other) {
    return ComparisonChain.start()
        .compare(input, other.input)
        .compare(file, other.file)
        .compare(part, other.part)
        .compare(position, other.position)
        .compare(line, other.line)
        .result();
  }

  /** Fixed length; unsigned comparison of the bytes is the order of places. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .put((byte) input)
        .putInt(file)
        .putInt(part)
        .putLong(position)
        .putInt(line)
        .array();
  }

  /** Appends what {@link #toBytes} gives. */
  public void write(KeyWriter out) {
    out.octet(input).unsigned32(file).unsigned32(part).unsigned(position).unsigned32(line);
  }

  /** Reads what {@link #write} wrote. */
  public static Place read(KeyReader in) {
    return new Place(in.octet(), in.unsigned32(), in.unsigned32(), in.unsigned(), in.unsigned32());
  }

  /** Reads what {@link #toBytes} wrote, from {@code offset} on. */
  public static Place fromBytes(byte[] bytes, int offset) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, BYTES);
    return new Place(
        buffer.get(), buffer.getInt(), buffer.getInt(), buffer.getLong(), buffer.getInt());
  }
}
