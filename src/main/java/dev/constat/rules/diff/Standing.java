package dev.constat.rules.diff;

/** How an event stands to a cell in one version. Encoded by its ordinal. */
enum Standing {
  /** It counts there. */
  COUNTS(null),
  /** It counts in the session that it is in: there only if that is where the session is. */
  COUNTS_IN_SESSION(Cause.WINDOW),
  TOO_LATE(Cause.BUDGET),
  NOT_IN_FORCE(Cause.CORRECTION),
  NOT_PROJECTED(Cause.SCHEMA),
  /** It is in other windows. */
  OTHER_WINDOW(Cause.WINDOW),
  /** It is in cells of another key. */
  OTHER_KEY(Cause.DEFINITION);

  private static final Standing[] ALL = values();

  private final Cause cause;

  Standing(Cause cause) {
    this.cause = cause;
  }

  static Standing at(int ordinal) {
    return ALL[ordinal];
  }

  /** Whether it counts somewhere, and maybe here. */
  boolean mayCount() {
    return this == COUNTS || this == COUNTS_IN_SESSION;
  }

  /** Whether it counts in a cell. */
  boolean counts(boolean cellExists) {
    return this == COUNTS || this == COUNTS_IN_SESSION && cellExists;
  }

  /** Why it does not count. */
  Cause cause() {
    return cause;
  }
}
