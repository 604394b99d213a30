package dev.constat.rules.explain;

/**
 * Where a record stands in the archives.
 *
 * @param file its name, relative to the run spec
 * @param position number of the row in a Parquet file, or byte offset of the line in a file of
 *     lines
 */
public record RecordPlace(String file, long position) {

  /** The place that two columns name, or null where they name none. */
  static RecordPlace of(TableRow row, String file, String position) {
    String name = row.text(file);
    Long at = row.integer(position);
    return name == null || at == null ? null : new RecordPlace(name, at);
  }
}
