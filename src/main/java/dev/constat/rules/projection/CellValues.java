package dev.constat.rules.projection;

import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Values of cells as JSON text: numbers exact, compared by value and shown without exponent (spec
 * section 5).
 */
final class CellValues {

  /** A number whose plain notation has more digits than this is none that anybody adds up. */
  static final int MAX_DIGITS = 10_000;

  /** JSON's null. */
  static final String NULL = "null";

  private CellValues() {}

  /**
   * The exact value of a JSON number, or of a string that is wholly one.
   *
   * @param json JSON text of a value
   * @return null where it is none, or one of more than {@link #MAX_DIGITS} digits
   */
  static BigDecimal decimal(String json) {
    String canonical = number(json);
    return canonical == null || !plainly(canonical) ? null : new BigDecimal(canonical);
  }

  /** Without exponent and without trailing zeros; 0 has no sign. */
  static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  /**
   * JSON text as outputs show it: a number in plain notation where that has at most {@link
   * #MAX_DIGITS} digits, everything else canonical.
   */
  static String shown(String canonical) {
    boolean number = isLiteral(canonical) && plainly(canonical);
    return number ? plain(new BigDecimal(canonical)) : canonical;
  }

  /**
   * The value as a column of text holds it: a string's characters, a number as it is shown, of
   * everything else the JSON text; null for JSON's null.
   */
  static String text(String json) {
    if (json == null || json.equals(NULL)) {
      return null;
    }
    return json.charAt(0) == '"' ? characters(json) : shown(json);
  }

  /**
   * Whether two values are the same by value, not by text: 2.5, 2.50 and "2.50" are, and so are a
   * value and the text that a column of text holds of it. Null is only null.
   */
  static boolean same(String recomputed, String recorded) {
    String one = recomputed == null ? NULL : recomputed;
    String other = recorded == null ? NULL : recorded;
    if (one.equals(other)) {
      return true;
    }
    String number = number(one);
    if (number != null) {
      return number.equals(number(other));
    }
    String text = text(one);
    String otherText = text(other);
    if (text == null || otherText == null) {
      return false;
    }
    return text.equals(otherText) || isNested(one) && one.equals(canonicalOrNull(otherText));
  }

  private static boolean isNested(String json) {
    return json.charAt(0) == '{' || json.charAt(0) == '[';
  }

  private static boolean isLiteral(String json) {
    char first = json.charAt(0);
    return first == '-' || first >= '0' && first <= '9';
  }

  /** The canonical text of a number, be it one or a string that is wholly one; else null. */
  private static String number(String json) {
    if (isLiteral(json)) {
      return CanonicalJson.number(json);
    }
    if (json.charAt(0) != '"') {
      return null;
    }
    String characters = json.substring(1, json.length() - 1);
    boolean number =
        CanonicalJson.isNumber(characters) && StrictJson.hasBoundedExponent(characters);
    return number ? CanonicalJson.number(characters) : null;
  }

  /** Whether a canonical number may be written out in full. */
  private static boolean plainly(String canonical) {
    int e = canonical.indexOf('e');
    int digits = e < 0 ? canonical.length() : e;
    long exponent = e < 0 ? 0 : Long.parseLong(canonical, e + 1, canonical.length(), 10);
    return Math.max(digits, exponent < 0 ? -exponent : digits + exponent) <= MAX_DIGITS;
  }

  private static String characters(String json) {
    if (json.indexOf('\\') < 0) {
      return json.substring(1, json.length() - 1);
    }
    return StrictJson.parseOwn(json).asText();
  }

  private static String canonicalOrNull(String text) {
    try {
      JsonValue value = StrictJson.parse(text.getBytes(StandardCharsets.UTF_8));
      return CanonicalJson.text(value);
    } catch (MalformedJsonException e) {
      return null;
    }
  }
}
