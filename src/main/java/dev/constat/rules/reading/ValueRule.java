package dev.constat.rules.reading;

import com.google.common.base.Utf8;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.spec.RunSpec.Archive;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;

/**
 * What one column of an input makes of the values that an archive holds. Nothing is guessed: a kind
 * of value that the contract does not give the column is an {@link UnreadableValue}. Null is no
 * value and never comes here.
 */
public abstract class ValueRule {

  private final Input input;
  private final Column column;
  private final String wanted;

  /**
   * A rule.
   *
   * @param wanted what to give instead of a value that the column cannot take, as a remedy
   */
  ValueRule(Input input, Column column, String wanted) {
    this.input = input;
    this.column = column;
    this.wanted = wanted;
  }

  /** The rule of a column of {@code input} in an archive. */
  public static ValueRule of(Input input, Column column, Archive archive) {
    return switch (column.type()) {
      case TEXT ->
          WordRule.applies(input, column)
              ? new WordRule(input, column, archive.values())
              : new TextRule(input, column);
      case TIME -> new TimeRule(input, column, archive.timeUnit(), archive.zone());
      case UNSIGNED -> IntegerRule.unsigned(input, column);
      case INTEGER -> IntegerRule.signed(input, column);
      case BOOLEAN -> new BooleanRule(input, column);
      case PAYLOAD -> new PayloadRule(input, column);
    };
  }

  /** Of text. */
  public abstract Object ofText(String text) throws UnreadableValue;

  /** Of a JSON number, by its literal. */
  public Object ofNumber(String literal) throws UnreadableValue {
    throw unreadable("is a number", literal);
  }

  /** Of a floating-point value that is no number, by its name. */
  public Object ofNonFinite(String name) throws UnreadableValue {
    throw unreadable("is no finite number", name);
  }

  /** Of a signed integer. */
  public Object ofInteger(long value) throws UnreadableValue {
    throw unreadable("is an integer", Long.toString(value));
  }

  /** Of an unsigned integer, by its 64 bits. */
  public Object ofUnsigned(long bits) throws UnreadableValue {
    throw unreadable("is an integer", Long.toUnsignedString(bits));
  }

  /** Of a boolean. */
  public Object ofBoolean(boolean value) throws UnreadableValue {
    throw unreadable("is a boolean", Boolean.toString(value));
  }

  /** Of a time whose own type fixes the instant. */
  public Object ofInstant(Instant value) throws UnreadableValue {
    throw unreadable("is a time", value.toString());
  }

  /** Of a time whose own type says that it has no zone. */
  public Object ofLocal(LocalDateTime value) throws UnreadableValue {
    throw unreadable("is a time", value.toString());
  }

  /** Of bytes: those of text in UTF-8. */
  public Object ofBytes(byte[] bytes) throws UnreadableValue {
    return ofText(decoded(bytes));
  }

  /** The text that bytes hold in UTF-8; decoding leaves no lone surrogate in it. */
  final String decoded(byte[] bytes) throws UnreadableValue {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // The decoder replaces what is no UTF-8, so without that character there is nothing to check.
    if (text.indexOf('\uFFFD') >= 0 && !Utf8.isWellFormed(bytes)) {
      throw UnreadableValue.ofBytes(name() + " is no UTF-8", "give it as UTF-8 text", bytes);
    }
    return text;
  }

  /** Of a JSON object or array, by its text. */
  public Object ofNested(byte[] json) throws UnreadableValue {
    throw UnreadableValue.ofBytes(
        name() + (json[0] == '{' ? " is an object" : " is an array"), wanted, json);
  }

  /** Of a JSON object or array that was made of typed columns. */
  public Object ofRebuilt(Payload json) throws UnreadableValue {
    return ofNested(json.bytes());
  }

  final Input input() {
    return input;
  }

  final String name() {
    return column.name();
  }

  final UnreadableValue unreadable(String what, String value) {
    return new UnreadableValue(name() + " " + what, wanted, value);
  }

  /** Text as it is, unless it is ill-formed. */
  final String wellFormed(String text) throws UnreadableValue {
    if (!isWellFormed(text)) {
      throw new UnreadableValue(
          name() + " is ill-formed Unicode (a lone surrogate)",
          "write it in well-formed Unicode",
          text);
    }
    return text;
  }

  /** Whether every surrogate in a text has its partner. */
  public static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
