package dev.constat.rules.synthesis;

/**
 * Random numbers by place: each is a hash of a seed, a purpose and an index, so that any can be had
 * without those before it. The hash is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast
 * splittable pseudorandom number generators), applied twice.
 */
final class Mix {

  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private final long seed;

  Mix(long seed) {
    this.seed = finish(seed + GAMMA);
  }

  /**
   * A number of 64 random bits. For one seed and purpose different indexes have different numbers.
   */
  long at(int purpose, long index) {
    return finish(finish(seed + purpose * GAMMA) + index);
  }

  /** A number from 0 on, below a bound. */
  long below(long bound, int purpose, long index) {
    return Math.multiplyHigh(at(purpose, index) >>> 1, bound << 1);
  }

  private static long finish(long bits) {
    long z = bits;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
