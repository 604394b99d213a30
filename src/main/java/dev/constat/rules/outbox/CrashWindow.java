package dev.constat.rules.outbox;

/**
 * Where between publication and mark a delivery can fall that comes a second time: the rule {@code
 * crash-windows/1}. An outbox promises at-least-once; every repeat is the trace of something that
 * went wrong between claiming a row and marking it, and the rows often still show what.
 *
 * <p>A repeat is an effective original acknowledgement <i>n</i> of a row behind another one
 * <i>p</i>, the one before it by the same consumer under the same effect key. The claim under which
 * an acknowledgement was delivered is the latest claim of its worker that is not after it; without
 * a worker's name (or without owners) the latest of all. A repeat takes the first of these that
 * applies. Where versions of the row are missing, or times have no zone, less is known and a later
 * one applies, in the end {@link #NOT_SHOWN}.
 */
public enum CrashWindow {
  /**
   * The row had been marked DISPATCHED after <i>p</i>'s claim and before the claim of <i>n</i>: the
   * mark was overwritten, or its transaction did not stand.
   */
  SUPERSEDED_MARK,

  /**
   * One of the two was acknowledged by a worker after another had claimed the row, and had claimed
   * it while the worker's lease was running: two owners at once, as LEASE_OVERLAP states of the
   * row.
   */
  OVERLAPPING_LEASES,

  /**
   * One of the two was delivered by a worker that no longer owned the row: another had claimed it
   * by then, after the worker's lease had ended. Of a row without older versions: its worker is not
   * the owner, and acknowledged when the owner had the row.
   */
  LAPSED_LEASE,

  /**
   * A {@link #LAPSED_LEASE} whose claim covers other rows too: the batch took longer than its
   * lease. No row shows this by itself.
   */
  BATCH_OVER_LEASE,

  /**
   * The row was claimed anew between <i>p</i> and <i>n</i>, and no mark came in between: the worker
   * crashed, or lost its connection, behind the publication and before the mark. Where the claim of
   * <i>n</i> is unknown: the row was tried more than once, and was marked after <i>p</i> or is not
   * marked yet.
   */
  PUBLISHED_BEFORE_MARK,

  /** The repeat came through another outbox row of the event. */
  SURPLUS_ROW,

  /** Nothing in the rows says how it came about. */
  NOT_SHOWN
}
