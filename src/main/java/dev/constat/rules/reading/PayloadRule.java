package dev.constat.rules.reading;

import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Payload;
import java.nio.charset.StandardCharsets;

/** A payload: text or bytes as received, or a JSON value that stood in its record. */
final class PayloadRule extends ValueRule {

  PayloadRule(Input input, Column column) {
    super(input, column, "give it as JSON text, as bytes or as a nested JSON value");
  }

  @Override
  public Object ofText(String text) throws UnreadableValue {
    return new Payload(wellFormed(text).getBytes(StandardCharsets.UTF_8), false);
  }

  @Override
  public Object ofNumber(String literal) {
    return new Payload(literal.getBytes(StandardCharsets.UTF_8), true);
  }

  @Override
  public Object ofRebuilt(Payload json) {
    return json;
  }

  @Override
  public Object ofBoolean(boolean value) {
    return new Payload(Boolean.toString(value).getBytes(StandardCharsets.UTF_8), true);
  }

  @Override
  public Object ofBytes(byte[] bytes) {
    return new Payload(bytes, false);
  }

  @Override
  public Object ofNested(byte[] json) {
    return new Payload(json, true);
  }
}
