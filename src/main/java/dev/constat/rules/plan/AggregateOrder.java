package dev.constat.rules.plan;

/**
 * Keeps what is planned of one aggregate in order. Its rows are passed from the last to the first;
 * a message is safe as long as no row behind it was delivered. A message of a row that was
 * delivered itself comes before that row.
 */
public final class AggregateOrder {

  private String nearest;

  /** Begins an aggregate. */
  public void begin() {
    nearest = null;
  }

  /** A row that was delivered. */
  public void delivered(String outboxId) {
    nearest = outboxId;
  }

  /** A message: as it is where it is safe, else withheld because of the nearest row behind it. */
  public PlanLine message(PlanLine line) {
    return nearest == null
        ? line.with("order_safe", true)
        : line.with("order_safe", false).withheld(Withheld.OVERTAKEN, nearest);
  }
}
