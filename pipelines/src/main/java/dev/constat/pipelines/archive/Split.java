package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Place;
import java.io.Serializable;

/**
 * A part of a file that is read by itself. A file is always cut in the same places, whatever the
 * number of workers.
 *
 * @param file the file
 * @param kind how it is read
 * @param part its number inside the file, from 0: {@link Place#part}; of a row group, its number
 * @param from first byte, of the file as it lies there
 * @param to behind the last byte
 * @param firstRow number of its first row in the file (row groups), else 0
 */
public record Split(ArchiveFile file, Kind kind, int part, long from, long to, long firstRow)
    implements Serializable {

  /** What is done with a split. */
  public enum Kind {
    /** The lines that begin in a range of bytes are read. */
    LINES,
    /** All lines of a gzip file are read. */
    GZIP_LINES,
    /** A row group of a Parquet file is read. */
    ROW_GROUP,
    /** The file's digest is taken. */
    DIGEST
  }

  /** The split that has the digest of a file taken. */
  public static Split digest(ArchiveFile file) {
    return new Split(file, Kind.DIGEST, 0, 0, file.size(), 0);
  }

  /** How many bytes of the file it covers: its weight where splits are balanced. */
  public long bytes() {
    return to - from;
  }

  /** The place of a record of this split. */
  Place place(long position, int line) {
    return new Place(file.input().ordinal(), file.rank(), part, position, line);
  }

  /** The place that its first record has. */
  Place start() {
    return kind == Kind.ROW_GROUP ? place(firstRow, 0) : place(from, 0);
  }
}
