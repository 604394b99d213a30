package dev.constat.rules.time;

/**
 * A contiguous hole in the numbers of an epoch.
 *
 * @param epoch the epoch, from 0
 * @param firstMissing the smallest number of the hole, unsigned
 * @param lastMissing the greatest, unsigned
 * @param lower the first reception with the number below it
 * @param upper the first reception with the number above it
 */
public record Gap(long epoch, long firstMissing, long lastMissing, Numbered lower, Numbered upper) {

  /** How many numbers are missing, unsigned. */
  public long count() {
    return lastMissing - firstMissing + 1;
  }
}
