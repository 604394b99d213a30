package dev.constat.rules.findings;

import static dev.constat.rules.findings.Level.ERROR;
import static dev.constat.rules.findings.Level.INFO;
import static dev.constat.rules.findings.Level.WARNING;

/**
 * The kinds of disagreement that Constat states (spec section 6), with their level and their rule.
 */
public enum Kind {
  CONFLICTING_DUPLICATE(ERROR, "All receptions of one key must have the same content."),
  ARCHIVE_CONFLICT(
      ERROR,
      "One reception attempt (ingestion_id) must have one content in the archive; of several none is trusted."),
  INGESTION_ID_REUSED(
      ERROR, "An ingestion_id must name one reception, not receptions of several keys."),
  PAYLOAD_HASH_MISMATCH(
      ERROR, "A declared hash must be that of the content under the rule it names."),
  DECISION_MISMATCH(ERROR, "The live system must have decided about a reception as the rules do."),
  DECISION_MISSING(WARNING, "The live system must have recorded a decision about every reception."),
  DECISION_ORPHAN(WARNING, "A recorded decision must be about a reception that is in the archive."),
  MISSING_OUTBOX(
      ERROR,
      "An accepted event that is expected to have an effect must have an outbox row that announces it."),
  ORPHAN_OUTBOX(ERROR, "An outbox row must name one event that was received."),
  SURPLUS_OUTBOX(
      ERROR, "An event must have one outbox row per effect that is expected of it, and no other."),
  STATE_CONFLICT(
      ERROR, "Where an outbox row has several contents, versions must say which of them holds."),
  IMPOSSIBLE_STATE(
      ERROR,
      "An outbox row must be one that some history leads to: its times in order, its status borne out by them."),
  STUCK_PENDING(ERROR, "An outbox row must not be PENDING for longer than pending_after."),
  STUCK_LEASE(
      ERROR, "An outbox row whose lease has ended must be picked up again within the grace."),
  IMPLICIT_DLQ(ERROR, "An outbox row with no attempt left must be declared a dead letter."),
  ACKED_NOT_TERMINAL(WARNING, "An outbox row that was acknowledged must be marked as dispatched."),
  DLQ(WARNING, "A dead letter is an effect that was given up; this says who never received it."),
  RETRY_LIMIT_EXCEEDED(WARNING, "An outbox row must not be tried more often than max_attempts."),
  IMPLAUSIBLE_LEASE(WARNING, "A lease must not be longer than any that is given out."),
  LEASE_OVERLAP(
      WARNING, "An outbox row must not be claimed while the lease of another worker is running."),
  BLOCKED_BY_HEAD(
      INFO,
      "A row of an ordered aggregate waits until every earlier one is done; this one has waited for long."),
  MISSING_ACK(
      ERROR, "A dispatched row must be acknowledged by each of its consumers within the grace."),
  ORPHAN_ACK(ERROR, "An acknowledgement must be of an outbox row that is there."),
  REDELIVERY(
      INFO,
      "At-least-once delivery may deliver again under the same effect key; this says how often, and in which crash window."),
  DOUBLE_EFFECT(
      ERROR, "An effect must happen once for each event and consumer, under one effect key."),
  /** Also at level warning, where a row was sent again after it had been given up. */
  ORDER_VIOLATION(ERROR, "Rows of an ordered aggregate must be delivered in their order."),
  UNAUTHORISED_REPLAY_EFFECT(
      ERROR, "A replay must have no effect unless the registry gives it leave."),
  REPLAY_OUT_OF_SCOPE(ERROR, "A replay must keep to the events of its topic and interval."),
  REPLAY_OVERLAP(
      WARNING,
      "Two replays that both may have effects, or both feed one projection version, must not republish the same event."),
  REPLAY_ORDER(WARNING, "A replay must republish events in their order."),
  REPLAY_PARTIAL(
      INFO,
      "A replay should reach the end of its scope; of this one only the first events were seen."),
  PROJECTION_DRIFT(ERROR, "A recorded cell must be what its events give."),
  MISSING_WINDOW(ERROR, "A cell that events give must be recorded."),
  UNEXPECTED_WINDOW(ERROR, "A recorded cell must have events that give it."),
  NON_DETERMINISTIC_PROJECTION(
      ERROR, "One version of a projection must make one output of the same events."),
  BROKEN_CHAIN(ERROR, "A correction must be of an event that is known."),
  CORRECTION_BEFORE_TARGET(INFO, "A correction should come after what it corrects."),
  CORRECTION_FORK(ERROR, "An event must not have two corrections side by side."),
  CORRECTION_CYCLE(ERROR, "Corrections must not lead back to where they began."),
  SEQUENCE_GAP(WARNING, "A sequence that is declared dense must have every number."),
  SEQUENCE_RESET(INFO, "A sequence should go on; this one began anew."),
  UNKNOWN_SCHEMA_VERSION(
      WARNING,
      "An accepted event must carry a schema version that the contract of its source names."),
  CONTRACT_DRIFT(WARNING, "Units and JSON types must not change under one schema version."),
  ZONE_SUSPECT(
      WARNING,
      "Times must be in the zone they are declared in; these are all off by one and the same time zone."),
  UNIT_SUSPECT(
      WARNING, "Times must be in the unit they are declared in; these would be right in another."),
  SCHEMA_VERSION_APPEARED(INFO, "A schema version that no contract speaks of has appeared."),
  UNDECLARED_EFFECT(INFO, "Outbox rows should announce only effects that the run spec names."),
  UNEXPECTED_CONSUMER(INFO, "Only consumers that the run spec names should acknowledge."),
  SUSPECTED_IDENTITY_DRIFT(
      WARNING, "Ids must not be rewritten on the way; these look as if they were."),
  UNZONED_TIMESTAMP(WARNING, "A time must say its zone, or the run spec must say it."),
  INPUT_ERROR(ERROR, "Every record must be readable; what is not leaves the evidence incomplete."),
  NO_INPUT(ERROR, "An input that is configured must have records."),
  INPUT_NOTE(INFO, "How a file was read, where that is not a matter of course.");

  private final Level level;
  private final String rule;

  Kind(Level level, String rule) {
    this.level = level;
    this.rule = rule;
  }

  /** The level of its findings, where they do not say otherwise. */
  public Level level() {
    return level;
  }

  /** What must hold, or what is stated where nothing need hold: one sentence for people. */
  public String rule() {
    return rule;
  }
}
