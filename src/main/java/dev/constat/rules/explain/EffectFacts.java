package dev.constat.rules.explain;

import java.time.Instant;

/**
 * An effect as a row of the effects table has it; names are those of its columns.
 *
 * @param row where the outbox row stands, or null
 * @param ack where the first acknowledgement stands, or null
 */
public record EffectFacts(
    String key,
    String effectType,
    String consumer,
    String effectKey,
    String outboxId,
    String status,
    long acks,
    String outcome,
    long repeats,
    String against,
    Instant firstAckedAt,
    Instant lastAckedAt,
    RecordPlace row,
    RecordPlace ack) {

  /** Reads a row. */
  public static EffectFacts of(TableRow row) {
    return new EffectFacts(
        row.text("key"),
        row.text("effect_type"),
        row.text("consumer"),
        row.text("effect_key"),
        row.text("outbox_id"),
        row.text("status"),
        row.integer("acks"),
        row.required("outcome"),
        row.integer("repeats"),
        row.text("against"),
        row.time("first_acked_at"),
        row.time("last_acked_at"),
        RecordPlace.of(row, "row_file", "row_position"),
        RecordPlace.of(row, "ack_file", "ack_position"));
  }
}
