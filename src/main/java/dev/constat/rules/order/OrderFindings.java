package dev.constat.rules.order;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.StatedGraver;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;

/** The words of ORDER_VIOLATION. */
final class OrderFindings {

  private static final String RULE = "order/1";

  private OrderFindings() {}

  /** That a row was delivered before one that stands before it. */
  static Finding overtaking(AggregateRow overtaken, AggregateRow overtaking, Cause cause) {
    return about(overtaking)
        .because(
            Sentence.of("")
                .and(cause)
                .and(": delivered before ")
                .value("outbox_id", overtaken.outboxId())
                .and(overtaken.release() == Release.NEVER ? ", which still waits" : ""))
        .sides(
            side(overtaken),
            side(overtaking)
                .put("cause", cause.name())
                .put("effect_type", overtaking.effectType())
                .put("aggregate_type", overtaking.aggregateType())
                .put("aggregate_id", overtaking.aggregateId()))
        .seenAt(overtaken.place(), overtaking.place())
        .when(overtaking.delivery(), overtaken.delivery())
        .hint(true, cause.name())
        .hint(overtaking.resubmitted(), StatedGraver.DLQ_RESUBMIT)
        .finding();
  }

  /**
   * That a row was sent again after it had been given up, and later ones had gone ahead.
   *
   * @param ahead the first of these
   * @param count how many they are
   */
  static Finding resubmission(AggregateRow row, AggregateRow ahead, long count) {
    // Of parts that slabs state, the words are those of the first row that went ahead.
    return about(row)
        .as(Level.WARNING)
        .because(
            Sentence.of("Given up, then delivered after all: ")
                .value("outbox_id", ahead.outboxId())
                .and(" had gone ahead"))
        .sides(
            side(row),
            side(ahead)
                .put("cause", StatedGraver.DLQ_RESUBMIT)
                .put("effect_type", row.effectType())
                .put("aggregate_type", row.aggregateType())
                .put("aggregate_id", row.aggregateId()))
        .seenAt(row.place(), ahead.place())
        .when(ahead.createdAt(), row.delivery())
        .hint(true, StatedGraver.DLQ_RESUBMIT)
        .times(count)
        .finding();
  }

  private static Statement about(AggregateRow row) {
    return Statement.of(Kind.ORDER_VIOLATION, new JsonObject().put("outbox_id", row.outboxId()))
        .under(RULE);
  }

  /** The row that the contract has first, or that was delivered first. */
  private static JsonObject side(AggregateRow row) {
    return new JsonObject()
        .put("delivered_first", row.outboxId())
        .put("created_at", row.createdAt())
        .put("visible_at", row.visibleAt())
        .put("delivered_at", row.delivery())
        .put("dlq_at", row.dlqAt())
        .put("status", row.status() == null ? null : row.status().name())
        .putNullable("attempts", row.attempts())
        .putNullable("priority", row.priority());
  }
}
