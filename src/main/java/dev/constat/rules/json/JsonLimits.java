package dev.constat.rules.json;

import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.Serializable;

/**
 * How large JSON may be before it is refused. The names of the limits are those of the run spec's
 * {@code limits}.
 *
 * @param nesting how deep arrays and objects may nest, at most {@link #MAX_NESTING}
 * @param numberCharacters how many characters a number may have, its sign not counted
 * @param stringCharacters how many characters (UTF-16 code units) a string may have
 */
public record JsonLimits(int nesting, int numberCharacters, int stringCharacters)
    implements Serializable {

  /** The deepest nesting that {@code nesting} may allow. */
  public static final int MAX_NESTING = 10_000;

  /** For texts that come from no archive. */
  static final JsonLimits LOOSE = new JsonLimits(MAX_NESTING, Integer.MAX_VALUE, Integer.MAX_VALUE);

  /**
   * Checks a number whatever it is used for: a parser itself checks one with a fraction or an
   * exponent only where it is asked for its value.
   *
   * @param literal its text
   * @throws LimitExceededException if it is too long
   */
  public void checkNumber(String literal) throws LimitExceededException {
    if (literal.length() > numberCharacters) {
      int length = literal.length() - (literal.charAt(0) == '-' ? 1 : 0);
      if (length > numberCharacters) {
        throw LimitExceededException.ofNumber(length, numberCharacters);
      }
    }
  }

  /** These limits for a Jackson parser, which then throws {@link LimitExceededException}. */
  public StreamReadConstraints constraints() {
    return new Constraints(this);
  }

  /** Says in the terms of the run spec which limit is exceeded. */
  private static final class Constraints extends StreamReadConstraints {

    private static final long serialVersionUID = 1L;

    Constraints(JsonLimits limits) {
      super(limits.nesting, limits.numberCharacters, limits.stringCharacters);
    }

    @Override
    public void validateNestingDepth(int depth) throws LimitExceededException {
      if (depth > getMaxNestingDepth()) {
        throw new LimitExceededException(
            "nesting", "arrays and objects nest deeper than " + getMaxNestingDepth());
      }
    }

    @Override
    public void validateIntegerLength(int length) throws LimitExceededException {
      if (length > getMaxNumberLength()) {
        throw LimitExceededException.ofNumber(length, getMaxNumberLength());
      }
    }

    @Override
    public void validateFPLength(int length) throws LimitExceededException {
      validateIntegerLength(length);
    }

    @Override
    public void validateStringLength(int length) throws LimitExceededException {
      if (length > getMaxStringLength()) {
        throw new LimitExceededException(
            "string_characters", "a string has more than " + getMaxStringLength() + " characters");
      }
    }
  }
}
