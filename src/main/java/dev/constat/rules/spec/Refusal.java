package dev.constat.rules.spec;

/** Why a text is refused: the end of a sentence that begins with its key and itself. */
final class Refusal extends Exception {

  private static final long serialVersionUID = 1L;

  private final String remedy;
  private final boolean secret;

  Refusal(String problem, String remedy) {
    this(problem, remedy, false);
  }

  private Refusal(String problem, String remedy, boolean secret) {
    super(problem, null, false, false);
    this.remedy = remedy;
    this.secret = secret;
  }

  /** One of a text that nobody may be shown again. */
  static Refusal ofSecret(String problem, String remedy) {
    return new Refusal(problem, remedy, true);
  }

  /** Whether messages leave the text out. */
  boolean isOfSecret() {
    return secret;
  }

  /** What to do. */
  String remedy() {
    return remedy;
  }
}
