package dev.constat.rules.envelope;

import com.google.common.collect.ImmutableList;

/**
 * The six inputs of contract {@code constat/1}, each with its columns. Only {@link #EVENTS} is
 * required of a run.
 */
public enum Input {
  /** One row per reception attempt. */
  EVENTS(
      "events",
      "received_at",
      Column.required("ingestion_id", ColumnType.TEXT),
      Column.required("source", ColumnType.TEXT),
      Column.of("source_event_id", ColumnType.TEXT),
      Column.of("source_sequence", ColumnType.UNSIGNED),
      Column.of("partition", ColumnType.TEXT),
      Column.required("occurred_at", ColumnType.TIME),
      Column.required("received_at", ColumnType.TIME),
      Column.of("schema_version", ColumnType.TEXT),
      Column.of("payload", ColumnType.PAYLOAD),
      Column.of("payload_hash", ColumnType.TEXT),
      Column.of("business_key", ColumnType.TEXT),
      Column.of("topic", ColumnType.TEXT),
      Column.of("aggregate_type", ColumnType.TEXT),
      Column.of("aggregate_id", ColumnType.TEXT),
      Column.of("supersedes", ColumnType.TEXT),
      Column.of("supersede_reason", ColumnType.TEXT),
      Column.of("supersedes_occurred_at", ColumnType.TIME),
      Column.of("replay_id", ColumnType.TEXT),
      Column.of("original_event_id", ColumnType.TEXT)),

  /** One row per version of an outbox message. */
  OUTBOX(
      "outbox",
      "created_at",
      Column.required("outbox_id", ColumnType.TEXT),
      Column.of("source", ColumnType.TEXT),
      Column.of("source_event_id", ColumnType.TEXT),
      Column.of("effect_type", ColumnType.TEXT),
      Column.of("topic", ColumnType.TEXT),
      Column.of("aggregate_type", ColumnType.TEXT),
      Column.of("aggregate_id", ColumnType.TEXT),
      Column.of("priority", ColumnType.INTEGER),
      Column.of("status", ColumnType.TEXT),
      Column.of("attempts", ColumnType.INTEGER),
      Column.required("created_at", ColumnType.TIME),
      Column.of("visible_at", ColumnType.TIME),
      Column.of("claimed_at", ColumnType.TIME),
      Column.of("lease_owner", ColumnType.TEXT),
      Column.of("lease_until", ColumnType.TIME),
      Column.of("dispatched_at", ColumnType.TIME),
      Column.of("dlq_at", ColumnType.TIME),
      Column.of("row_version", ColumnType.TEXT),
      Column.of("replay_id", ColumnType.TEXT)),

  /** One row per acknowledgement by a consumer. */
  ACKNOWLEDGEMENTS(
      "acknowledgements",
      "acked_at",
      Column.of("ack_id", ColumnType.TEXT),
      Column.of("outbox_id", ColumnType.TEXT),
      Column.of("consumer", ColumnType.TEXT),
      Column.required("acked_at", ColumnType.TIME),
      Column.of("effect_key", ColumnType.TEXT),
      Column.of("applied", ColumnType.BOOLEAN),
      Column.of("worker", ColumnType.TEXT),
      Column.of("replay_id", ColumnType.TEXT),
      Column.of("source", ColumnType.TEXT),
      Column.of("source_event_id", ColumnType.TEXT)),

  /** What the live system recorded about each reception. */
  DECISIONS(
      "decisions",
      "decided_at",
      Column.required("ingestion_id", ColumnType.TEXT),
      Column.required("decision", ColumnType.TEXT),
      Column.of("reason", ColumnType.TEXT),
      Column.of("rule_version", ColumnType.TEXT),
      Column.of("decided_at", ColumnType.TIME)),

  /** Recorded cells of projections. */
  PROJECTIONS(
      "projections",
      "computed_at",
      Column.of("projection", ColumnType.TEXT),
      Column.of("projection_version", ColumnType.TEXT),
      Column.of("business_key", ColumnType.TEXT),
      Column.of("window_start", ColumnType.TIME),
      Column.of("window_end", ColumnType.TIME),
      Column.of("values", ColumnType.PAYLOAD),
      Column.of("event_ids", ColumnType.PAYLOAD),
      Column.of("output_hash", ColumnType.TEXT),
      Column.of("replay_id", ColumnType.TEXT),
      Column.of("computed_at", ColumnType.TIME)),

  /** The registry of replays. */
  REPLAYS(
      "replays",
      "started_at",
      Column.required("replay_id", ColumnType.TEXT),
      Column.of("topic", ColumnType.TEXT),
      Column.of("from", ColumnType.TIME),
      Column.of("to", ColumnType.TIME),
      Column.of("projection_version", ColumnType.TEXT),
      Column.of("effects_authorised", ColumnType.BOOLEAN),
      Column.of("effect_keys", ColumnType.TEXT),
      Column.of("started_at", ColumnType.TIME));

  private final String key;
  private final String clock;
  private final ImmutableList<Column> columns;

  Input(String key, String clock, Column... columns) {
    this.key = key;
    this.clock = clock;
    this.columns = ImmutableList.copyOf(columns);
  }

  /** Its name in the run spec and in every output. */
  public String key() {
    return key;
  }

  /** The column that places its rows in time: what a cut, a horizon and {@code as_of} look at. */
  public String clock() {
    return clock;
  }

  /**
   * Position of a column of the contract, which is the same in every layout of this input.
   *
   * @throws IllegalArgumentException if the contract lacks it
   */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    throw new IllegalArgumentException(key + " has no column " + column);
  }

  /** Its columns in the order of the contract. */
  public ImmutableList<Column> columns() {
    return columns;
  }
}
