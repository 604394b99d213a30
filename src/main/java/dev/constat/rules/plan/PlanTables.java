package dev.constat.rules.plan;

import static dev.constat.rules.disclosure.Disclosure.HASHED;
import static dev.constat.rules.disclosure.Disclosure.KEPT;
import static dev.constat.rules.disclosure.Disclosure.NAMED;
import static dev.constat.rules.disclosure.Disclosure.RULE;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.spec.Plan;
import dev.constat.rules.spec.ReplayPlan;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;

/**
 * The tables that plans consist of: what is planned, in the order in which it would be published,
 * and what is withheld, each with its reason. A name with a dot is that of a member of an object.
 * The first column of each is the position, from 1; the last ones say where the raw record stands.
 */
public final class PlanTables {

  private static final ImmutableList<Column> EVIDENCE =
      ImmutableList.of(
          new Column("evidence.file", Type.TEXT).as(KEPT),
          new Column("evidence.row_group", Type.LONG).as(KEPT),
          new Column("evidence.row", Type.LONG).as(KEPT),
          new Column("evidence.line", Type.LONG).as(KEPT),
          new Column("evidence.byte_offset", Type.LONG).as(KEPT));

  private static final ImmutableList<Column> MESSAGE =
      ImmutableList.of(
          new Column("action", Type.TEXT).as(KEPT),
          new Column("outbox_id", Type.TEXT).as(HASHED),
          new Column("effect_type", Type.TEXT).as(NAMED),
          new Column("kind", Type.TEXT).as(KEPT),
          new Column("findings", Type.FINDINGS).as(KEPT),
          new Column("topic", Type.TEXT).as(NAMED),
          new Column("aggregate_type", Type.TEXT).as(NAMED),
          new Column("aggregate_id", Type.TEXT).as(HASHED),
          new Column("created_at", Type.TIME).as(KEPT),
          new Column("source", Type.TEXT).as(NAMED),
          new Column("source_event_id", Type.TEXT).as(HASHED),
          new Column("key", Type.TEXT).as(HASHED),
          new Column("idempotency_key", Type.TEXT).as(HASHED),
          new Column("idempotency_key_from", Type.TEXT).as(KEPT),
          new Column("consumers", Type.JSON).as(NAMED),
          new Column("already_acknowledged", Type.JSON).as(NAMED),
          new Column("order", Type.TEXT).as(KEPT),
          new Column("order_safe", Type.BOOLEAN).as(KEPT),
          new Column("proof.acks", Type.LONG).as(KEPT),
          new Column("proof.acknowledgements", Type.LONG).as(KEPT),
          new Column("proof.start", Type.TIME).as(KEPT),
          new Column("proof.cut", Type.TIME).as(KEPT),
          new Column("proof.complete", Type.BOOLEAN).as(KEPT));

  /** The events that a replay would publish. */
  public static final TableSchema REPLAY_PLAN =
      table(
          "replay-plan",
          ImmutableList.of(
              new Column("topic", Type.TEXT).as(NAMED),
              new Column("created_at", Type.TIME).as(KEPT),
              new Column("source", Type.TEXT).as(NAMED),
              new Column("source_event_id", Type.TEXT).as(HASHED),
              new Column("key", Type.TEXT).as(HASHED),
              new Column("schema_version", Type.TEXT).as(NAMED),
              new Column("hash", Type.TEXT).as(HASHED),
              new Column("hash_rule", Type.TEXT).as(RULE),
              new Column("headers.x-replay", Type.TEXT).as(KEPT),
              new Column("headers.x-replay-batch-id", Type.TEXT).as(KEPT),
              new Column("headers.x-original-event-id", Type.TEXT).as(HASHED),
              new Column("effects", Type.JSON).as(NAMED),
              new Column("withheld", Type.JSON).as(NAMED)));

  /** The events of its scope that it cannot publish. */
  public static final TableSchema WITHHELD_EVENTS =
      table(
          "withheld",
          ImmutableList.of(
              new Column("reason", Type.TEXT).as(KEPT),
              new Column("topic", Type.TEXT).as(NAMED),
              new Column("created_at", Type.TIME).as(KEPT),
              new Column("source", Type.TEXT).as(NAMED),
              new Column("source_event_id", Type.TEXT).as(HASHED),
              new Column("key", Type.TEXT).as(HASHED)));

  /** The messages that would have to be sent again. */
  public static final TableSchema REPAIR_PLAN = table("repair-plan", MESSAGE);

  /** Those that had better not be. */
  public static final TableSchema WITHHELD_MESSAGES =
      table(
          "withheld",
          ImmutableList.<Column>builder()
              .add(new Column("reason", Type.TEXT).as(KEPT))
              .add(new Column("because_of", Type.TEXT).as(HASHED))
              .addAll(MESSAGE)
              .build());

  /** All of them; a record tells its table by the place in this list. */
  static final ImmutableList<TableSchema> ALL =
      ImmutableList.of(REPLAY_PLAN, WITHHELD_EVENTS, REPAIR_PLAN, WITHHELD_MESSAGES);

  private PlanTables() {}

  /** The tables of a plan: what is planned, then what is withheld. */
  public static ImmutableList<TableSchema> of(Plan plan) {
    return plan instanceof ReplayPlan
        ? ImmutableList.of(REPLAY_PLAN, WITHHELD_EVENTS)
        : ImmutableList.of(REPAIR_PLAN, WITHHELD_MESSAGES);
  }

  /** How many columns at the end of each table say where the raw record stands. */
  public static int evidenceColumns() {
    return EVIDENCE.size();
  }

  private static TableSchema table(String name, ImmutableList<Column> columns) {
    return new TableSchema(
        name,
        ImmutableList.<Column>builder()
            .add(new Column("position", Type.LONG).as(KEPT))
            .addAll(columns)
            .addAll(EVIDENCE)
            .build());
  }
}
