package dev.constat.transforms.outputs;

import dev.constat.rules.table.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.util.Optional;

/**
 * Takes the rows of one bucket of a table, in order, and keeps them under a name that follows from
 * table and bucket alone, so that a retry replaces what an earlier attempt left. Its implementation
 * lives where files may be seen.
 */
public interface TableSink extends Serializable {

  /** Opens the part that holds bucket {@code bucket} of {@code buckets}. */
  Part open(TableSchema table, int bucket, int buckets) throws IOException;

  /** One part of a table while it is written. Closing one that is not finished drops it. */
  interface Part extends Closeable {

    /** Adds a row: one value per column of the table. */
    void add(Object[] row) throws IOException;

    /**
     * Completes the part and says what it is; empty where it has no row, so that nothing stands
     * anywhere.
     */
    Optional<Receipt> finish() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * What stands where after a part was written. Files without a receipt are leftovers.
   *
   * @param table name of the table
   * @param file path below the run's folder, with forward slashes
   * @param rows number of rows
   * @param bytes size
   * @param sha256 digest, in hex
   */
  record Receipt(String table, String file, long rows, long bytes, String sha256)
      implements Serializable {}
}
