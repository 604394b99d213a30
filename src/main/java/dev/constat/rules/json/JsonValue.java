package dev.constat.rules.json;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;

/**
 * A JSON value that keeps what canonical forms need: numbers by their literal, members by name in
 * the order of UTF-16 code units (RFC 8785, section 3.2.3).
 */
public sealed interface JsonValue {

  /** An object. */
  record Members(ImmutableSortedMap<String, JsonValue> byName) implements JsonValue {}

  /** An array. */
  record Elements(ImmutableList<JsonValue> inOrder) implements JsonValue {}

  /** A string of well-formed Unicode. */
  record Text(String value) implements JsonValue {}

  /** A number, by its literal. */
  record Number(String literal) implements JsonValue {}

  /** True or false. */
  record Bool(boolean value) implements JsonValue {}

  /** JSON's null. */
  record Null() implements JsonValue {}

  /** The value at a JSON Pointer (RFC 6901) below this one, or null where there is none. */
  default JsonValue at(String pointer) {
    JsonValue value = this;
    int from = 0;
    while (value != null && from < pointer.length()) {
      int to = pointer.indexOf('/', from + 1);
      to = to < 0 ? pointer.length() : to;
      String step = pointer.substring(from + 1, to).replace("~1", "/").replace("~0", "~");
      value = value.child(step);
      from = to;
    }
    return value;
  }

  private JsonValue child(String step) {
    if (this instanceof Members members) {
      return members.byName().get(step);
    }
    if (this instanceof Elements elements && step.matches("0|[1-9][0-9]{0,8}")) {
      int index = Integer.parseInt(step);
      return index < elements.inOrder().size() ? elements.inOrder().get(index) : null;
    }
    return null;
  }

  /**
   * The value as a column of text holds it: a string's characters, a number's literal, true or
   * false; of arrays and objects the canonical text; null for JSON's null.
   */
  default String asText() {
    if (this instanceof Text text) {
      return text.value();
    }
    if (this instanceof Number number) {
      return number.literal();
    }
    return this instanceof Null ? null : CanonicalJson.text(this);
  }
}
