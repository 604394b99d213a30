package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.plan.PlanLine;
import dev.constat.rules.plan.Planner;
import dev.constat.rules.plan.RepairDesk;
import dev.constat.rules.plan.RepairPlanner;
import dev.constat.rules.plan.ReplayPlanner;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.Effect;
import dev.constat.rules.spec.Plan;
import dev.constat.rules.spec.RepairPlan;
import dev.constat.rules.spec.ReplayPlan;
import dev.constat.rules.spec.RunSpec;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * The records that plans are made of: lines for {@link WritePlan}, all in one group, in the order
 * of the plan; and for {@link KeepOrder}, by aggregate and from its last row to its first, the rows
 * that were delivered and the messages that must not come behind one.
 */
final class PlanRecords implements RepairDesk {

  /** Number of the exit for lines. */
  static final int LINES_EXIT = 0;

  /** Number of the exit for what must keep its order. */
  static final int AGGREGATES_EXIT = 1;

  /** A message; it comes before its own row. */
  static final int KIND_MESSAGE = 0;

  /** A row that was delivered. */
  static final int KIND_DELIVERED = 1;

  /** A row that is not terminal. */
  static final int KIND_HEAD = 2;

  /** First byte of the order of rows that are not terminal, from the first to the last. */
  private static final int HEADS = 0;

  /** First byte of the order of rows and messages, from the last to the first. */
  private static final int ROWS = 1;

  private final RecordOut lines;
  private final RecordOut aggregates;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  /**
   * Records.
   *
   * @param lines takes lines
   * @param aggregates takes what must keep its order, or null where nothing must
   */
  PlanRecords(RecordOut lines, RecordOut aggregates) {
    this.lines = lines;
    this.aggregates = aggregates;
  }

  /** Whether something that is planned must keep the order of its aggregate. */
  static boolean keepsOrder(RunSpec spec) {
    return spec.plan() instanceof RepairPlan && spec.effects().stream().anyMatch(Effect::ordered);
  }

  /** The exits of stages that make such records. */
  static TupleTagList tags(RunSpec spec) {
    TupleTagList tags = TupleTagList.of(WritePlan.LINES);
    return keepsOrder(spec) ? tags.and(KeepOrder.AGGREGATES) : tags;
  }

  /**
   * Records that leave a stage by {@link #tags}.
   *
   * @param exits gives the exit of a tag
   */
  static PlanRecords leaving(
      RunSpec spec, Function<TupleTag<KV<Integer, byte[]>>, RecordOut> exits) {
    RecordOut aggregates = keepsOrder(spec) ? exits.apply(KeepOrder.AGGREGATES) : null;
    return new PlanRecords(exits.apply(WritePlan.LINES), aggregates);
  }

  /** Plans what the run is asked to plan. */
  Planner planner(RunFacts facts, Supplier<Tally> tally) {
    Plan plan = facts.spec().plan();
    return plan instanceof ReplayPlan replay
        ? new ReplayPlanner(facts, replay, this::message, tally)
        : new RepairPlanner(facts, this);
  }

  /** Passes on a record that had to wait. */
  void pass(int exit, int kind, KeyWriter itsGroup, KeyWriter itsOrder, KeyWriter itsBody) {
    (exit == LINES_EXIT ? lines : aggregates).append(itsGroup, itsOrder, kind, itsBody);
  }

  @Override
  public void message(PlanLine line) {
    group.clear().octet(0);
    line.writeOrder(order.clear());
    line.write(body.clear());
    lines.append(group, order, 0, body);
  }

  @Override
  public void ordered(Aggregate aggregate, PlanLine line, boolean unlessHeld) {
    at(aggregate, KIND_MESSAGE);
    line.write(body.clear().bool(unlessHeld).bytes(aggregate.position()));
    aggregates.append(group, order, KIND_MESSAGE, body);
  }

  @Override
  public void head(Aggregate aggregate, String outboxId) {
    group.clear().nullableText(aggregate.type()).text(aggregate.id());
    order.clear().octet(HEADS).raw(aggregate.position());
    body.clear().text(outboxId).bytes(aggregate.position());
    aggregates.append(group, order, KIND_HEAD, body);
  }

  @Override
  public void delivered(Aggregate aggregate, String outboxId) {
    at(aggregate, KIND_DELIVERED);
    aggregates.append(group, order, KIND_DELIVERED, body.clear().text(outboxId));
  }

  private void at(Aggregate aggregate, int kind) {
    group.clear().nullableText(aggregate.type()).text(aggregate.id());
    order.clear().octet(ROWS);
    for (byte octet : aggregate.position()) {
      order.octet(~octet); // every field ends by itself, so this turns the order around
    }
    order.octet(kind);
  }
}
