package dev.constat.transforms.buckets;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkPositionIndexes;

import java.util.Arrays;

/**
 * A movable view of one encoded record. The encoding is the same in a block, in the sorter's memory
 * and in a spilled run:
 *
 * <pre>length of group | length of order | length of body | group | order | kind | body</pre>
 *
 * <p>Lengths are variable-length integers; the kind is one byte. It stands before the body, so that
 * comparing group, order and the rest, three runs of bytes, is the total order of records.
 */
final class RecordView {

  /** The most bytes that the three lengths take. */
  static final int MAX_HEADER = 15;

  static final int MAX_KIND = 255;

  /** How many runs of bytes a comparison looks at. */
  static final int PARTS = 3;

  // The largest array that every JVM can make.
  private static final int MAX_LENGTH = Integer.MAX_VALUE - 64;

  byte[] buffer;
  int from;
  int groupFrom;
  int orderFrom;
  int kindAt;
  int to;

  /** Moves the view to the record that begins at {@code from}. */
  void moveTo(byte[] buffer, int from) {
    this.buffer = buffer;
    this.from = from;
    int at = from;
    int b = buffer[at++];
    int groupLength = b & 0x7F;
    for (int shift = 7; b < 0; shift += 7) {
      b = buffer[at++];
      groupLength |= (b & 0x7F) << shift;
    }
    b = buffer[at++];
    int orderLength = b & 0x7F;
    for (int shift = 7; b < 0; shift += 7) {
      b = buffer[at++];
      orderLength |= (b & 0x7F) << shift;
    }
    b = buffer[at++];
    int bodyLength = b & 0x7F;
    for (int shift = 7; b < 0; shift += 7) {
      b = buffer[at++];
      bodyLength |= (b & 0x7F) << shift;
    }
    groupFrom = at;
    orderFrom = at + groupLength;
    kindAt = orderFrom + orderLength;
    to = kindAt + 1 + bodyLength;
  }

  /** How many bytes the record takes, its lengths included. */
  int length() {
    return to - from;
  }

  /**
   * Whether the parts follow each other up to {@code limit} at most. A view of damaged bytes fails
   * this.
   */
  boolean endsBy(int limit) {
    return groupFrom <= orderFrom && orderFrom <= kindAt && kindAt < to && to <= limit;
  }

  int partFrom(int part) {
    return part == 0 ? groupFrom : part == 1 ? orderFrom : kindAt;
  }

  int partTo(int part) {
    return part == 0 ? orderFrom : part == 1 ? kindAt : to;
  }

  /** Compares two records in the total order. */
  static int compare(RecordView left, RecordView right) {
    return compare(left, right, 0, 0);
  }

  /** Compares two records that are known to be equal before byte {@code depth} of {@code part}. */
  static int compare(RecordView left, RecordView right, int part, int depth) {
    int skip = depth;
    for (int p = part; p < PARTS; p++) {
      int order =
          Arrays.compareUnsigned(
              left.buffer,
              left.partFrom(p) + skip,
              left.partTo(p),
              right.buffer,
              right.partFrom(p) + skip,
              right.partTo(p));
      if (order != 0) {
        return order;
      }
      skip = 0;
    }
    return 0;
  }

  /** How many bytes a record of these parts takes. */
  static int lengthOf(int groupLength, int orderLength, int bodyLength) {
    long parts = (long) groupLength + orderLength + 1 + bodyLength;
    checkArgument(
        parts <= MAX_LENGTH - MAX_HEADER,
        "Invalid record: %s bytes, must be at most %s",
        parts,
        MAX_LENGTH - MAX_HEADER);
    return lengthOfSize(groupLength)
        + lengthOfSize(orderLength)
        + lengthOfSize(bodyLength)
        + (int) parts;
  }

  /** Writes a record at {@code at}, where there must be room for it. */
  static void write(
      byte[] into,
      int at,
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
    int end = writeSize(into, at, groupTo - groupFrom);
    end = writeSize(into, end, orderTo - orderFrom);
    end = writeSize(into, end, bodyTo - bodyFrom);
    System.arraycopy(group, groupFrom, into, end, groupTo - groupFrom);
    end += groupTo - groupFrom;
    System.arraycopy(order, orderFrom, into, end, orderTo - orderFrom);
    end += orderTo - orderFrom;
    into[end++] = (byte) kind;
    System.arraycopy(body, bodyFrom, into, end, bodyTo - bodyFrom);
  }

  /** Refuses parts that no record can have. */
  static void check(
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
    checkPositionIndexes(groupFrom, groupTo, group.length);
    checkPositionIndexes(orderFrom, orderTo, order.length);
    checkPositionIndexes(bodyFrom, bodyTo, body.length);
    checkArgument(
        kind >= 0 && kind <= MAX_KIND, "Invalid kind: %s, must be from 0 to %s", kind, MAX_KIND);
  }

  private static int lengthOfSize(int size) {
    return size < 1 << 7 ? 1 : size < 1 << 14 ? 2 : size < 1 << 21 ? 3 : size < 1 << 28 ? 4 : 5;
  }

  private static int writeSize(byte[] into, int at, int size) {
    int end = at;
    int rest = size;
    while (rest > 0x7F) {
      into[end++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    into[end++] = (byte) rest;
    return end;
  }
}
