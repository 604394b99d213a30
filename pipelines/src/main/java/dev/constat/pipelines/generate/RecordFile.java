package dev.constat.pipelines.generate;

import dev.constat.rules.synthesis.SyntheticRecord;
import java.io.Closeable;
import java.io.IOException;

/** A file that takes the records of one table, one after the other. */
interface RecordFile extends Closeable {

  /** Writes a record; it may be changed afterwards. */
  void write(SyntheticRecord entry) throws IOException;
}
