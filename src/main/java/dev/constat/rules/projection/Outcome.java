package dev.constat.rules.projection;

import java.time.Duration;
import java.time.Instant;

/**
 * What becomes of an event in a window that it falls into (spec section 5): Beam's pane model, with
 * the watermark that stood when the event arrived.
 */
public enum Outcome {
  /** The window was still open. */
  ON_TIME,
  /** It had closed, and is refined. */
  REFINES,
  /** Its allowed lateness had passed: kept in history, not applied. */
  TOO_LATE;

  /**
   * The outcome.
   *
   * @param watermark on arrival, or null where there was none
   * @param end of the window (exclusive)
   */
  public static Outcome of(Instant watermark, Instant end, Duration allowedLateness) {
    if (watermark == null || watermark.isBefore(end)) {
      return ON_TIME;
    }
    return expired(watermark, end, allowedLateness) ? TOO_LATE : REFINES;
  }

  /** Whether the watermark has reached end + L, which need not be an instant. */
  private static boolean expired(Instant watermark, Instant end, Duration allowedLateness) {
    return Duration.between(end, watermark).compareTo(allowedLateness) >= 0;
  }
}
