package dev.constat.transforms.stages;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.table.TableSchema;

/** Takes down what a stage says about one bucket, as it says it. */
interface Notebook {

  /** A row of a table. */
  void row(TableSchema table, Object[] row);

  /** That a table gets no more rows, so that what it holds of memory can be given up. */
  void complete(TableSchema table);

  /** A finding, or a part of one. */
  void finding(Finding finding);

  /** Where to count. */
  Tally tally();
}
