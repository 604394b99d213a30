package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.time.Instant;

/**
 * What a rebuild made of a projection, beside what every run reports.
 *
 * @param replayId the id that its cells go by
 * @param work digest of all that its result depends on, in hex
 * @param projection name of the projection
 * @param from first instant of the part of the history that was rebuilt, or null for all before
 * @param to its end (exclusive), or null for all behind
 * @param versions the versions, in the order in which they were asked for
 * @param differences one per version after the first, with which it was compared
 */
public record RebuildReport(
    String replayId,
    String work,
    String projection,
    Instant from,
    Instant to,
    ImmutableList<Version> versions,
    ImmutableList<Difference> differences)
    implements TaskReport {

  /**
   * What was made of a version.
   *
   * @param version the version
   * @param cells its cells that were written
   * @param onTime events in these that came while the window was open
   * @param refined those that came within the allowed lateness
   * @param tooLate those that came too late to be applied
   */
  public record Version(String version, long cells, long onTime, long refined, long tooLate) {}

  /**
   * How a version differs from the first.
   *
   * @param version the version
   * @param cells cells that differ, or that only one of the two has
   * @param rows rows of {@code projection-diff}
   * @param causes rows per cause; a row may have several
   * @param notCompared columns that only one of the two has
   */
  public record Difference(
      String version,
      long cells,
      long rows,
      ImmutableSortedMap<String, Long> causes,
      ImmutableList<String> notCompared) {}
}
