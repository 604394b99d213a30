package dev.constat.rules.plan;

/** Takes what a {@link RepairPlanner} plans. */
public interface RepairDesk {

  /** A message that its aggregate has nothing to say of. */
  void message(PlanLine line);

  /**
   * A message that must keep the order of its aggregate, or that is withheld, and of which that
   * order tells what it would mend.
   *
   * @param unlessHeld whether all that is wrong with its row is that another holds it back, if one
   *     does
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
