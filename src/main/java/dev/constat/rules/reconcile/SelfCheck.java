package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import java.util.Map;

/**
 * Distrusts a comparison of two inputs in which everything differs: more likely the inputs do not
 * belong together (spec section 6). The findings stay.
 */
public final class SelfCheck {

  /** From so many subjects on, all of them differing is not believed. */
  public static final long SUBJECTS = 100;

  private static final ImmutableSet<Kind> BETWEEN_INPUTS =
      Sets.immutableEnumSet(
          Kind.MISSING_OUTBOX,
          Kind.ORPHAN_OUTBOX,
          Kind.MISSING_ACK,
          Kind.ORPHAN_ACK,
          Kind.DECISION_MISMATCH,
          Kind.DECISION_MISSING,
          Kind.DECISION_ORPHAN,
          Kind.PAYLOAD_HASH_MISMATCH,
          Kind.PROJECTION_DRIFT,
          Kind.MISSING_WINDOW,
          Kind.UNEXPECTED_WINDOW);

  private SelfCheck() {}

  /**
   * Why the run cannot be believed, as sentences.
   *
   * @param findings number of findings by kind
   */
  public static ImmutableList<String> of(Tally tally, Map<Kind, Long> findings) {
    ImmutableList.Builder<String> reasons = ImmutableList.builder();
    for (Kind kind : BETWEEN_INPUTS) {
      long judged = tally.sum(CheckTally.JUDGED, kind.name());
      if (judged >= SUBJECTS && findings.getOrDefault(kind, 0L) == judged) {
        reasons.add(
            "All "
                + judged
                + " subjects of "
                + kind
                + " differ: the two inputs may not belong together");
      }
    }
    return reasons.build();
  }
}
