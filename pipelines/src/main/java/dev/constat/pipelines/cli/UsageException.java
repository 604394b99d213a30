package dev.constat.pipelines.cli;

/** A command cannot be understood; the message says what to do. */
final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
