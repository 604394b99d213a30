package dev.constat.rules.spec;

import com.google.common.base.Ascii;
import java.time.Duration;

/**
 * What may be planted in a synthetic archive: mostly something that goes wrong, and a few things
 * that look as if and are in order. Each stands in a profile under its name in lower case.
 */
public enum Fault {
  EXACT_DUPLICATE(Part.EVENTS, hours(12), "An event received again within eleven hours: in order."),
  ARCHIVE_COPY(Part.EVENTS, minutes(1), "A reception that the archive holds twice: in order."),
  CLOCK_AHEAD(Part.EVENTS, minutes(1), "An event of ten minutes after its reception: FUTURE."),
  CORRECTION(Part.EVENTS, minutes(2), "An event and one that supersedes it: in order."),
  CONFLICTING_DUPLICATE(
      Part.EVENTS, hours(2), "An event received again within 70 minutes, with other content."),
  ARCHIVE_CONFLICT(Part.EVENTS, minutes(1), "One reception attempt with two contents."),
  PAYLOAD_HASH_MISMATCH(Part.EVENTS, minutes(1), "A declared hash of another content."),
  IDENTITY_DRIFT(Part.EVENTS, minutes(1), "One event under two ids."),
  UNKNOWN_SCHEMA_VERSION(Part.EVENTS, minutes(1), "An event of a version nobody declared."),
  SCHEMA_VERSION_APPEARED(Part.EVENTS, minutes(2), "A source's second version, undeclared."),
  CONTRACT_DRIFT(
      Part.EVENTS, minutes(1), "A field that is a number in one event, text in another."),
  UNIT_SUSPECT(Part.EVENTS, minutes(1), "A time in milliseconds that was read as microseconds."),
  ZONE_SUSPECT(Part.EVENTS, minutes(2), "Twenty events whose times are two hours off."),
  SEQUENCE_GAP(Part.EVENTS, minutes(2), "A number that is missing from a dense sequence."),
  SEQUENCE_RESET(Part.EVENTS, minutes(2), "A dense sequence that begins anew."),
  BROKEN_CHAIN(Part.EVENTS, minutes(1), "A correction of an event that is nowhere."),
  CORRECTION_BEFORE_TARGET(Part.EVENTS, minutes(2), "A correction received before its target."),
  CORRECTION_FORK(Part.EVENTS, minutes(2), "Two corrections of one event."),
  CORRECTION_CYCLE(Part.EVENTS, minutes(2), "Two events that correct each other."),

  MISSING_OUTBOX(Part.OUTBOX, minutes(1), "An event without its row."),
  ORPHAN_OUTBOX(Part.OUTBOX, minutes(1), "A row of an event that nobody received."),
  SURPLUS_OUTBOX(Part.OUTBOX, minutes(1), "A second row of an event."),
  STATE_CONFLICT(Part.OUTBOX, minutes(1), "A row with two contents and no version."),
  IMPOSSIBLE_STATE(Part.OUTBOX, minutes(1), "A row dispatched before it was created."),
  STUCK_PENDING(Part.OUTBOX, minutes(1), "A row that is never claimed."),
  STUCK_LEASE(Part.OUTBOX, minutes(1), "A row whose worker died."),
  IMPLICIT_DLQ(Part.OUTBOX, minutes(1), "A row whose attempts are spent."),
  ACKED_NOT_TERMINAL(Part.OUTBOX, minutes(1), "A row that is acknowledged and still PENDING."),
  DLQ(Part.OUTBOX, minutes(1), "A row that was given up."),
  RETRY_LIMIT_EXCEEDED(Part.OUTBOX, minutes(1), "A row tried more often than it may be."),
  IMPLAUSIBLE_LEASE(Part.OUTBOX, minutes(1), "A lease longer than any that is given out."),
  UNDECLARED_EFFECT(Part.OUTBOX, minutes(1), "A row of an effect that nobody declared."),
  LEASE_OVERLAP(Part.VERSIONS, minutes(1), "A row that two workers held at once."),

