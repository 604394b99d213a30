package dev.constat.transforms.simulator;

/** What goes wrong with one row of the outbox. */
enum Fault {
  /** Nothing. */
  NONE,

  // faults that at-least-once delivery has to live with

  CRASH_BEFORE_PUBLISH,
  CRASH_AFTER_PUBLISH,
  /** The worker stands still for longer than its lease, and then publishes. */
  STALL_BEFORE_PUBLISH,
  /** The worker stands still for longer than its lease, having published. */
  STALL_AFTER_PUBLISH,
  /** It was published, and the worker takes it for a failure. */
  AMBIGUOUS_FAILURE,
  /** The broker hands one message out twice. */
  BROKER_REPEATS,
  /** Like STALL_BEFORE_PUBLISH; then publishing fails, and that overwrites another's mark. */
  STALE_FAILURE,
  /** The mark is lost some time later. */
  LOST_MARK,

  // breaches

  /** No poll ever sees the row. */
  CURSOR_SKIP,
  /** It fails each time, and is marked dead. */
  DEAD,
  /** It fails each time, and nobody marks it dead. */
  EXHAUSTED,
  /** Marked dead, and taken up again by hand. */
  RESUBMITTED,
  /** It fails more often than is allowed, and is sent in the end. */
  TRIED_TOO_OFTEN,
  /** The worker crashes with the lease in hand, and nobody recovers it. */
  LEFT_CLAIMED,
  /** Published; the worker crashes, and nobody takes the row up again. */
  NEVER_MARKED,
  /** A lease of an hour. */
  LONG_LEASE,
  /** Another worker claims the row under a lease that holds. */
  STOLEN_LEASE,
  /** Like STALL_BEFORE_PUBLISH; the idempotency key depends on the worker. */
  KEY_OF_WORKER,
  /** The broker hands it out twice, and the consumer applies it twice. */
  APPLIED_TWICE,
  /** The consumer does it twice, under a key of its own each time. */
  TWO_RECEIPTS,
  /** A consumer loses the message. */
  LOST_MESSAGE,
  /** The transaction commits long after it began. */
  LATE_COMMIT
}
