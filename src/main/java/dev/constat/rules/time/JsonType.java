package dev.constat.rules.time;

import java.util.Locale;

/** The types of JSON values; null is none. */
enum JsonType {
  ARRAY,
  BOOLEAN,
  NUMBER,
  OBJECT,
  STRING;

  /** The type of a value by its canonical text; null of null, and of JSON's null. */
  static JsonType of(String canonical) {
    if (canonical == null) {
      return null;
    }
    return switch (canonical.charAt(0)) {
      case '[' -> ARRAY;
      case '{' -> OBJECT;
      case '"' -> STRING;
      case 't', 'f' -> BOOLEAN;
      case 'n' -> null;
      default -> NUMBER;
    };
  }

  /** As JSON Schema writes it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
