package dev.constat.rules.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
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

  /** How many digits an exponent may have. */
  public static final int MAX_EXPONENT_DIGITS = 15;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private static final StrictJson LOOSE = within(JsonLimits.LOOSE);

  private final JsonLimits limits;
  private final JsonFactory factory;

  private StrictJson(JsonLimits limits, JsonFactory factory) {
    this.limits = limits;
    this.factory = factory;
  }

  /** A reader of values that exceed no limit. It is worth keeping. */
  public static StrictJson within(JsonLimits limits) {
    return new StrictJson(
        limits,
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(limits.constraints())
            .build());
  }

  /**
   * Reads one JSON value that the product itself wrote, such as the subject of a finding: only the
   * depth of nesting is limited.
   *
   * @param utf8 its text
   * @throws MalformedJsonException if it is not JSON
   */
  public static JsonValue parse(byte[] utf8) throws MalformedJsonException {
    return LOOSE.read(utf8);
  }

  /**
   * Reads one JSON value that the product itself wrote and that is JSON in any case.
   *
   * @throws IllegalStateException if it is not
   */
  public static JsonValue parseOwn(String text) {
    try {
      return parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalStateException("[BUG] Constat wrote what is not JSON: " + text, e);
    }
  }

  /**
   * Reads one JSON value.
   *
   * @param utf8 its text
   * @throws MalformedJsonException if it is not JSON, or exceeds a limit
   */
  public JsonValue read(byte[] utf8) throws MalformedJsonException {
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
    try (JsonParser parser = factory.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new MalformedJsonException("empty instead of JSON");
      }
      JsonValue value = value(parser);
      long end = parser.currentLocation().getCharOffset();
      if (parser.nextToken() != null) {
        throw new MalformedJsonException("more text behind the JSON value, after character " + end);
      }
      return value;
    } catch (LimitExceededException e) {
      throw new MalformedJsonException(e.getOriginalMessage(), e.remedy());
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

  /** Reads the value that begins with the current token; how deep it nests takes no stack. */
  private JsonValue value(JsonParser parser) throws IOException, MalformedJsonException {
    Open innermost = null;
    while (true) {
      JsonToken token = parser.currentToken();
      JsonValue value =
          switch (token) {
            case START_OBJECT, START_ARRAY -> {
              innermost = new Open(innermost, token == JsonToken.START_OBJECT);
              yield null;
            }
            case FIELD_NAME -> {
              innermost.name = wellFormed(parser.currentName());
              yield null;
            }
            case END_OBJECT, END_ARRAY -> {
              JsonValue closed = innermost.close();
              innermost = innermost.outer;
              yield closed;
            }
            case VALUE_STRING -> new JsonValue.Text(wellFormed(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                new JsonValue.Number(bounded(parser.getText()));
            case VALUE_TRUE, VALUE_FALSE -> new JsonValue.Bool(token == JsonToken.VALUE_TRUE);
            case VALUE_NULL -> new JsonValue.Null();
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                throw new MalformedJsonException("not JSON: unexpected " + token);
          };
      if (value != null) {
        if (innermost == null) {
          return value;
        }
        innermost.add(value);
      }
      parser.nextToken();
    }
  }

  /** An object or array whose end has not come yet. */
  private static final class Open {

    private final Open outer;
    private final TreeMap<String, JsonValue> members;
    private final ImmutableList.Builder<JsonValue> elements;
    private String name;

    Open(Open outer, boolean object) {
      this.outer = outer;
      this.members = object ? new TreeMap<>() : null;
      this.elements = object ? null : ImmutableList.builder();
    }

    void add(JsonValue value) {
      if (members == null) {
        elements.add(value);
      } else {
        members.put(name, value);
      }
    }

    JsonValue close() {
      return members == null
          ? new JsonValue.Elements(elements.build())
          : new JsonValue.Members(ImmutableSortedMap.copyOfSorted(members));
    }
  }

  /** Exponents stay within what a long holds, so that exact values can be compared. */
  private String bounded(String literal) throws IOException, MalformedJsonException {
    limits.checkNumber(literal);
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
