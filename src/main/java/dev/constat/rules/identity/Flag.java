package dev.constat.rules.identity;

/** What a reader of a decision should know besides it. Declared by name, as outputs list them. */
public enum Flag {
  /** One ingestion_id of its key came with several contents. */
  ARCHIVE_CONTESTED,
  /** The event has no id; its key is a fingerprint. */
  HEURISTIC,
  /**
   * Under {@code jcs/1}, or declared so, a number that RFC 8785 would change: {@code jcs-exact/1}
   * hashed the content.
   */
  HASH_UNSAFE_NUMBER,
  /**
   * A declared hash decided that nobody could recompute, or one is declared and cannot be checked.
   */
  HASH_UNVERIFIABLE,
  /** A projection finds no key in it. */
  NO_KEY,
  /** A correction that does not say why. */
  NO_REASON,
  /** Known by replays alone; the original is not in the archive. */
  ORIGINAL_ABSENT,
  /** It happened before something that its partition had received already. */
  OUT_OF_ORDER,
  /** replay_id without original_event_id, or the other way round. */
  REPLAY_MARK_INCOMPLETE,
  /** Its occurred_at would fit its received_at in another unit of time. */
  UNIT_SUSPECT,
  /** The contract of its source does not list its schema version. */
  UNKNOWN_SCHEMA_VERSION
}
