package dev.constat.rules.order;

import java.time.Duration;
import java.time.Instant;

/** The rows of {@link dev.constat.rules.table.Tables#HEADS}. */
public final class Heads {

  private static final long MOST_SECONDS = Long.MAX_VALUE / 1_000 - 1;

  private Heads() {}

  /**
   * A row of the table.
   *
   * @param head the row that made the next one wait
   * @param since from when on
   * @param until when it let go; null where it still does not
   * @param cut up to when the outbox is complete
   */
  public static Object[] row(AggregateRow head, Instant since, Instant until, Instant cut) {
    Duration blocked = Duration.between(since, until == null ? cut : until);
    boolean delivered = head.delivery() != null && !head.resubmitted();
    return new Object[] {
      head.aggregateType(),
      head.aggregateId(),
      head.outboxId(),
      head.effectType(),
      head.status() == null ? null : head.status().name(),
      since,
      until,
      blocked.toSeconds() > MOST_SECONDS ? Long.MAX_VALUE : blocked.toMillis(),
      until == null ? null : delivered ? "DELIVERY" : "DLQ"
    };
  }
}
