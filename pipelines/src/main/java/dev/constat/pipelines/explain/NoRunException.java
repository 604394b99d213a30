package dev.constat.pipelines.explain;

/** There is no run to look into; the message says how to make or name one. */
public final class NoRunException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NoRunException(String message) {
    super(message);
  }
}
