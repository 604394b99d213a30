package dev.constat.rules.order;

import java.time.Instant;

/** Why a row went ahead of one that stands before it; the first that applies (spec section 6). */
public enum Cause {
  /** The row before had failed and waited to be tried again. */
  RETRY_OVERTAKE,
  /** The row before was not visible when the other was delivered. */
  LATE_VISIBILITY,
  /** The other has the greater priority. */
  PRIORITY,
  /** The rows do not say. */
  UNKNOWN;

  /**
   * The cause of an overtaking.
   *
   * @param overtaken the row that stands before
   * @param overtaking the row that was delivered before it
   */
  public static Cause of(AggregateRow overtaken, AggregateRow overtaking) {
    if (overtaken.attempts() != null && overtaken.attempts() > 1) {
      return RETRY_OVERTAKE;
    }
    Instant visible = overtaken.visibleAt();
    if (visible != null && visible.isAfter(overtaking.delivery())) {
      return LATE_VISIBILITY;
    }
    return greaterPriority(overtaking, overtaken) ? PRIORITY : UNKNOWN;
  }

  /** Whether the first has the greater priority; not known where either has none. */
  static boolean greaterPriority(AggregateRow first, AggregateRow second) {
    return first.priority() != null
        && second.priority() != null
        && first.priority() > second.priority();
  }
}
