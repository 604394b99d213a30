package dev.constat.transforms.stages;

import dev.constat.rules.findings.Tally;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.scan.Samples;
import dev.constat.transforms.scan.Slabs;
import java.io.Serializable;

/**
 * How scopes that are scanned in order are cut by time, so that one of any size keeps all workers
 * busy.
 *
 * @param rate of how many records the position of one is noted
 * @param least about how many records a slab holds at least
 */
public record SlabPlan(int rate, long least) implements Serializable {

  /** What runs do. */
  public static final SlabPlan DEFAULT = new SlabPlan(Samples.DEFAULT_RATE, 1 << 14);

  /** So many slabs per bucket, so that buckets come out about even. */
  private static final long SLABS_PER_BUCKET = 4;

  /** The samples of a family of scopes. */
  Samples samples(String family) {
    return new Samples(family, rate);
  }

  /**
   * Cuts the scopes of a family.
   *
   * @param tally with the samples of all records
   * @param records how many there are
   */
  Slabs slabs(Tally tally, String family, long records, Buckets buckets) {
    long size = Math.max(least, records / (SLABS_PER_BUCKET * buckets.count()));
    return Slabs.of(tally, samples(family), size);
  }
}
