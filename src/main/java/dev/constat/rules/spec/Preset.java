package dev.constat.rules.spec;

import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;

/**
 * The usual layouts of tables and archives, as a beginning: what a run spec says itself goes before
 * it.
 */
enum Preset {
  /** A table that a dispatcher polls and marks. */
  OUTBOX_TABLE(
      "outbox-table",
      Input.OUTBOX,
      ImmutableMap.of("outbox_id", "id", "source_event_id", "event_id"),
      ImmutableMap.<String, String>builder()
          .put("pending", "PENDING")
          .put("new", "PENDING")
          .put("processing", "PROCESSING")
          .put("in_progress", "PROCESSING")
          .put("claimed", "PROCESSING")
          .put("dispatched", "DISPATCHED")
          .put("delivered", "DISPATCHED")
          .put("sent", "DISPATCHED")
          .put("done", "DISPATCHED")
          .put("dlq", "DLQ")
          .put("dead", "DLQ")
          .put("failed", "DLQ")
          .buildOrThrow()),

  /** The table that Debezium's outbox event router reads, by its default columns. */
  DEBEZIUM_OUTBOX(
      "debezium-outbox",
      Input.OUTBOX,
      ImmutableMap.of(
          "outbox_id", "id",
          "source_event_id", "id",
          "aggregate_type", "aggregatetype",
          "aggregate_id", "aggregateid",
          "effect_type", "type"),
      ImmutableMap.of()),

  /** An immutable archive of what was published: topic, created_at, original_id, payload. */
  EVENT_ARCHIVE(
      "event-archive",
      Input.EVENTS,
      ImmutableMap.of(
          "ingestion_id", "original_id",
          "source_event_id", "original_id",
          "occurred_at", "created_at",
          "received_at", "created_at"),
      ImmutableMap.of());

  private final String word;
  private final Input input;
  private final ImmutableMap<String, String> columns;
  private final ImmutableMap<String, String> words;

  Preset(
      String word,
      Input input,
      ImmutableMap<String, String> columns,
      ImmutableMap<String, String> words) {
    this.word = word;
    this.input = input;
    this.columns = columns;
    this.words = words;
  }

  /** Its name in run specs. */
  String word() {
    return word;
  }

  /** The input that it is for. */
  Input input() {
    return input;
  }

  /** Where the layout keeps columns: ours to theirs. */
  ImmutableMap<String, String> columns() {
    return columns;
  }

  /** What foreign words stand for. */
  ImmutableMap<String, String> words() {
    return words;
  }
}
