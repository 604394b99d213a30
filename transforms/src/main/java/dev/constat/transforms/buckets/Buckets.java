package dev.constat.transforms.buckets;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.io.Serializable;

/**
 * A number of buckets, and in which of them a group lives: the top bits of a fixed 64-bit
 * fingerprint of the group's bytes. The answer depends on nothing else, so it is the same on every
 * machine, runner and version.
 *
 * @param count how many: a power of two from 1 to {@value #MAX_COUNT}
 */
public record Buckets(int count) implements Serializable {

  /** The largest number of buckets. */
  public static final int MAX_COUNT = 4096;

  /** About how many bytes of records a bucket is meant to hold. */
  public static final long BYTES_PER_BUCKET = 32L << 20;

  // Guava promises that a fingerprint function never changes what it returns.
  private static final HashFunction FINGERPRINT = Hashing.farmHashFingerprint64();

  public Buckets {
    checkArgument(
        isValidCount(count),
        "Invalid number of buckets: %s, must be a power of two from 1 to %s",
        count,
        MAX_COUNT);
  }

  /** Whether {@code count} is a number of buckets that can be asked for. */
  public static boolean isValidCount(int count) {
    return count >= 1 && count <= MAX_COUNT && Integer.bitCount(count) == 1;
  }

  /** The fewest buckets that hold {@code bytes} of records with no more than is meant in each. */
  public static Buckets forInputBytes(long bytes) {
    checkArgument(bytes >= 0, "Invalid input size: %s, must not be negative", bytes);
    int count = 1;
    while (count < MAX_COUNT && bytes > count * BYTES_PER_BUCKET) {
      count *= 2;
    }
    return new Buckets(count);
  }

  /** The fixed 64-bit fingerprint of some bytes. */
  public static long fingerprint(byte[] bytes, int from, int to) {
    return FINGERPRINT.hashBytes(bytes, from, to - from).asLong();
  }

  /** The bucket of a group, from 0 to {@code count - 1}. */
  public int of(byte[] group, int from, int to) {
    long hash = fingerprint(group, from, to);
    // In two steps, because one bucket would need a shift by 64, which Java takes for none.
    return (int) (hash >>> 1 >>> Long.numberOfLeadingZeros(count));
  }

  /** The bucket of a group, from 0 to {@code count - 1}. */
  public int of(byte[] group) {
    return of(group, 0, group.length);
  }
}
