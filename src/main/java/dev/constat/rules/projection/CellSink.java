package dev.constat.rules.projection;

import dev.constat.rules.encoding.KeyWriter;

/** Takes records for the fold of cells. */
@FunctionalInterface
public interface CellSink {

  /**
   * Takes a record; the writers may be used again afterwards.
   *
   * @param group what its cells have in common, as {@link CellRecords} writes it
   * @param order where it stands among the records of its group
   * @param kind what it is, one of the kinds in {@link CellRecords}
   * @param body the rest
   */
  void append(KeyWriter group, KeyWriter order, int kind, KeyWriter body);
}
