package dev.constat.rules.table;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;

/** The tables that a reconciliation leaves (spec section 9). */
public final class Tables {

  /** One row per readable record of {@code events}. */
  public static final TableSchema DECISIONS =
      TableSchema.of(
          "decisions",
          new Column("ingestion_id", Type.TEXT, true),
          new Column("source", Type.TEXT),
          new Column("source_event_id", Type.TEXT, true),
          new Column("partition", Type.TEXT),
          new Column("occurred_at", Type.TIME, true),
          new Column("occurred_at_text", Type.TEXT),
          new Column("received_at", Type.TIME, true),
          new Column("schema_version", Type.TEXT),
          new Column("key", Type.TEXT, true),
          new Column("hash", Type.TEXT, true),
          new Column("hash_rule", Type.TEXT),
          new Column("decision", Type.TEXT),
          new Column("timeliness", Type.TEXT),
          new Column("in_history", Type.BOOLEAN),
          new Column("moves_current", Type.BOOLEAN),
          new Column("windows", Type.WINDOWS),
          new Column("watermark", Type.TIME, true),
          new Column("budget", Type.TEXT),
          new Column("budget_version", Type.TEXT),
          new Column("against", Type.TEXT),
          new Column("repeats", Type.LONG),
          new Column("last_received_at", Type.TIME, true),
          new Column("rule", Type.TEXT),
          new Column("flags", Type.TEXTS),
          new Column("reason", Type.TEXT),
          new Column("replay_id", Type.TEXT));

  /** One row per expected or seen effect. */
  public static final TableSchema EFFECTS =
      TableSchema.of(
          "effects",
          new Column("source", Type.TEXT),
          new Column("source_event_id", Type.TEXT, true),
          new Column("key", Type.TEXT, true),
          new Column("effect_type", Type.TEXT),
          new Column("consumer", Type.TEXT),
          new Column("effect_key", Type.TEXT, true),
          new Column("outbox_id", Type.TEXT, true),
          new Column("status", Type.TEXT),
          new Column("acks", Type.LONG),
          new Column("outcome", Type.TEXT),
          new Column("repeats", Type.LONG),
          new Column("against", Type.TEXT));

  /** One row per version of a contested content. */
  public static final TableSchema QUARANTINE =
      TableSchema.of(
          "quarantine",
          new Column("key", Type.TEXT, true),
          new Column("ingestion_id", Type.TEXT, true),
          new Column("side", Type.TEXT),
          new Column("hash", Type.TEXT, true),
          new Column("hash_rule", Type.TEXT),
          new Column("payload", Type.BYTES, true),
          new Column("received_at", Type.TIME, true),
          new Column("rule", Type.TEXT),
          new Column("age", Type.LONG));

  /** One row per outbox row that made a later one of an ordered aggregate wait. */
  public static final TableSchema HEADS =
      TableSchema.of(
          "heads",
          new Column("aggregate_type", Type.TEXT),
          new Column("aggregate_id", Type.TEXT),
          new Column("outbox_id", Type.TEXT, true),
          new Column("effect_type", Type.TEXT),
          new Column("status", Type.TEXT),
          new Column("since", Type.TIME, true),
          new Column("until", Type.TIME, true),
          new Column("blocked_ms", Type.LONG),
          new Column("freed_by", Type.TEXT));

  /** Those of every run. A column that several tables have is distinct in each or in none. */
  public static final ImmutableList<TableSchema> ALL =
      ImmutableList.of(DECISIONS, EFFECTS, HEADS, QUARANTINE);

  private Tables() {}
}
