package dev.constat.rules.json;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;

/** A record is larger than the run spec's {@code limits} allow. */
public final class LimitExceededException extends StreamConstraintsException {

  private static final long serialVersionUID = 1L;

  private final String limit;

  /**
   * What is too large.
   *
   * @param limit the key that raises it
   * @param problem how it is exceeded, with the limit's value, as a sentence's end
   */
  public LimitExceededException(String limit, String problem) {
    super("over limits.%s: %s".formatted(limit, problem));
    this.limit = limit;
  }

  static LimitExceededException ofNumber(int length, int most) {
    return new LimitExceededException(
        "number_characters", "a number has %s characters, more than %s".formatted(length, most));
  }

  /** What a user can do about it. */
  public String remedy() {
    return remedy(limit);
  }

  /** What a user can do about what exceeds a limit. */
  public static String remedy(String limit) {
    return "raise it with limits: {%s: ...} in the run spec, or shorten the record"
        .formatted(limit);
  }
}
