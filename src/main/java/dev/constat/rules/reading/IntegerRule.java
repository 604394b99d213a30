package dev.constat.rules.reading;

import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;

/** A 64-bit integer, signed or unsigned: an integer, or text wholly of digits. */
final class IntegerRule extends ValueRule {

  private final boolean signed;

  private IntegerRule(Input input, Column column, boolean signed, String wanted) {
    super(input, column, wanted);
    this.signed = signed;
  }

  static IntegerRule signed(Input input, Column column) {
    return new IntegerRule(
        input,
        column,
        true,
        "give it as an integer from -9223372036854775808 to 9223372036854775807");
  }

  static IntegerRule unsigned(Input input, Column column) {
    return new IntegerRule(
        input, column, false, "give it as an integer from 0 to 18446744073709551615");
  }

  @Override
  public Object ofText(String text) throws UnreadableValue {
    if (!isInteger(text) || !signed && text.charAt(0) == '-') {
      throw unreadable("is text that is not wholly of digits", text);
    }
    return parse(text);
  }

  @Override
  public Object ofNumber(String literal) throws UnreadableValue {
    if (!isInteger(literal)) {
      throw unreadable("is a number with a fraction or an exponent", literal);
    }
    return parse(literal);
  }

  @Override
  public Object ofInteger(long value) throws UnreadableValue {
    if (!signed && value < 0) {
      throw unreadable("is negative", Long.toString(value));
    }
    return value;
  }

  @Override
  public Object ofUnsigned(long bits) throws UnreadableValue {
    if (signed && bits < 0) {
      throw unreadable("is out of range", Long.toUnsignedString(bits));
    }
    return bits;
  }

  private Long parse(String digits) throws UnreadableValue {
    try {
      if (digits.charAt(0) == '-') {
        return (Long) ofInteger(Long.parseLong(digits));
      }
      return (Long) ofUnsigned(Long.parseUnsignedLong(digits));
    } catch (NumberFormatException e) {
      throw unreadable("is out of range", digits);
    }
  }

  /** Whether text is an integer in ASCII digits, a minus sign before it at most. */
  static boolean isInteger(String text) {
    int from = text.startsWith("-") ? 1 : 0;
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.length() > from;
  }
}
