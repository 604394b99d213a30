package dev.constat.rules.projection;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import java.time.Instant;

/** Takes down what the fold of cells says, as it says it. */
public interface CellLedger {

  /**
   * A cell, in the order of keys and windows.
   *
   * @param row its row in the {@link ProjectionTables} of its rule
   */
  void cell(Cell cell, Object[] row);

  /** Counts what became of the events of windows, whether these are cells in the end or not. */
  void outcomes(int rule, long onTime, long refined, long tooLate);

  /**
   * Counts a recorded cell.
   *
   * @param copy whether it is an archive copy of another, and nothing besides
   */
  void recorded(boolean copy);

  /** Whether cells of a rule are recorded at all, so that one that is not there is missing. */
  boolean comparesRecorded(int rule);

  /**
   * Asks for the standing of a cell and counts the cell under it, as judged where it is settled.
   *
   * @param check what would be stated
   * @param window its window, or null where it has none
   * @param time the end of its window and the allowed lateness; without window, when its last event
   *     was received, or null where it has none
   * @return whether it is settled, so that an absence or a difference may be stated
   */
  boolean settled(Kind check, Window window, Instant time);

  /** Counts a subject that a check judged at any age. */
  void judged(Kind check);

  /** Counts a subject that a check cannot judge. */
  void notJudged(Kind check, String reason);

  /** A finding, or a part of one. */
  void finding(Finding finding);
}
