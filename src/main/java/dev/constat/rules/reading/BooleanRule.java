package dev.constat.rules.reading;

import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;

/** A boolean, or exactly the text {@code true} or {@code false}. */
final class BooleanRule extends ValueRule {

  BooleanRule(Input input, Column column) {
    super(input, column, "give it as true or false");
  }

  @Override
  public Object ofText(String text) throws UnreadableValue {
    return switch (text) {
      case "true" -> Boolean.TRUE;
      case "false" -> Boolean.FALSE;
      default -> throw unreadable("is neither true nor false", text);
    };
  }

  @Override
  public Object ofBoolean(boolean value) {
    return value;
  }
}
