package dev.constat.rules.time;

import com.google.common.collect.ImmutableList;
import java.time.Duration;

/**
 * What one lateness budget would have made of a source's events.
 *
 * @param source the source
 * @param budget the budget
 * @param events accepted events, neither FUTURE nor replayed, that were not the first of their
 *     partition
 * @param late how many of them would be LATE
 * @param changed how many of them would be LATE and are not, or the other way round
 * @param restated by projection version, in order of their titles
 */
public record SweepRow(
    String source,
    Duration budget,
    long events,
    long late,
    long changed,
    ImmutableList<Restated> restated) {

  /**
   * What it would have made of the windows of a projection version.
   *
   * @param projection title of the version
   * @param windows pairs of an event and a window that it falls into
   * @param refines how many of them would refine the window
   * @param tooLate how many of them would come too late for it
   */
  public record Restated(String projection, long windows, long refines, long tooLate) {}
}
