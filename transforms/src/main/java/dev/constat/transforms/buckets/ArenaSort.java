package dev.constat.transforms.buckets;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Sorts references to records by the records' total order, without an object per record.
 *
 * <p>A range is sorted by seven bytes of its keys at a time, which are fetched once and lie next to
 * each other; what is equal in them is sorted by the next seven. Keys that begin alike, as those of
 * one source do, so cost a pass over memory instead of a full comparison for each pair. The time is
 * linear in the bytes that tell records apart, whatever the input.
 */
final class ArenaSort {

  /** Up to here, records are compared with each other directly. */
  private static final int FEW_RECORDS = 8;

  /** Up to here, prefixes are compared with each other directly. */
  private static final int FEW_PREFIXES = 40;

  private static final int PREFIX_BYTES = Long.BYTES - 1;

  /** In the last byte of a prefix: the key goes on behind it. */
  private static final int GOES_ON = PREFIX_BYTES + 1;

  private static final int RADIX = 1 << Byte.SIZE;

  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final RecordArena arena;
  private final RecordView left = new RecordView();
  private final RecordView right = new RecordView();

  private long[] references;
  private long[] prefixes;

  // For each digit of a prefix a table by its value: where the next one goes, where they end.
  private int[] next;
  private int[] ends;

  ArenaSort(RecordArena arena) {
    this.arena = arena;
  }

  void sort(long[] references, int size) {
    this.references = references;
    if (size > FEW_RECORDS && prefixes == null) {
      prefixes = new long[references.length];
      next = new int[Long.BYTES * RADIX];
      ends = new int[Long.BYTES * RADIX];
    }
    sort(0, size, 0, 0);
  }

  /** Gives up memory; to be called whenever the references are held in another array. */
  void release() {
    references = null;
    prefixes = null;
  }

  /** Sorts a range whose keys are equal before byte {@code depth} of {@code part}. */
  private void sort(int rangeFrom, int rangeTo, int firstPart, int firstDepth) {
    int from = rangeFrom;
    int to = rangeTo;
    int part = firstPart;
    int depth = firstDepth;
    while (to - from > FEW_RECORDS) {
      long difference = fetchPrefixes(from, to, part, depth);
      int largestFrom = from;
      int largestTo = to;
      if (difference != 0) {
        sortPrefixes(from, to, Long.numberOfLeadingZeros(difference) / Byte.SIZE);
        largestTo = from;
        for (int i = from, end; i < to; i = end) {
          end = endOfEqual(i, to);
          if (end - i > largestTo - largestFrom) {
            largestFrom = i;
            largestTo = end;
          }
        }
        // All but the largest are at most half the range, so recursion stays shallow.
        for (int i = from, end; i < to; i = end) {
          end = endOfEqual(i, to);
          if (end - i > 1 && i != largestFrom) {
            sortBehindPrefix(i, end, part, depth);
          }
        }
      }
      if (goesOn(prefixes[largestFrom])) {
        depth += PREFIX_BYTES;
      } else if (part + 1 < RecordView.PARTS) {
        part++;
        depth = 0;
      } else {
        return;
      }
      from = largestFrom;
      to = largestTo;
    }
    sortFew(from, to, part, depth);
  }

  private void sortBehindPrefix(int from, int to, int part, int depth) {
    if (goesOn(prefixes[from])) {
      sort(from, to, part, depth + PREFIX_BYTES);
    } else if (part + 1 < RecordView.PARTS) {
      sort(from, to, part + 1, 0);
    }
  }

  private int endOfEqual(int from, int to) {
    int end = from + 1;
    while (end < to && prefixes[end] == prefixes[from]) {
      end++;
    }
    return end;
  }

  /** Fetches the prefixes of a range and returns the bits in which they differ. */
  private long fetchPrefixes(int from, int to, int part, int depth) {
    long difference = 0;
    for (int i = from; i < to; i++) {
      arena.moveToReference(left, references[i]);
      long prefix = prefix(left.buffer, left.partFrom(part) + depth, left.partTo(part));
      prefixes[i] = prefix;
      difference |= prefix ^ prefixes[from];
    }
    return difference;
  }

  /**
   * Seven bytes of a key, filled up with zeros, and in the last byte how many there are. Unsigned
   * order of prefixes is the order of the keys as far as they reach, a shorter key first.
   */
  private static long prefix(byte[] buffer, int from, int to) {
    int rest = to - from;
    int count = Math.min(rest, GOES_ON);
    if (from <= buffer.length - Long.BYTES) {
      long bytes = (long) BIG_ENDIAN.get(buffer, from);
      int unused = Math.max(1, Long.BYTES - count);
      return count == 0 ? 0 : bytes >>> unused * Byte.SIZE << unused * Byte.SIZE | count;
    }
    long bytes = 0;
    for (int i = 0; i < PREFIX_BYTES; i++) {
      bytes = bytes << Byte.SIZE | (i < rest ? buffer[from + i] & 0xFF : 0);
    }
    return bytes << Byte.SIZE | count;
  }

  private static boolean goesOn(long prefix) {
    return (prefix & 0xFF) == GOES_ON;
  }

  /** Sorts a range by its prefixes, which are equal before {@code digit}, in place. */
  private void sortPrefixes(int from, int to, int digit) {
    if (to - from <= FEW_PREFIXES) {
      sortFewPrefixes(from, to);
      return;
    }
    int shift = (Long.BYTES - 1 - digit) * Byte.SIZE;
    int table = digit * RADIX;
    Arrays.fill(ends, table, table + RADIX, 0);
    for (int i = from; i < to; i++) {
      ends[table + digit(i, shift)]++;
    }
    int at = from;
    for (int t = table; t < table + RADIX; t++) {
      next[t] = at;
      at += ends[t];
      ends[t] = at;
    }
    for (int t = table; t < table + RADIX; t++) {
      while (next[t] < ends[t]) {
        int home = table + digit(next[t], shift);
        if (home == t) {
          next[t]++;
        } else {
          swap(next[t], next[home]++);
        }
      }
    }
    if (digit + 1 < Long.BYTES) {
      int begin = from;
      for (int t = table; t < table + RADIX; t++) {
        int end = ends[t];
        if (end - begin > 1) {
          sortPrefixes(begin, end, digit + 1);
        }
        begin = end;
      }
    }
  }

  private int digit(int index, int shift) {
    return (int) (prefixes[index] >>> shift) & 0xFF;
  }

  private void swap(int i, int j) {
    long prefix = prefixes[i];
    prefixes[i] = prefixes[j];
    prefixes[j] = prefix;
    long reference = references[i];
    references[i] = references[j];
    references[j] = reference;
  }

  private void sortFewPrefixes(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long prefix = prefixes[i];
      long reference = references[i];
      int at = i;
      while (at > from && Long.compareUnsigned(prefixes[at - 1], prefix) > 0) {
        prefixes[at] = prefixes[at - 1];
        references[at] = references[at - 1];
        at--;
      }
      prefixes[at] = prefix;
      references[at] = reference;
    }
  }

  private void sortFew(int from, int to, int part, int depth) {
    for (int i = from + 1; i < to; i++) {
      long reference = references[i];
      arena.moveToReference(right, reference);
      int at = i;
      while (at > from && isAfterRight(references[at - 1], part, depth)) {
        references[at] = references[at - 1];
        at--;
      }
      references[at] = reference;
    }
  }

  private boolean isAfterRight(long reference, int part, int depth) {
    arena.moveToReference(left, reference);
    return RecordView.compare(left, right, part, depth) > 0;
  }
}
