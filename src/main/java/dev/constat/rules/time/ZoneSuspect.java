package dev.constat.rules.time;

import java.time.Duration;
import java.time.Instant;

/**
 * Suspects that a source writes local times as if they were UTC (spec section 4): nearly all its
 * events are late, or early, by one and the same multiple of a quarter of an hour.
 */
public final class ZoneSuspect {

  /** The multiples asked for: up to 14 hours either way. */
  static final int LARGEST_MULTIPLE = 56;

  private static final long STEP = 900;
  private static final long TOLERANCE = 120;
  private static final long FEWEST_EVENTS = 20;
  private static final long ONE_OUT_OF = 20;

  private ZoneSuspect() {}

  /**
   * The multiple of 15 minutes that {@code receivedAt - occurredAt} lies within two minutes of.
   *
   * @return from -56 to 56; 0 where there is none, or where it would be zero
   */
  public static int multiple(Instant occurredAt, Instant receivedAt) {
    long seconds = Clock.wholeSeconds(receivedAt, occurredAt);
    long multiple = Math.floorDiv(seconds + STEP / 2, STEP);
    if (multiple == 0 || Math.abs(multiple) > LARGEST_MULTIPLE) {
      return 0;
    }
    long beyond = seconds - multiple * STEP;
    boolean close =
        beyond >= -TOLERANCE
            && (beyond < TOLERANCE
                || beyond == TOLERANCE && Clock.nanosBeyond(receivedAt, occurredAt) == 0);
    return close ? (int) multiple : 0;
  }

  /**
   * Whether a source's times are suspect.
   *
   * @param events accepted events of one source and schema version
   * @param atMultiple those among them with one nonzero {@link #multiple}
   */
  public static boolean holds(long events, long atMultiple) {
    return events >= FEWEST_EVENTS && events - atMultiple <= events / ONE_OUT_OF;
  }

  /** The length of a multiple. */
  static Duration length(int multiple) {
    return Duration.ofSeconds(multiple * STEP);
  }
}
