package dev.constat.pipelines.archive;

/**
 * Passes over a struct in Thrift's compact protocol, in which Parquet writes footers and page
 * headers, and tells the numbers in it. Whatever a size in it claims must be there: what this has
 * passed over can be parsed in memory that is bounded by its length.
 */
final class CompactThrift {

  /** Hears of the numbers in a struct and in the structs that are its own fields. */
  interface Numbers {

    /** No interest in numbers. */
    Numbers NONE = (outer, field, value) -> {};

    /**
     * A number.
     *
     * @param outer id of the field that has the struct that it stands in; 0 at the top
     * @param field id of its own field
     * @param value its value
     */
    void number(int outer, int field, long value);
  }

  /** Bytes that end before the struct does. */
  static final class TruncatedException extends RefusedIn {

    private static final long serialVersionUID = 1L;

    private TruncatedException() {
      super("it ends inside");
    }
  }

  /** Bytes that are no such struct. */
  static class RefusedIn extends Exception {

    private static final long serialVersionUID = 1L;

    private RefusedIn(String problem) {
      super(problem);
    }
  }

  private static final int MAX_DEPTH = 32;
  private static final int MAX_VARINT = 10;

  private final byte[] bytes;
  private final int to;
  private final Numbers numbers;
  private final int maxStructs;
  private int at;
  private int structs;

  private CompactThrift(byte[] bytes, int from, int to, int maxStructs, Numbers numbers) {
    this.bytes = bytes;
    this.at = from;
    this.to = to;
    this.maxStructs = maxStructs;
    this.numbers = numbers;
  }

  /**
   * Passes over a struct.
   *
   * @param maxStructs how many structs it may have in it
   * @return where it ends
   * @throws TruncatedException if the bytes end before
   * @throws RefusedIn if it is none, or claims more than there is
   */
  static int pass(byte[] bytes, int from, int to, int maxStructs, Numbers numbers)
      throws RefusedIn {
    CompactThrift thrift = new CompactThrift(bytes, from, to, maxStructs, numbers);
    thrift.struct(0, 0);
    return thrift.at;
  }

  private void struct(int outer, int depth) throws RefusedIn {
    if (depth > MAX_DEPTH) {
      throw new RefusedIn("it nests deeper than " + MAX_DEPTH);
    }
    if (++structs > maxStructs) {
      throw new RefusedIn("it has more than " + maxStructs + " parts");
    }
    int field = 0;
    for (int head = octet(); head != 0; head = octet()) {
      int delta = head >>> 4;
      field = delta == 0 ? (int) zigzag() : field + delta;
      value(head & 15, depth == 0 ? 0 : outer, field, depth, true);
    }
  }

  private void value(int type, int outer, int field, int depth, boolean inField) throws RefusedIn {
    switch (type) {
      case 1, 2 -> skip(inField ? 0 : 1);
      case 3 -> skip(1);
      case 4, 5, 6 -> {
        long number = zigzag();
        if (depth <= 1) {
          numbers.number(outer, field, number);
        }
      }
      case 7 -> skip(8);
      case 8 -> skip(varint());
      case 9, 10 -> list(outer, field, depth);
      case 11 -> map(depth);
      case 12 -> struct(depth == 0 ? field : outer, depth + 1);
      case 13 -> skip(16);
      default -> throw new RefusedIn("it has a field of no type");
    }
  }

  private void list(int outer, int field, int depth) throws RefusedIn {
    if (depth > MAX_DEPTH) {
      throw new RefusedIn("it nests deeper than " + MAX_DEPTH);
    }
    int head = octet();
    long size = head >>> 4 == 15 ? varint() : head >>> 4;
    requireElements(size);
    for (long left = size; left > 0; left--) {
      value(head & 15, depth == 0 ? field : outer, 0, depth + 1, false);
    }
  }

  private void map(int depth) throws RefusedIn {
    long size = varint();
    requireElements(size);
    int types = size == 0 ? 0 : octet();
    for (long left = size; left > 0; left--) {
      value(types >>> 4, -1, 0, depth + 1, false);
      value(types & 15, -1, 0, depth + 1, false);
    }
  }

  /** Every element takes a byte at least. */
  private void requireElements(long size) throws RefusedIn {
    if (size < 0 || size > Integer.MAX_VALUE) {
      throw new RefusedIn("it has a list of " + size);
    }
    if (size > to - at) {
      throw new TruncatedException();
    }
  }

  private void skip(long count) throws RefusedIn {
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw new RefusedIn("it has a text of " + count + " bytes");
    }
    if (count > to - at) {
      throw new TruncatedException();
    }
    at += (int) count;
  }

  private long zigzag() throws RefusedIn {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  private long varint() throws RefusedIn {
    long value = 0;
    for (int i = 0; i < MAX_VARINT; i++) {
      int octet = octet();
      value |= (long) (octet & 0x7F) << 7 * i;
      if (octet < 0x80) {
        return value;
      }
    }
    throw new RefusedIn("it has a number without an end");
  }

  private int octet() throws RefusedIn {
    if (at == to) {
      throw new TruncatedException();
    }
    return bytes[at++] & 0xFF;
  }
}
