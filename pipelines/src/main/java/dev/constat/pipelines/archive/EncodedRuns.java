package dev.constat.pipelines.archive;

import com.google.common.base.Preconditions;
import java.nio.ByteBuffer;

/**
 * Passes over encoded numbers in a page without decoding them: run-length and bit-packed runs
 * (encoding RLE), and delta-packed numbers (DELTA_BINARY_PACKED). Decoders allocate by the counts
 * that these begin with and take what is missing for zeros; here it is held against the page first.
 */
final class EncodedRuns {

  /** How many groups of eight a bit-packed run may have. Writers end them after 63. */
  private static final int MAX_GROUPS = 1 << 20;

  /** The largest block of delta-packed numbers. Writers make blocks of 128 to 2048. */
  private static final int MAX_BLOCK = 1 << 20;

  private final ByteBuffer bytes;

  /** Of the bytes of a buffer, from its position to its limit. */
  EncodedRuns(ByteBuffer bytes) {
    this.bytes = bytes.duplicate();
  }

  /** Passes over bytes. */
  void skip(long count) {
    Preconditions.checkArgument(
        count >= 0 && count <= bytes.remaining(),
        "a page has %s bytes where it says there are %s",
        bytes.remaining(),
        count);
    bytes.position(bytes.position() + (int) count);
  }

  /** Whether there is more. */
  boolean hasMore() {
    return bytes.hasRemaining();
  }

  /** A byte. */
  int octet() {
    Preconditions.checkArgument(bytes.hasRemaining(), "a page ends too early");
    return bytes.get() & 0xFF;
  }

  /** Four bytes, as lengths stand before levels. */
  int length() {
    return octet() | octet() << 8 | octet() << 16 | octet() << 24;
  }

  /** What follows in {@code length} bytes, which are passed over. */
  EncodedRuns next(int length) {
    ByteBuffer slice = bytes.duplicate();
    skip(length);
    slice.limit(bytes.position());
    return new EncodedRuns(slice);
  }

  /**
   * Passes over runs to the end.
   *
   * @param bits bits of a number
   * @param most how many numbers there are at most
   * @param exactly whether there must be so many
   */
  void runs(int bits, int most, boolean exactly) {
    Preconditions.checkArgument(bits <= 32, "a page has numbers of %s bits", bits);
    long count = 0;
    while (bytes.hasRemaining() && count < most) {
      long head = varint();
      long run = head >>> 1;
      Preconditions.checkArgument(
          run > 0 && head <= 0xFFFF_FFFFL, "a page has a run of %s numbers", run);
      if ((head & 1) == 0) {
        skip((bits + 7) / 8);
        count += run;
      } else {
        Preconditions.checkArgument(
            run <= MAX_GROUPS, "a page has a bit-packed run of %s groups", run);
        long left = Math.min(most - count, run * 8);
        long needed = exactly ? (left * bits + 7) / 8 : run * bits;
        Preconditions.checkArgument(
            needed <= bytes.remaining(),
            "a page has %s bytes for a bit-packed run of %s",
            bytes.remaining(),
            needed);
        skip(Math.min(run * bits, bytes.remaining()));
        count += run * 8;
      }
    }
    Preconditions.checkArgument(
        !exactly || count >= most, "a page has %s encoded numbers instead of %s", count, most);
  }

  /**
   * Passes over delta-packed numbers.
   *
   * @param most how many there are at most
   */
  void deltas(int most) {
    long block = varint();
    long minis = varint();
    long count = varint();
    varint();
    Preconditions.checkArgument(
        block > 0
            && block <= MAX_BLOCK
            && minis > 0
            && minis <= block
            && block % minis == 0
            && block / minis % 8 == 0,
        "a page has delta blocks of %s numbers in %s parts",
        block,
        minis);
    Preconditions.checkArgument(
        count <= most, "a page has %s delta-packed numbers for %s values", count, most);
    long mini = block / minis;
    long left = count - 1;
    while (left > 0) {
      varint();
      int widths = bytes.position();
      skip(minis);
      for (int i = 0; i < minis && left > 0; i++) {
        int bits = bytes.get(widths + i) & 0xFF;
        Preconditions.checkArgument(bits <= 64, "a page has numbers of %s bits", bits);
        skip(mini * bits / 8);
        left -= mini;
      }
    }
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int octet = octet();
      value |= (long) (octet & 0x7F) << shift;
      if (octet < 0x80) {
        return value;
      }
    }
    return value;
  }
}
