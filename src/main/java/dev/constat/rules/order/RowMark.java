package dev.constat.rules.order;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;

/**
 * A row as bytes of which the greatest is wanted: the one that lets go last, and of several the
 * first in order; or just the first in order. Behind what is compared stands the row itself, so
 * that who keeps the greatest value knows whose it is.
 */
public final class RowMark {

  /** How many bytes an instant takes. */
  private static final int TIME_BYTES = Long.BYTES + Integer.BYTES;

  private RowMark() {}

  /**
   * Appends the mark of a row that lets those behind it go at a time: the greatest is that of the
   * row that does so last, of several the first in order.
   *
   * @param position bytes of {@link AggregateRow#writePosition}
   * @param content bytes of {@link AggregateRow#writeContent}
   */
  public static void writeLast(
      KeyWriter out, AggregateRow row, KeyWriter position, KeyWriter content) {
    out.instant(row.releasedAt());
    writeFirst(out, position, content);
  }

  /** Appends the mark of a row of which the greatest is the first in order. */
  public static void writeFirst(KeyWriter out, KeyWriter position, KeyWriter content) {
    byte[] buffer = position.buffer();
    for (int i = 0; i < position.size(); i++) {
      out.octet(~buffer[i]);
    }
    out.raw(content.buffer(), 0, content.size());
    int length = position.size();
    out.octet(length >>> 24).octet(length >>> 16).octet(length >>> 8).octet(length);
  }

  /** When the row of a mark that {@link #writeLast} wrote lets those behind it go. */
  static Instant releasedAt(byte[] mark) {
    return new KeyReader(mark, 0, TIME_BYTES).instant();
  }

  /**
   * Whether the row of such a mark lets those behind it go after a time.
   *
   * @param time the time, encoded
   */
  static boolean isAfter(byte[] mark, KeyWriter time) {
    return Arrays.compareUnsigned(mark, 0, TIME_BYTES, time.buffer(), 0, TIME_BYTES) > 0;
  }

  /** The row of a mark that {@link #writeLast} wrote, in the aggregate that it was kept for. */
  static AggregateRow last(
      byte[] mark, String aggregateType, String aggregateId, boolean integerIds) {
    return read(mark, TIME_BYTES, aggregateType, aggregateId, integerIds);
  }

  /** The row of a mark that {@link #writeFirst} wrote, in the aggregate that it was kept for. */
  static AggregateRow first(
      byte[] mark, String aggregateType, String aggregateId, boolean integerIds) {
    return read(mark, 0, aggregateType, aggregateId, integerIds);
  }

  private static AggregateRow read(
      byte[] mark, int from, String aggregateType, String aggregateId, boolean integerIds) {
    int contentTo = mark.length - Integer.BYTES;
    int contentFrom = from + ByteBuffer.wrap(mark).getInt(contentTo);
    byte[] position = new byte[contentFrom - from];
    for (int i = 0; i < position.length; i++) {
      position[i] = (byte) ~mark[from + i];
    }
    return AggregateRow.read(
        aggregateType,
        aggregateId,
        new KeyReader(position),
        new KeyReader(mark, contentFrom, contentTo),
        integerIds);
  }
}
