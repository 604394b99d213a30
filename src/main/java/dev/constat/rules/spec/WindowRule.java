package dev.constat.rules.spec;

import java.io.Serializable;
import java.time.Duration;
import java.time.ZoneId;

/** How a projection divides time. Sizes are whole milliseconds, aligned with the epoch in UTC. */
public sealed interface WindowRule extends Serializable {

  /** Windows of one size, side by side. */
  record Fixed(Duration size) implements WindowRule {}

  /**
   * Windows of one size, a new one every period.
   *
   * @param size their size
   * @param every the period, at most the size
   */
  record Sliding(Duration size, Duration every) implements WindowRule {}

  /** Windows that last until nothing has happened for as long as the gap. */
  record Session(Duration gap) implements WindowRule {}

  /** Calendar days, from midnight to midnight in a zone: of 23 or 25 hours where clocks change. */
  record Days(ZoneId zone) implements WindowRule {}
}
