package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Layout;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.io.Serializable;

/**
 * Reads splits of archives record by record.
 *
 * <p>What cannot be read is told to the sink, and reading goes on: with the next line, and in
 * Parquet with the next row group. Only what makes every answer worthless is thrown: the file
 * cannot be opened or read at all, or it is not the one that was listed.
 *
 * @param limits what is larger is told as unreadable
 */
public record ArchiveReader(Limits limits) implements Serializable {

  /** A reader with the limits of a run spec that gives none. */
  public static ArchiveReader create() {
    return new ArchiveReader(Limits.DEFAULT);
  }

  /** The same with other limits. */
  public ArchiveReader withLimits(Limits other) {
    return new ArchiveReader(other);
  }

  /**
   * Reads all records of a split.
   *
   * @throws ArchiveChangedException if the file is not the one that was listed, before or after
   * @throws ArchiveUnreadableException if the system cannot read it
   */
  public void read(Split split, Layout layout, Archive archive, RowSink sink) throws IOException {
    split.file().requireUnchanged();
    try {
      readUnchecked(split, layout, archive, sink);
    } catch (IOException e) {
      split.file().requireUnchanged();
      throw ArchiveUnreadableException.of(split.file().name(), e);
    }
    split.file().requireUnchanged();
  }

  private void readUnchecked(Split split, Layout layout, Archive archive, RowSink sink)
      throws IOException {
    switch (split.kind()) {
      case LINES -> new JsonLines(split, layout, archive, sink, limits).readPlain();
      case GZIP_LINES -> new JsonLines(split, layout, archive, sink, limits).readGzip();
      case ROW_GROUP -> new ParquetRowGroup(split, layout, archive, sink, limits).read(row -> true);
      case DIGEST -> throw new IllegalArgumentException("A digest has no records: " + split);
    }
  }
}
