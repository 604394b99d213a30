package dev.constat.transforms.scan;

import static com.google.common.base.Preconditions.checkArgument;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import dev.constat.transforms.buckets.Buckets;
import java.io.Serializable;

/**
 * Notes the positions of some records, about one in {@link #rate}, so that large scopes can be cut.
 * Whether a record is taken depends on its id alone, so the same records are taken however the
 * input is split.
 *
 * @param family which running maximum the records belong to
 * @param rate of how many records one is taken: a power of two
 */
public record Samples(String family, int rate) implements Serializable {

  /** Of so many records one is taken, unless said otherwise. */
  public static final int DEFAULT_RATE = 1024;

  /** Sum, by family, scope and position: records taken. */
  static final String PATH = "slab sample";

  public Samples {
    checkArgument(
        rate >= 1 && Integer.bitCount(rate) == 1,
        "Invalid rate: %s, must be a power of two from 1",
        rate);
  }

  /**
   * Counts a record if it is one that is taken.
   *
   * @param id what tells records apart that share scope and position
   */
  public void count(Tally tally, KeyWriter id, KeyWriter scope, KeyWriter position) {
    if (takes(id)) {
      tally.add(1, PATH, family, Steps.of(scope), Steps.of(position));
    }
  }

  private boolean takes(KeyWriter id) {
    return (Buckets.fingerprint(id.buffer(), 0, id.size()) & rate - 1) == 0;
  }
}
