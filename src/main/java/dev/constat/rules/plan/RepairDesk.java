package dev.constat.rules.plan;

/** Takes what a {@link RepairPlanner} plans. */
public interface RepairDesk {

  /** A message whose place among others does not matter, or that is withheld. */
  void message(PlanLine line);

  /**
   * A message that must not come behind a later one of its aggregate.
   *
   * @param unlessHeld whether it mends nothing where an earlier row holds its own back
   */
  void ordered(Aggregate aggregate, PlanLine line, boolean unlessHeld);

  /** That a row of an aggregate is not terminal, so that it holds back those behind it. */
  void head(Aggregate aggregate, String outboxId);

  /** That a row of an aggregate was delivered. */
  void delivered(Aggregate aggregate, String outboxId);

  /**
   * A place in the order of an aggregate.
   *
   * @param type aggregate_type, or null
   * @param id aggregate_id
   * @param position bytes whose unsigned order is that of its rows
   */
  record Aggregate(String type, String id, byte[] position) {}
}
