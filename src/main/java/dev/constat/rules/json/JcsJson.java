package dev.constat.rules.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The canonical text of a JSON value under RFC 8785, the JSON Canonicalization Scheme, whose
 * numbers are those that an IEEE 754 double holds, written as ECMAScript writes them.
 *
 * <p>The scheme sends every number through a double, so that literals of different value may come
 * out as one text: 9007199254740993 as 9007199254740992. A number is <em>safe</em> here if the text
 * has the exact decimal value of the literal. So 0.1 is safe although no double is a tenth, and of
 * the literals that share a double exactly those that equal its shortest text are: two values with
 * only safe numbers have one text if and only if they are equal. Numbers beyond the doubles, such
 * as 1e400, and those that vanish in them, such as 1e-400, are not safe.
 */
public final class JcsJson {

  /** A decimal of so many digits is found again in its double (ISO C's DBL_DIG). */
  private static final int DIGITS_KEPT = 15;

  /** Decimal exponents between which doubles have their full precision, with room to spare. */
  private static final int FULL_PRECISION = 300;

  /** So many digits tell every two doubles apart. */
  private static final int DIGITS_NEEDED = 17;

  /** Up to this exponent ECMAScript writes a number without one. */
  private static final int PLAIN_UP_TO = 21;

  /** Down to this one it does for a fraction. */
  private static final int PLAIN_DOWN_TO = -6;

  private JcsJson() {}

  /** The canonical text, or null where a number is not safe. */
  public static String textOrNull(JsonValue value) {
    StringBuilder out = new StringBuilder();
    boolean safe =
        CanonicalJson.write(
            value,
            literal -> {
              String number = numberOrNull(literal);
              out.append(number);
              return number != null;
            },
            out);
    return safe ? out.toString() : null;
  }

  /** The text of a number's literal, or null where the number is not safe. */
  static String numberOrNull(String literal) {
    String exact = CanonicalJson.number(literal);
    int from = exact.charAt(0) == '-' ? 1 : 0;
    int e = exact.indexOf('e');
    String digits = exact.substring(from, e < 0 ? exact.length() : e);
    long exponent = e < 0 ? 0 : Long.parseLong(exact, e + 1, exact.length(), 10);
    long point = digits.length() + exponent;
    if (digits.length() > DIGITS_KEPT || Math.abs(point) > FULL_PRECISION) {
      double nearest = Double.parseDouble(literal);
      if (Double.isInfinite(nearest) || !isShortestOf(nearest, exact)) {
        return null;
      }
    }
    StringBuilder out = new StringBuilder(exact.substring(0, from));
    return ecmaScript(digits, (int) point, out).toString();
  }

  /** Whether a number, given by its canonical text, is the shortest text of a double. */
  private static boolean isShortestOf(double number, String exact) {
    if (number == 0) {
      return exact.equals("0");
    }
    BigDecimal value = new BigDecimal(number);
    for (int precision = 1; precision <= DIGITS_NEEDED; precision++) {
      BigDecimal below = value.round(new MathContext(precision, RoundingMode.DOWN));
      BigDecimal above = value.round(new MathContext(precision, RoundingMode.UP));
      boolean belowReads = below.doubleValue() == number;
      boolean aboveReads = above.doubleValue() == number;
      if (belowReads || aboveReads) {
        BigDecimal nearest = value.round(new MathContext(precision, RoundingMode.HALF_EVEN));
        BigDecimal shortest = belowReads && aboveReads ? nearest : belowReads ? below : above;
        return CanonicalJson.number(shortest.toString()).equals(exact);
      }
    }
    throw new IllegalStateException("[BUG] No text of " + number + " reads back");
  }

  /**
   * ECMAScript's Number::toString of a decimal.
   *
   * @param digits its significant digits
   * @param point how many of them stand before the decimal point
   */
  private static StringBuilder ecmaScript(String digits, int point, StringBuilder out) {
    int length = digits.length();
    if (length <= point && point <= PLAIN_UP_TO) {
      return out.append(digits).append("0".repeat(point - length));
    }
    if (0 < point && point <= PLAIN_UP_TO) {
      return out.append(digits, 0, point).append('.').append(digits, point, length);
    }
    if (PLAIN_DOWN_TO < point && point <= 0) {
      return out.append("0.").append("0".repeat(-point)).append(digits);
    }
    out.append(digits.charAt(0));
    if (length > 1) {
      out.append('.').append(digits, 1, length);
    }
    return out.append(point > 0 ? "e+" : "e-").append(Math.abs(point - 1));
  }
}
