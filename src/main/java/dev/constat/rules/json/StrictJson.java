package dev.constat.rules.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Reads JSON (RFC 8259) and refuses what two readers could take for different things: repeated
 * members at any depth, ill-formed Unicode, NaN and infinities, anything behind the value.
 */
public final class StrictJson {

  /** How deep arrays and objects may nest. */
  public static final int MAX_NESTING = 1_000;

  /** How many characters a number may have. */
  public static final int MAX_NUMBER_LENGTH = 1_000;

  /** How many characters a string may have. */
  public static final int MAX_STRING_LENGTH = 20_000_000;

  /** How many digits an exponent may have. */
  public static final int MAX_EXPONENT_DIGITS = 15;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxNumberLength(MAX_NUMBER_LENGTH)
                  .maxStringLength(MAX_STRING_LENGTH)
                  .build())
          .build();

  private StrictJson() {}

  /**
   * Reads one JSON value.
   *
   * @param utf8 its text
   * @throws MalformedJsonException if it is not JSON, or exceeds a limit
   */
  public static JsonValue parse(byte[] utf8) throws MalformedJsonException {
    if (!Utf8.isWellFormed(utf8)) {
      throw new MalformedJsonException("ill-formed UTF-8");
    }
    for (int i = 0; i < Math.min(4, utf8.length); i++) {
      if (utf8[i] == 0) {
        throw new MalformedJsonException("not JSON at character " + i + ": a zero byte");
      }
    }
    int from = startsWithMark(utf8) ? BYTE_ORDER_MARK.length : 0;
    // Given bytes, the parser would guess their encoding and read them through a stream.
    String text = new String(utf8, from, utf8.length - from, StandardCharsets.UTF_8);
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new MalformedJsonException("empty instead of JSON");
      }
      JsonValue value = value(parser);
      long end = parser.currentLocation().getCharOffset();
      if (parser.nextToken() != null) {
        throw new MalformedJsonException("more text behind the JSON value, after character " + end);
      }
      return value;
    } catch (StreamConstraintsException e) {
      throw new MalformedJsonException("over a limit: " + e.getOriginalMessage());
    } catch (JsonParseException e) {
      throw new MalformedJsonException(
          "not JSON at character "
              + e.getLocation().getCharOffset()
              + ": "
              + withoutAdvice(e.getOriginalMessage()));
    } catch (IOException e) {
      throw new MalformedJsonException("not JSON: " + e.getMessage());
    }
  }

  private static boolean startsWithMark(byte[] utf8) {
    return utf8.length >= BYTE_ORDER_MARK.length
        && Arrays.equals(
            utf8, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
  }

  /** What the parser says, without what it would have a programmer do about it. */
  private static String withoutAdvice(String message) {
    int advice = message.indexOf(": enable");
    return advice < 0 ? message : message.substring(0, advice);
  }

  private static JsonValue value(JsonParser parser) throws IOException, MalformedJsonException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> {
        TreeMap<String, JsonValue> members = new TreeMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = wellFormed(parser.currentName());
          parser.nextToken();
          members.put(name, value(parser));
        }
        yield new JsonValue.Members(ImmutableSortedMap.copyOfSorted(members));
      }
      case START_ARRAY -> {
        ImmutableList.Builder<JsonValue> elements = ImmutableList.builder();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(value(parser));
        }
        yield new JsonValue.Elements(elements.build());
      }
      case VALUE_STRING -> new JsonValue.Text(wellFormed(parser.getText()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonValue.Number(bounded(parser.getText()));
      case VALUE_TRUE, VALUE_FALSE -> new JsonValue.Bool(token == JsonToken.VALUE_TRUE);
      case VALUE_NULL -> new JsonValue.Null();
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new MalformedJsonException("not JSON: unexpected " + token);
    };
  }

  /** Exponents stay within what a long holds, so that exact values can be compared. */
  private static String bounded(String literal) throws MalformedJsonException {
    if (!hasBoundedExponent(literal)) {
      throw new MalformedJsonException(
          "over a limit: an exponent of more than " + MAX_EXPONENT_DIGITS + " digits");
    }
    return literal;
  }

  /** Whether the exponent of a number's literal has at most {@link #MAX_EXPONENT_DIGITS} digits. */
  public static boolean hasBoundedExponent(String literal) {
    int e = Math.max(literal.indexOf('e'), literal.indexOf('E'));
    if (e < 0) {
      return true;
    }
    char sign = literal.charAt(e + 1);
    int from = sign == '+' || sign == '-' ? e + 2 : e + 1;
    return literal.length() - from <= MAX_EXPONENT_DIGITS;
  }

  private static String wellFormed(String text) throws MalformedJsonException {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          throw new MalformedJsonException(
              String.format(Locale.ROOT, "ill-formed Unicode: lone surrogate \\u%04X", (int) c));
        }
        i++;
      }
    }
    return text;
  }
}
