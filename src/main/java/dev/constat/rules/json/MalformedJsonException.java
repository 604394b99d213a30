package dev.constat.rules.json;

/** A text is not JSON that everybody reads alike; the message says why, as half a sentence. */
public final class MalformedJsonException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedJsonException(String message) {
    super(message);
  }
}
