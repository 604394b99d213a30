package dev.constat.pipelines.score;

/** A file of findings or of the truth is not what it should be; the message says where. */
public final class ScoreInputException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ScoreInputException(String message) {
    super(message);
  }
}
