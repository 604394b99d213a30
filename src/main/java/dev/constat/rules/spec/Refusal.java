package dev.constat.rules.spec;

/** Why a text is refused: the end of a sentence that begins with its key and itself. */
final class Refusal extends Exception {

  private static final long serialVersionUID = 1L;

  private final String remedy;

  Refusal(String problem, String remedy) {
    super(problem, null, false, false);
    this.remedy = remedy;
  }

  /** What to do. */
  String remedy() {
    return remedy;
  }
}
