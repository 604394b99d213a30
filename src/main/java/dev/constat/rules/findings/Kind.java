package dev.constat.rules.findings;

import static dev.constat.rules.findings.Level.ERROR;
import static dev.constat.rules.findings.Level.INFO;
import static dev.constat.rules.findings.Level.WARNING;

/** The kinds of disagreement that Constat states (spec section 6), with their level. */
public enum Kind {
  CONFLICTING_DUPLICATE(ERROR),
  ARCHIVE_CONFLICT(ERROR),
  INGESTION_ID_REUSED(ERROR),
  PAYLOAD_HASH_MISMATCH(ERROR),
  DECISION_MISMATCH(ERROR),
  DECISION_MISSING(WARNING),
  DECISION_ORPHAN(WARNING),
  MISSING_OUTBOX(ERROR),
  ORPHAN_OUTBOX(ERROR),
  SURPLUS_OUTBOX(ERROR),
  STATE_CONFLICT(ERROR),
  IMPOSSIBLE_STATE(ERROR),
  STUCK_PENDING(ERROR),
  STUCK_LEASE(ERROR),
  IMPLICIT_DLQ(ERROR),
  ACKED_NOT_TERMINAL(WARNING),
  DLQ(WARNING),
  RETRY_LIMIT_EXCEEDED(WARNING),
  IMPLAUSIBLE_LEASE(WARNING),
  MISSING_ACK(ERROR),
  ORPHAN_ACK(ERROR),
  REDELIVERY(INFO),
  DOUBLE_EFFECT(ERROR),
  UNKNOWN_SCHEMA_VERSION(WARNING),
  SCHEMA_VERSION_APPEARED(INFO),
  UNDECLARED_EFFECT(INFO),
  UNEXPECTED_CONSUMER(INFO),
  SUSPECTED_IDENTITY_DRIFT(WARNING),
  UNZONED_TIMESTAMP(WARNING),
  INPUT_ERROR(ERROR),
  NO_INPUT(ERROR),
  INPUT_NOTE(INFO);

  private final Level level;

  Kind(Level level) {
    this.level = level;
  }

  /** The level of its findings. */
  public Level level() {
    return level;
  }
}