  BLOCKED_BY_HEAD(Part.ORDER, minutes(1), "A row that waits behind one whose worker died."),
  ORDER_VIOLATION(Part.ORDER, minutes(3), "A row that overtook one that was retried."),
  DEAD_LETTER_RESUBMITTED(
      Part.ORDER, minutes(20), "A row sent after all, when others had gone on: ORDER_VIOLATION."),

  MISSING_ACK(Part.ACKS, minutes(1), "A dispatched row that nobody acknowledged."),
  ORPHAN_ACK(Part.ACKS, minutes(1), "An acknowledgement of a row that is nowhere."),
  REDELIVERY(Part.ACKS, minutes(1), "An acknowledgement that came again under its key."),
  DOUBLE_EFFECT(Part.ACKS, minutes(1), "An acknowledgement that came again under another key."),
  UNEXPECTED_CONSUMER(Part.ACKS, minutes(1), "An acknowledgement by a consumer nobody declared."),

  INGESTION_ID_REUSED(Part.DECISIONS, minutes(1), "Two events under one ingestion_id."),
  DECISION_MISMATCH(Part.DECISIONS, minutes(1), "A repeat that was recorded as new."),
  DECISION_MISSING(Part.DECISIONS, minutes(1), "A reception without a recorded decision."),
  DECISION_ORPHAN(Part.DECISIONS, minutes(1), "A recorded decision about no reception."),

  RECORDED_CELL(Part.CELLS, minutes(1), "A recorded cell that is right."),
  PROJECTION_DRIFT(Part.CELLS, minutes(1), "A recorded cell with another sum."),
  MISSING_WINDOW(Part.CELLS, minutes(1), "A cell that was not recorded."),
  UNEXPECTED_WINDOW(Part.CELLS, minutes(1), "A recorded cell that no event gives."),
  NON_DETERMINISTIC_PROJECTION(
      Part.CELLS, minutes(1), "A cell recorded twice, of the same events with other sums."),

  UNAUTHORISED_REPLAY_EFFECT(
      Part.REPLAYS, minutes(20), "An effect of a replay that may have none."),
  REPLAY_OUT_OF_SCOPE(Part.REPLAYS, minutes(20), "A replay that goes one event too far."),
  REPLAY_OVERLAP(Part.REPLAYS, minutes(20), "Two replays that share an event."),
  REPLAY_ORDER(Part.REPLAYS, minutes(20), "A replay that publishes an older event last."),
  REPLAY_PARTIAL(Part.REPLAYS, minutes(20), "A replay that was broken off."),

  UNZONED_TIMESTAMP(Part.STRAYS, minutes(1), "A record with a time without a zone."),
  UNKNOWN_COLUMN(Part.STRAYS, minutes(1), "A record with a column of its own: INPUT_NOTE."),
  UNREADABLE_RECORD(
      Part.STRAYS, minutes(1), "A record cut off in its middle: INPUT_ERROR, run INCONCLUSIVE.");

  /** What of an archive a fault needs beyond events, outbox rows and acknowledgements. */
  public enum Part {
    EVENTS,
    OUTBOX,
    ACKS,
    /** The outbox keeps versions of its rows. */
    VERSIONS,
    /** A second effect, whose order counts. */
    ORDER,
    /** Recorded decisions about all receptions. */
    DECISIONS,
    /** Recorded cells of a projection. */
    CELLS,
    /** A registry of replays, and the marks that replays leave. */
    REPLAYS,
    /** One more file of events, written by something else. */
    STRAYS
  }

  private final Part part;
  private final Duration reach;
  private final String doc;

  Fault(Part part, Duration reach, String doc) {
    this.part = part;
    this.reach = reach;
    this.doc = doc;
  }

  private static Duration hours(long hours) {
    return Duration.ofHours(hours);
  }

  private static Duration minutes(long minutes) {
    return Duration.ofMinutes(minutes);
  }

  /** Its name in a profile. */
  public String key() {
    return Ascii.toLowerCase(name());
  }

  /** What of an archive it needs. */
  public Part part() {
    return part;
  }

  /** How long after its event the last record of it may come. */
  public Duration reach() {
    return reach;
  }

  /** What it is, in one line. */
  public String doc() {
    return doc;
  }
}
