package dev.constat.pipelines.archive;

import java.io.IOException;

/**
 * The system does not let a file be read that it listed before. What is in it is not known, so no
 * answer without it would be one.
 */
public final class ArchiveUnreadableException extends IOException {

  private static final long serialVersionUID = 1L;

  private ArchiveUnreadableException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * What to throw when a file could not be read.
   *
   * @param cause what the system said; if that names the file already, it is what is thrown
   */
  public static IOException of(ArchiveFile file, IOException cause) {
    return of(file.name(), cause);
  }

  /**
   * What to throw when a file could not be read.
   *
   * @param file its name, relative to the run spec
   * @param cause what the system said; if that names the file already, it is what is thrown
   */
  static IOException of(String file, IOException cause) {
    return cause instanceof ArchiveChangedException || cause instanceof ArchiveUnreadableException
        ? cause
        : new ArchiveUnreadableException(
            "%s cannot be read: %s; mend the disk or the permissions, and run again"
                .formatted(file, cause),
            cause);
  }
}
