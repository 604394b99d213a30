package dev.constat.pipelines.generate;

/** An archive cannot be made where it was asked for; the message says what to do. */
public final class GenerationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  GenerationException(String message) {
    super(message);
  }
}
