package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Unreadable;

/** What cannot be read of a file beyond one record. */
final class WholeFile {

  private WholeFile() {}

  /** All of a file. */
  static Unreadable unreadable(ArchiveFile file, String problem, String remedy) {
    return unreadable(file.start(), problem, remedy);
  }

  /** A file or row group from a place on. */
  static Unreadable unreadable(Place from, String problem, String remedy) {
    return new Unreadable(from, false, null, null, problem, remedy, new byte[0], 0);
  }

  /** All of a file, because of a column. */
  static Unreadable unreadable(
      ArchiveFile file, String column, String value, String problem, String remedy) {
    return new Unreadable(file.start(), false, column, value, problem, remedy, new byte[0], 0);
  }
}
