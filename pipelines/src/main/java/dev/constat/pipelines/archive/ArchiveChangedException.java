package dev.constat.pipelines.archive;

import java.io.IOException;

/** A file is not what it was when the run began. No answer over it would be one. */
public final class ArchiveChangedException extends IOException {

  private static final long serialVersionUID = 1L;

  ArchiveChangedException(String message, Throwable cause) {
    super(message, cause);
  }
}
