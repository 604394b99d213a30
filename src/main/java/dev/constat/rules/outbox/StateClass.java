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
  /** PROCESSING under a lease whose end, or begin where it has no end, has no zone. */
  LEASE_UNKNOWN,
  STUCK_LEASE,
  LEASED,
  /** PENDING with no attempt left. */
  IMPLICIT_DLQ,
  /** PENDING, and not for long. */
  WAITING,
  STUCK_PENDING,
  /**
   * No status, PENDING for long with a visible_at that has no zone, or an as_of before the outbox's
   * cut: its state then is not known.
   */
  NOT_JUDGED
}
