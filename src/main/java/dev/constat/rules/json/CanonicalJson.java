package dev.constat.rules.json;

import com.google.common.base.Preconditions;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;

/**
 * The canonical text of a JSON value under rule {@code jcs-exact/1}: members sorted and strings
 * escaped as RFC 8785 has it, but numbers by their exact decimal value instead of by way of a
 * double. A number is written as its significant digits and, unless it is 0, the exponent of the
 * last one: 136.0 and 1.36E2 are {@code 136}, 1200 is {@code 12e2}, -0 is {@code 0}. Two values
 * have the same canonical text if and only if they are equal.
 */
public final class CanonicalJson {

  private CanonicalJson() {}

  /** The canonical text. */
  public static String text(JsonValue value) {
    StringBuilder out = new StringBuilder();
    write(
        value,
        literal -> {
          out.append(number(literal));
          return true;
        },
        out);
    return out.toString();
  }

  /** The UTF-8 bytes of the canonical text. */
  public static byte[] bytes(JsonValue value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  /** Writes a number; false where that cannot be done. */
  interface NumberForm {
    boolean write(String literal);
  }

  /**
   * Writes a value with members sorted and strings escaped as RFC 8785 has it; how deep it nests
   * takes no stack.
   *
   * @return whether every number was written; where one was not, writing ended there
   */
  static boolean write(JsonValue value, NumberForm numbers, StringBuilder out) {
    Open innermost = null;
    JsonValue next = value;
    while (true) {
      if (next instanceof JsonValue.Members members) {
        innermost = new Open(innermost, members.byName().entrySet().iterator(), null);
        out.append('{');
      } else if (next instanceof JsonValue.Elements elements) {
        innermost = new Open(innermost, null, elements.inOrder().iterator());
        out.append('[');
      } else if (next instanceof JsonValue.Text text) {
        quote(text.value(), out);
      } else if (next instanceof JsonValue.Number number) {
        if (!numbers.write(number.literal())) {
          return false;
        }
      } else if (next instanceof JsonValue.Bool bool) {
        out.append(bool.value());
      } else {
        out.append("null");
      }
      while (innermost != null && innermost.atEnd()) {
        out.append(innermost.members == null ? ']' : '}');
        innermost = innermost.outer;
      }
      if (innermost == null) {
        return true;
      }
      next = innermost.next(out);
    }
  }

  /** An object or array that is being written. */
  private static final class Open {

    private final Open outer;
    private final Iterator<Map.Entry<String, JsonValue>> members;
    private final Iterator<JsonValue> elements;
    private boolean begun;

    Open(Open outer, Iterator<Map.Entry<String, JsonValue>> members, Iterator<JsonValue> elements) {
      this.outer = outer;
      this.members = members;
      this.elements = elements;
    }

    boolean atEnd() {
      return members == null ? !elements.hasNext() : !members.hasNext();
    }

    /** Writes what stands before the next value, and hands that over. */
    JsonValue next(StringBuilder out) {
      if (begun) {
        out.append(',');
      }
      begun = true;
      if (members == null) {
        return elements.next();
      }
      Map.Entry<String, JsonValue> member = members.next();
      quote(member.getKey(), out);
      out.append(':');
      return member.getValue();
    }
  }

  /** The text of a JSON string, quotes included (RFC 8785, section 3.2.2.2). */
  public static void quote(String value, StringBuilder out) {
    out.append('"');
    int plain = plainRun(value);
    out.append(value, 0, plain);
    for (int i = plain; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\t' -> out.append("\\t");
        case '\n' -> out.append("\\n");
        case '\f' -> out.append("\\f");
        case '\r' -> out.append("\\r");
        default -> {
          if (c < ' ') {
            out.append("\\u00").append(c < 16 ? '0' : '1').append(Character.forDigit(c & 15, 16));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  /** How many characters stand before the first that needs an escape. */
  private static int plainRun(String value) {
    int at = 0;
    while (at < value.length() && value.charAt(at) >= ' ') {
      if (value.charAt(at) == '"' || value.charAt(at) == '\\') {
        break;
      }
      at++;
    }
    return at;
  }

  /**
   * The canonical text of a JSON number's literal: linear in its length, whatever its exponent (of
   * at most {@link StrictJson#MAX_EXPONENT_DIGITS} digits).
   */
  public static String number(String literal) {
    int at = 0;
    boolean negative = literal.charAt(0) == '-';
    if (negative) {
      at++;
    }
    StringBuilder digits = new StringBuilder(literal.length());
    long exponent = 0;
    boolean fraction = false;
    for (; at < literal.length(); at++) {
      char c = literal.charAt(at);
      if (c >= '0' && c <= '9') {
        if (digits.length() > 0 || c != '0') {
          digits.append(c);
        }
        exponent -= fraction ? 1 : 0;
      } else if (c == '.') {
        fraction = true;
      } else {
        Preconditions.checkArgument(c == 'e' || c == 'E', "Not a JSON number: %s", literal);
        exponent += Long.parseLong(literal, at + 1, literal.length(), 10);
        break;
      }
    }
    int last = digits.length();
    while (last > 0 && digits.charAt(last - 1) == '0') {
      last--;
      exponent++;
    }
    if (last == 0) {
      return "0";
    }
    digits.setLength(last);
    if (negative) {
      digits.insert(0, '-');
    }
    return exponent == 0 ? digits.toString() : digits.append('e').append(exponent).toString();
  }

  /** Whether a text is wholly a JSON number. */
  public static boolean isNumber(String text) {
    int at = 0;
    int length = text.length();
    if (at < length && text.charAt(at) == '-') {
      at++;
    }
    int digits = digits(text, at);
    if (digits == 0 || digits > 1 && text.charAt(at) == '0') {
      return false;
    }
    at += digits;
    if (at < length && text.charAt(at) == '.') {
      digits = digits(text, at + 1);
      if (digits == 0) {
        return false;
      }
      at += digits + 1;
    }
    if (at < length && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < length && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
        at++;
      }
      digits = digits(text, at);
      if (digits == 0) {
        return false;
      }
      at += digits;
    }
    return at == length;
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at - from;
  }
}
