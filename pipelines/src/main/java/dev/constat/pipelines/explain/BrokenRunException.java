package dev.constat.pipelines.explain;

import java.io.IOException;

/** A run whose files are not what its {@code run.json} says. */
public final class BrokenRunException extends IOException {

  private static final long serialVersionUID = 1L;

  BrokenRunException(String message, Throwable cause) {
    super(message, cause);
  }
}
