package dev.constat.transforms.simulator;

import dev.constat.rules.findings.Kind;

/** A breach of what is promised, to be played on top of the mechanics. */
public enum Breach {
  /** A row fails and waits for its next attempt; the dispatcher goes on with the next one. */
  RETRY_OVERTAKE(Fault.NONE, true, Kind.ORDER_VIOLATION, "RETRY_OVERTAKE"),
  /** A dispatcher that keeps no order prefers what has priority. */
  PRIORITY_OVERTAKE(Fault.NONE, true, Kind.ORDER_VIOLATION, "PRIORITY"),
  /** A dispatcher sends its batch in parallel tasks. */
  PARALLEL_BATCH(Fault.NONE, true, Kind.ORDER_VIOLATION, "UNKNOWN"),
  /** Without order, rows pass one that is never sent. */
  UNDELIVERED_HEAD(Fault.CURSOR_SKIP, true, Kind.ORDER_VIOLATION),
  LATE_COMMIT(Fault.LATE_COMMIT, true, Kind.ORDER_VIOLATION, "LATE_VISIBILITY"),
  DLQ_RESUBMIT(Fault.RESUBMITTED, true, Kind.ORDER_VIOLATION, "DLQ_RESUBMIT"),
  DEAD_LETTER(Fault.DEAD, false, Kind.DLQ),
  IMPLICIT_DEAD_LETTER(Fault.EXHAUSTED, false, Kind.IMPLICIT_DLQ),
  CURSOR_SKIP(Fault.CURSOR_SKIP, false, Kind.STUCK_PENDING, "CURSOR_SKIP"),
  LEFT_CLAIMED(Fault.LEFT_CLAIMED, false, Kind.STUCK_LEASE),
  NEVER_MARKED(Fault.NEVER_MARKED, false, Kind.ACKED_NOT_TERMINAL),
  LOST_MARK(Fault.LOST_MARK, false, Kind.REDELIVERY),
  TRIED_TOO_OFTEN(Fault.TRIED_TOO_OFTEN, false, Kind.RETRY_LIMIT_EXCEEDED),
  LONG_LEASE(Fault.LONG_LEASE, false, Kind.IMPLAUSIBLE_LEASE),
  STOLEN_LEASE(Fault.STOLEN_LEASE, false, Kind.LEASE_OVERLAP),
  STALE_OWNER(Fault.KEY_OF_WORKER, false, Kind.DOUBLE_EFFECT, "STALE_OWNER"),
  APPLIED_TWICE(Fault.APPLIED_TWICE, false, Kind.DOUBLE_EFFECT),
  TWO_RECEIPTS(Fault.TWO_RECEIPTS, false, Kind.DOUBLE_EFFECT, "UNSTABLE_KEY"),
  LOST_MESSAGE(Fault.LOST_MESSAGE, false, Kind.MISSING_ACK),
  /** An accepted event gets no row. */
  LOST_ROW(Fault.NONE, false, Kind.MISSING_OUTBOX),
  /** A row whose event is gone. */
  ORPHAN_ROW(Fault.NONE, false, Kind.ORPHAN_OUTBOX),
  /** An acknowledgement of a row that never was. */
  STRAY_ACK(Fault.NONE, false, Kind.ORPHAN_ACK),
  /** An event comes again when the intake has forgotten it. */
  FORGOTTEN_EVENT(Fault.NONE, false, Kind.SURPLUS_OUTBOX, "DEDUP_EXPIRED"),
  /** Handlers run during a replay that has no leave. */
  UNAUTHORISED_REPLAY(Fault.NONE, false, Kind.UNAUTHORISED_REPLAY_EFFECT),
  /** Effects of a replay that nobody registered. */
  UNKNOWN_REPLAY(Fault.NONE, false, Kind.UNAUTHORISED_REPLAY_EFFECT),
  /** A replay goes beyond its interval. */
  REPLAY_BEYOND_INTERVAL(Fault.NONE, false, Kind.REPLAY_OUT_OF_SCOPE),
  /** A replay takes in another topic. */
  REPLAY_OF_OTHER_TOPIC(Fault.NONE, false, Kind.REPLAY_OUT_OF_SCOPE),
  /** A replay does not publish in order. */
  REPLAY_DISORDER(Fault.NONE, false, Kind.REPLAY_ORDER),
  /** A replay breaks off and is not taken up again. */
  REPLAY_BROKEN_OFF(Fault.NONE, false, Kind.REPLAY_PARTIAL),
  /** Two replays, both with leave, of the same events. */
  REPLAYS_OVERLAP(Fault.NONE, false, Kind.REPLAY_OVERLAP),
  /** A replay under original keys brings another key. */
  REPLAY_OTHER_KEY(Fault.NONE, false, Kind.DOUBLE_EFFECT);

  private final Fault fault;
  private final boolean ordered;
  private final Kind kind;
  private final String hint;

  Breach(Fault fault, boolean ordered, Kind kind) {
    this(fault, ordered, kind, null);
  }

  Breach(Fault fault, boolean ordered, Kind kind, String hint) {
    this.fault = fault;
    this.ordered = ordered;
    this.kind = kind;
    this.hint = hint;
  }

  /** Whether that is what the breach comes to, not something beside it. */
  boolean comesTo(Expectation expectation) {
    return expectation.kind() == kind && (hint == null || expectation.hints().contains(hint));
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
