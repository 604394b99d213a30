package dev.constat.rules.lease;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.outbox.CrashWindow;

/**
 * Tells batches that took longer than their lease from single rows that did: a claim that lapsed
 * and that covers several outbox rows is a batch ({@link CrashWindow#BATCH_OVER_LEASE}). Rows
 * claimed by one owner at one instant are one claim.
 */
public final class BatchJudge {

  private static final String RULE = "crash-windows/1";
  private static final int SEVERAL = 2;

  private final Tally tally;
  private long rows;

  /**
   * A judge.
   *
   * @param tally where the repeats of such claims move to their window
   */
  public BatchJudge(Tally tally) {
    this.tally = tally;
  }

  /** Begins a claim. */
  public void begin() {
    rows = 0;
  }

  /** Takes an outbox row in that the claim covers. */
  public void row() {
    rows++;
  }

  /**
   * Judges repeats that came under the claim once its lease had ended, when all its rows are in.
   *
   * @param subject of the REDELIVERY that they are part of
   * @param effectType of their row
   * @param repeats how many
   * @return a part of that finding that adds the hint and nothing else, or null where the claim
   *     covers one row only
   */
  public Finding lapsed(String subject, String effectType, long repeats) {
    if (rows < SEVERAL) {
      return null;
    }
    tally.add(-repeats, LeaseTally.WINDOWS, effectType, CrashWindow.LAPSED_LEASE.name());
    tally.add(repeats, LeaseTally.WINDOWS, effectType, CrashWindow.BATCH_OVER_LEASE.name());
    // Without a time it comes behind the part that has the words.
    return new Finding(
        Kind.REDELIVERY,
        Kind.REDELIVERY.level(),
        subject,
        Sentence.of("The batch took longer than its lease"),
        "{}",
        "{}",
        RULE,
        ImmutableList.of(),
        null,
        null,
        ImmutableSortedSet.of(CrashWindow.BATCH_OVER_LEASE.name()),
        0);
  }
}
