package dev.constat.rules.table;

import static dev.constat.rules.disclosure.Disclosure.HASHED;
import static dev.constat.rules.disclosure.Disclosure.KEPT;
import static dev.constat.rules.disclosure.Disclosure.NAMED;
import static dev.constat.rules.disclosure.Disclosure.RULE;
import static dev.constat.rules.disclosure.Disclosure.WITHHELD;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;

/**
 * The tables that a reconciliation leaves (spec section 9). Where a record stands in the archives,
 * a file and a position say: the number of the row in a Parquet file, from 0, or the byte offset of
 * the line in the uncompressed text of a file of lines.
 */
public final class Tables {

  /** One row per readable record of {@code events}. */
  public static final TableSchema DECISIONS =
      TableSchema.of(
          "decisions",
          new Column("ingestion_id", Type.TEXT, true).as(HASHED),
          new Column("source", Type.TEXT).as(NAMED),
          new Column("source_event_id", Type.TEXT, true).as(HASHED),
          new Column("partition", Type.TEXT).as(NAMED),
          new Column("occurred_at", Type.TIME, true).as(KEPT),
          new Column("occurred_at_text", Type.TEXT).as(KEPT),
          new Column("received_at", Type.TIME, true).as(KEPT),
          new Column("schema_version", Type.TEXT).as(NAMED),
          new Column("key", Type.TEXT, true).as(HASHED),
          new Column("hash", Type.TEXT, true).as(HASHED),
          new Column("hash_rule", Type.TEXT).as(RULE),
          new Column("decision", Type.TEXT).as(KEPT),
          new Column("timeliness", Type.TEXT).as(KEPT),
          new Column("in_history", Type.BOOLEAN).as(KEPT),
          new Column("moves_current", Type.BOOLEAN).as(KEPT),
          new Column("windows", Type.WINDOWS).as(KEPT),
          new Column("watermark", Type.TIME, true).as(KEPT),
          new Column("budget", Type.TEXT).as(KEPT),
          new Column("budget_version", Type.TEXT).as(KEPT),
          new Column("against", Type.TEXT).as(HASHED),
          new Column("repeats", Type.LONG).as(KEPT),
          new Column("last_received_at", Type.TIME, true).as(KEPT),
          new Column("rule", Type.TEXT).as(KEPT),
          new Column("flags", Type.TEXTS).as(KEPT),
          new Column("reason", Type.SENTENCE).as(KEPT),
          new Column("replay_id", Type.TEXT).as(HASHED),
          new Column("recorded", Type.TEXT).as(KEPT),
          new Column("supersedes", Type.TEXT).as(HASHED),
          new Column("evidence_file", Type.FILE).as(KEPT),
          new Column("evidence_position", Type.LONG, true).as(KEPT));

  /**
   * One row per expected or seen effect. Of its acknowledgements, the first has a time and a place,
   * and the last a time where it is another.
   */
  public static final TableSchema EFFECTS =
      TableSchema.of(
          "effects",
          new Column("source", Type.TEXT).as(NAMED),
          new Column("source_event_id", Type.TEXT, true).as(HASHED),
          new Column("key", Type.TEXT, true).as(HASHED),
          new Column("effect_type", Type.TEXT).as(NAMED),
          new Column("consumer", Type.TEXT).as(NAMED),
          new Column("effect_key", Type.TEXT, true).as(HASHED),
          new Column("outbox_id", Type.TEXT, true).as(HASHED),
          new Column("status", Type.TEXT).as(KEPT),
          new Column("acks", Type.LONG).as(KEPT),
          new Column("outcome", Type.TEXT).as(KEPT),
          new Column("repeats", Type.LONG).as(KEPT),
          new Column("against", Type.TEXT).as(HASHED),
          new Column("first_acked_at", Type.TIME, true).as(KEPT),
          new Column("last_acked_at", Type.TIME, true).as(KEPT),
          new Column("row_file", Type.FILE).as(KEPT),
          new Column("row_position", Type.LONG, true).as(KEPT),
          new Column("ack_file", Type.FILE).as(KEPT),
          new Column("ack_position", Type.LONG, true).as(KEPT));

  /** One row per version of a contested content. */
  public static final TableSchema QUARANTINE =
      TableSchema.of(
          "quarantine",
          new Column("key", Type.TEXT, true).as(HASHED),
          new Column("ingestion_id", Type.TEXT, true).as(HASHED),
          new Column("side", Type.TEXT).as(KEPT),
          new Column("hash", Type.TEXT, true).as(HASHED),
          new Column("hash_rule", Type.TEXT).as(RULE),
          new Column("payload", Type.BYTES, true).as(WITHHELD),
          new Column("received_at", Type.TIME, true).as(KEPT),
          new Column("rule", Type.TEXT).as(KEPT),
          new Column("age", Type.LONG).as(KEPT));

  /** One row per outbox row that made a later one of an ordered aggregate wait. */
  public static final TableSchema HEADS =
      TableSchema.of(
          "heads",
          new Column("aggregate_type", Type.TEXT).as(NAMED),
          new Column("aggregate_id", Type.TEXT).as(HASHED),
          new Column("outbox_id", Type.TEXT, true).as(HASHED),
          new Column("effect_type", Type.TEXT).as(NAMED),
          new Column("status", Type.TEXT).as(KEPT),
          new Column("since", Type.TIME, true).as(KEPT),
          new Column("until", Type.TIME, true).as(KEPT),
          new Column("blocked_ms", Type.LONG).as(KEPT),
          new Column("freed_by", Type.TEXT).as(KEPT));

  /** Those of every run. A column that several tables have is distinct in each or in none. */
  public static final ImmutableList<TableSchema> ALL =
      ImmutableList.of(DECISIONS, EFFECTS, HEADS, QUARANTINE);

  private Tables() {}
}
