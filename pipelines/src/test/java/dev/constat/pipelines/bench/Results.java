package dev.constat.pipelines.bench;

import dev.constat.pipelines.bench.Comparison.Compared;
import java.util.List;

/**
 * What a mode of the benchmark measured.
 *
 * @param machine on which
 * @param heap the -Xmx of the Java processes, or of the largest tried
 * @param rounds how often each process ran
 * @param sizes by archive, in order of size
 */
record Results(Machine machine, String heap, int rounds, List<Size> sizes) {

  /**
   * One archive.
   *
   * @param receptions its rows of events
   * @param records its rows of events, outbox and acknowledgements
   * @param entries what ran over it
   * @param compared what was found equal to Constat's tables, row by row; a line of text each
   */
  record Size(long receptions, long records, List<Entry> entries, List<String> compared) {}

  /**
   * One way to the tables.
   *
   * @param name as options name it
   * @param title as tables name it
   * @param parallelism number of cores that it was told to use
   * @param runs what each run took; empty where it failed
   * @param failure why it did not get there, or null
   */
  record Entry(String name, String title, int parallelism, List<Measurement> runs, String failure) {

    Measurement median() {
      return Measurement.median(runs);
    }
  }

  /** What was compared, as a line of text. */
  static String line(String side, List<Compared> compared) {
    StringBuilder line = new StringBuilder(side).append(": ");
    for (int i = 0; i < compared.size(); i++) {
      Compared table = compared.get(i);
      line.append(i == 0 ? "" : ", ")
          .append(table.table())
          .append(' ')
          .append(ResultTable.count(table.rows()))
          .append(" rows in ")
          .append(table.columns())
          .append(" columns");
    }
    return line.toString();
  }
}
