package dev.constat.rules.plan;

/** Why something is not planned. */
public enum Withheld {

  /** The event has no id of its source, so a consumer could not tell the repeat. */
  NO_EVENT_ID("it has no source_event_id"),

  /** An ingestion_id of the event came with several contents: which is the event, nobody knows. */
  ARCHIVE_CONFLICT("an ingestion_id of it has several contents"),

  /** Only replays brought the event; what was received first is not in the archive. */
  ORIGINAL_ABSENT("the archive has it from replays alone"),

  /** A row names several events, this among them. */
  AMBIGUOUS_EVENT("an outbox row names several events, this among them"),

  /** No event is known for the row. */
  ORPHAN("no event is known for the row"),

  /** Another row of the event and type is in force, or none is expected: it must not be sent. */
  SURPLUS("the row should not be there"),

  /** The row belongs to a replay, which is repeated as a whole or not at all. */
  REPLAY("the row belongs to a replay"),

  /** What the row says of itself cannot be. */
  IMPOSSIBLE_STATE("the row contradicts itself"),

  /** Every consumer has acknowledged the effect, through another row of the event. */
  ACKNOWLEDGED("the effect was acknowledged through another row"),

  /** Every consumer that has not acknowledged the effect had it through a replay. */
  DELIVERED_BY_REPLAY("a replay has delivered the effect"),

  /** An acknowledgement of the effect names no consumer, so nobody knows whose it is. */
  UNNAMED_CONSUMER("an acknowledgement of the effect names no consumer"),

  /** There is no row, and an acknowledgement names the event: there was one. */
  ACKNOWLEDGED_WITHOUT_ROW("an acknowledgement without outbox row names the event"),

  /** Some of the outbox could not be read, and the row may be among that. */
  OUTBOX_INCOMPLETE("some outbox rows could not be read"),

  /** Acknowledgements are no input. */
  ACKNOWLEDGEMENTS_NOT_CONFIGURED("acknowledgements are not configured"),

  /** Nothing was read of them. */
  ACKNOWLEDGEMENTS_EMPTY("the acknowledgements are empty"),

  /** Some of them could not be read. */
  ACKNOWLEDGEMENTS_INCOMPLETE("some acknowledgements could not be read"),

  /** One may have come behind their cut. */
  ACKNOWLEDGEMENTS_END_TOO_EARLY("an acknowledgement may have come after their cut"),

  /** One may have come before they begin. */
  ACKNOWLEDGEMENTS_BEGIN_TOO_LATE("an acknowledgement may have come before they begin"),

  /** An earlier row of its aggregate is not done: what mends that one lets this one go. */
  BLOCKED_BY_HEAD("an earlier row of its aggregate holds it back"),

  /** The effect keeps the order of aggregates, and of which one the message is nobody knows. */
  AGGREGATE_UNKNOWN("its aggregate, whose order it must keep, is not known"),

  /** A later row of its aggregate was delivered: sent now, it would come out of order. */
  OVERTAKEN("a later row of its aggregate was delivered");

  private final String sentence;

  Withheld(String sentence) {
    this.sentence = sentence;
  }

  /** The same in words. */
  public String sentence() {
    return sentence;
  }
}
