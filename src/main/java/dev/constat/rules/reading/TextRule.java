package dev.constat.rules.reading;

import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;

/**
 * Text as it stands. A number is the text of its literal, an integer its decimal digits, a boolean
 * {@code true} or {@code false}.
 */
class TextRule extends ValueRule {

  TextRule(Input input, Column column) {
    super(input, column, "give it as text");
  }

  @Override
  public Object ofText(String text) throws UnreadableValue {
    return wellFormed(text);
  }

  @Override
  public Object ofBytes(byte[] bytes) throws UnreadableValue {
    return decoded(bytes);
  }

  @Override
  public Object ofNumber(String literal) throws UnreadableValue {
    return ofText(literal);
  }

  @Override
  public Object ofNonFinite(String name) throws UnreadableValue {
    return ofText(name);
  }

  @Override
  public Object ofInteger(long value) throws UnreadableValue {
    return ofText(Long.toString(value));
  }

  @Override
  public Object ofUnsigned(long bits) throws UnreadableValue {
    return ofText(Long.toUnsignedString(bits));
  }

  @Override
  public Object ofBoolean(boolean value) throws UnreadableValue {
    return ofText(Boolean.toString(value));
  }
}
