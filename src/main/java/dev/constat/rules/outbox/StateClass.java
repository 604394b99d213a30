package dev.constat.rules.outbox;

/**
 * What the state of an outbox row amounts to at the cut; the first that applies (spec section 6).
 */
public enum StateClass {
  /** Several contents, and no version says which one is the row. */
  STATE_CONFLICT,
  DISPATCHED,
  DLQ,
  /** PENDING or PROCESSING although an original acknowledgement exists. */
  ACKED_NOT_TERMINAL,
  /** PROCESSING under a lease whose end, or start where no end is given, has no zone. */
  LEASE_UNKNOWN,
  STUCK_LEASE,
  LEASED,
  /** PENDING with no attempt left. */
  IMPLICIT_DLQ,
  /** PENDING, and not for long. */
  WAITING,
  /** PENDING for longer than it may, behind a row of its aggregate that is not terminal. */
  BLOCKED_BY_HEAD,
  STUCK_PENDING,
  /**
   * No status, a visible_at without a zone, or an as_of before the outbox's cut: its state then is
   * not known.
   */
  NOT_JUDGED
}
