package dev.constat.rules.json;

/** A text is not JSON that everybody reads alike; the message says why, as half a sentence. */
public final class MalformedJsonException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String remedy;

  MalformedJsonException(String message) {
    this(message, null);
  }

  MalformedJsonException(String message, String remedy) {
    super(message);
    this.remedy = remedy;
  }

  /** What to do about just this, or {@code otherwise} where nothing better is known. */
  public String remedyOr(String otherwise) {
    return remedy == null ? otherwise : remedy;
  }
}
