package dev.constat.pipelines.output;

/** Where a reader finds a record again. */
public sealed interface Evidence {

  /**
   * A row of a Parquet file.
   *
   * @param file relative to the run spec, with forward slashes
   * @param rowGroup number of the row group, from 0
   * @param row number of the row in the file, from 0
   */
  record Row(String file, int rowGroup, long row) implements Evidence {}

  /**
   * A line of a text file.
   *
   * @param file relative to the run spec, with forward slashes
   * @param line number of the line, from 1
   * @param byteOffset where it begins in the uncompressed text
   */
  record Line(String file, long line, long byteOffset) implements Evidence {}

  /**
   * A file as a whole.
   *
   * @param file relative to the run spec, with forward slashes
   */
  record File(String file) implements Evidence {}

  /**
   * A row of a database table.
   *
   * @param table its name
   * @param key what its rows are told apart by
   */
  record TableRow(String table, String key) implements Evidence {}
}
