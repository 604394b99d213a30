package dev.constat.pipelines.archive;

import java.io.IOException;

/** The system refuses to read a file that was listed. No answer that leaves it out would be one. */
public final class ArchiveReadException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * A file that cannot be read.
   *
   * @param file its name, relative to the run spec
   */
  ArchiveReadException(String file, IOException cause) {
    super(
        "%s cannot be read: %s; mend the disk or the permissions, and run again"
            .formatted(file, cause.getMessage()),
        cause);
  }
}
