package dev.constat.pipelines.archive;

import java.io.IOException;

/** The files of an input cannot be listed; the message says which, and why. */
public final class ArchiveListingException extends IOException {

  private static final long serialVersionUID = 1L;

  ArchiveListingException(String message, Throwable cause) {
    super(message, cause);
  }
}
