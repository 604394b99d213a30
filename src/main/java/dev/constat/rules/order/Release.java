package dev.constat.rules.order;

import dev.constat.rules.outbox.Status;
import java.time.Instant;

/**
 * How a row lets those behind it in its aggregate go: by being delivered, or by being given up (the
 * seed on delivery: DISPATCHED and DLQ are terminal and free the next row).
 */
public enum Release {
  /** At the earlier of its delivery and its dlq_at. */
  AT_A_TIME,
  /** Not yet: it is neither delivered nor given up. */
  NEVER,
  /** Nothing says when, or whether. */
  UNKNOWN;

  /**
   * How a row does.
   *
   * @param status its status, or null
   * @param delivery when it was delivered, or null
   * @param zoned whether it is known if it was given up, and when
   * @param dlqAt when it was given up, or null
   * @param statesKnown whether states are those at the outbox's cut
   */
  public static Release of(
      Status status, Instant delivery, boolean zoned, Instant dlqAt, boolean statesKnown) {
    if (!zoned) {
      return UNKNOWN;
    }
    if (delivery != null || dlqAt != null) {
      return AT_A_TIME;
    }
    boolean waits = status == Status.PENDING || status == Status.PROCESSING;
    return waits && statesKnown ? NEVER : UNKNOWN;
  }
}
