package dev.constat.rules.projection;

import java.time.Instant;

/** The holes in dense sequences (spec section 4). */
@FunctionalInterface
public interface Gaps {

  /** No holes. */
  Gaps NONE = (sequence, start, end) -> false;

  /**
   * Whether a window meets a hole of a sequence: what is missing happened between its neighbours.
   *
   * @param start of the window (inclusive)
   * @param end of the window (exclusive)
   */
  boolean meets(String sequence, Instant start, Instant end);
}
