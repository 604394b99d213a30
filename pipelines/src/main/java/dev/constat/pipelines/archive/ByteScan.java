package dev.constat.pipelines.archive;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks through arrays of bytes eight at a time. */
final class ByteScan {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private ByteScan() {}

  /** Where an ASCII character first stands in a part of an array, or -1. */
  static int indexOf(byte[] bytes, int from, int to, char ascii) {
    long wanted = ONES * ascii;
    int i = from;
    while (i <= to - Long.BYTES && zeros((long) LONGS.get(bytes, i) ^ wanted) == 0) {
      i += Long.BYTES;
    }
    while (i < to && bytes[i] != ascii) {
      i++;
    }
    return i < to ? i : -1;
  }

  /** Whether a part of an array is ASCII. */
  static boolean isAscii(byte[] bytes, int from, int to) {
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      if (((long) LONGS.get(bytes, i) & HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; i < to; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** Not zero exactly if a byte of the word is. */
  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGH_BITS;
  }
}
