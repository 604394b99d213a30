package dev.constat.pipelines.archive;

import java.io.IOException;

/** Content that is not read, by the fault or the limit that stands against it. */
final class RefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final String AGAIN = "fetch or write the file again";

  private final String remedy;

  /**
   * A refusal.
   *
   * @param problem what is wrong, as half a sentence
   * @param remedy what to do
   */
  RefusedException(String problem, String remedy) {
    super(problem);
    this.remedy = remedy;
  }

  /** Of content that is damaged. */
  static RefusedException damaged(String problem) {
    return new RefusedException(problem, AGAIN);
  }

  /** What is to be done about what was thrown while a file was read. */
  static String remedy(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof RefusedException refused) {
        return refused.remedy;
      }
    }
    return AGAIN;
  }
}
