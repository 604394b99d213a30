package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Layout;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.io.Serializable;

/**
 * Reads splits of archives record by record.
 *
 * <p>What cannot be read is told to the sink, and reading goes on: with the next line, and in
 * Parquet with the next row group. Only what makes every answer worthless is thrown: the file
 * cannot be opened or read at all, or it is not the one that was listed.
 */
public record ArchiveReader(int lineLimit) implements Serializable {

  /** The longest line that is read, in bytes. */
  public static final int LINE_LIMIT = 64 << 20;

  /** A reader with the limits that runs have. */
  public static ArchiveReader create() {
    return new ArchiveReader(LINE_LIMIT);
  }

  /** Lines longer than {@code bytes} are unreadable. */
  public ArchiveReader withLineLimit(int bytes) {
    return new ArchiveReader(bytes);
  }

  /**
   * Reads all records of a split.
   *
   * @throws ArchiveChangedException if the file is not the one that was listed, before or after
   */
  public void read(Split split, Layout layout, Archive archive, RowSink sink) throws IOException {
    split.file().requireUnchanged();
    try {
      readUnchecked(split, layout, archive, sink);
    } catch (IOException e) {
      split.file().requireUnchanged();
      throw e;
    }
    split.file().requireUnchanged();
  }

  private void readUnchecked(Split split, Layout layout, Archive archive, RowSink sink)
      throws IOException {
    switch (split.kind()) {
      case LINES -> new JsonLines(split, layout, archive, sink, lineLimit).readPlain();
      case GZIP_LINES -> new JsonLines(split, layout, archive, sink, lineLimit).readGzip();
      case ROW_GROUP -> new ParquetRowGroup(split, layout, archive, sink).read(row -> true);
      case DIGEST -> throw new IllegalArgumentException("A digest has no records: " + split);
    }
  }
}
