package dev.constat.transforms.simulator;

/** A breach of what is promised, to be played on top of the mechanics. */
public enum Breach {
  /** A row fails and waits for its next attempt; the dispatcher goes on with the next one. */
  RETRY_OVERTAKE(Fault.NONE, true),
  /** A dispatcher that keeps no order prefers what has priority. */
  PRIORITY_OVERTAKE(Fault.NONE, true),
  /** A dispatcher sends its batch in parallel tasks. */
  PARALLEL_BATCH(Fault.NONE, true),
  /** Without order, rows pass one that is never sent. */
  UNDELIVERED_HEAD(Fault.CURSOR_SKIP, true),
  LATE_COMMIT(Fault.LATE_COMMIT, true),
  DLQ_RESUBMIT(Fault.RESUBMITTED, true),
  DEAD_LETTER(Fault.DEAD, false),
  IMPLICIT_DEAD_LETTER(Fault.EXHAUSTED, false),
  CURSOR_SKIP(Fault.CURSOR_SKIP, false),
  LEFT_CLAIMED(Fault.LEFT_CLAIMED, false),
  NEVER_MARKED(Fault.NEVER_MARKED, false),
  LOST_MARK(Fault.LOST_MARK, false),
  TRIED_TOO_OFTEN(Fault.TRIED_TOO_OFTEN, false),
  LONG_LEASE(Fault.LONG_LEASE, false),
  STOLEN_LEASE(Fault.STOLEN_LEASE, false),
  STALE_OWNER(Fault.KEY_OF_WORKER, false),
  APPLIED_TWICE(Fault.APPLIED_TWICE, false),
  TWO_RECEIPTS(Fault.TWO_RECEIPTS, false),
  LOST_MESSAGE(Fault.LOST_MESSAGE, false),
  /** An accepted event gets no row. */
  LOST_ROW(Fault.NONE, false),
  /** A row whose event is gone. */
  ORPHAN_ROW(Fault.NONE, false),
  /** An acknowledgement of a row that never was. */
  STRAY_ACK(Fault.NONE, false),
  /** An event comes again when the intake has forgotten it. */
  FORGOTTEN_EVENT(Fault.NONE, false),
  /** Handlers run during a replay that has no leave. */
  UNAUTHORISED_REPLAY(Fault.NONE, false),
  /** Effects of a replay that nobody registered. */
  UNKNOWN_REPLAY(Fault.NONE, false),
  /** A replay goes beyond its interval. */
  REPLAY_BEYOND_INTERVAL(Fault.NONE, false),
  /** A replay takes in another topic. */
  REPLAY_OF_OTHER_TOPIC(Fault.NONE, false),
  /** A replay does not publish in order. */
  REPLAY_DISORDER(Fault.NONE, false),
  /** A replay breaks off and is not taken up again. */
  REPLAY_BROKEN_OFF(Fault.NONE, false),
  /** Two replays, both with leave, of the same events. */
  REPLAYS_OVERLAP(Fault.NONE, false),
  /** A replay under original keys brings another key. */
  REPLAY_OTHER_KEY(Fault.NONE, false);

  private final Fault fault;
  private final boolean ordered;

  Breach(Fault fault, boolean ordered) {
    this.fault = fault;
    this.ordered = ordered;
  }

  /** What it does to a row. */
  Fault fault() {
    return fault;
  }

  /** Whether it is one only where order was asked for. */
  boolean ordered() {
    return ordered;
  }

  /** Whether a dispatcher that should keep order does not. */
  boolean neglectsOrder() {
    return this == RETRY_OVERTAKE
        || this == PRIORITY_OVERTAKE
        || this == PARALLEL_BATCH
        || this == UNDELIVERED_HEAD;
  }

  /** Whether it needs a replay. */
  boolean ofReplay() {
    return ordinal() >= UNAUTHORISED_REPLAY.ordinal();
  }
}
