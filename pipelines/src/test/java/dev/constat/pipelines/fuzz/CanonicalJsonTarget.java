package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.holds;
import static dev.constat.pipelines.fuzz.Claims.same;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JcsJson;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.spec.Limits;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import org.erdtman.jcs.JsonCanonicalizer;

/** JSON text: read strictly, made canonical, read again, and written in other words. */
final class CanonicalJsonTarget {

  /** Exponents beyond are not for BigDecimal. */
  private static final int EXPONENT_DIGITS = 6;

  private static final StrictJson READER = StrictJson.within(Limits.DEFAULT.json());

  private static final JsonMapper PEER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY).build();

  private CanonicalJsonTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    JsonValue value;
    try {
      value = READER.read(input);
    } catch (MalformedJsonException e) {
      holds(!e.getMessage().isBlank(), "says nothing", e);
      return;
    }
    String canonical = CanonicalJson.text(value);
    same("the canonical text of a canonical text", canonical, canonical(canonical));
    same("its bytes", canonical, new String(CanonicalJson.bytes(value), StandardCharsets.UTF_8));
    same("the canonical text, written in other words", canonical, canonical(otherwise(value)));
    sees(value, PEER.readTree(input));
    String rfc8785 = JcsJson.textOrNull(value);
    if (rfc8785 != null
        && (value instanceof JsonValue.Members || value instanceof JsonValue.Elements)) {
      same("RFC 8785", new JsonCanonicalizer(otherwise(value)).getEncodedString(), rfc8785);
    }
  }

  private static String canonical(String json) {
    try {
      return CanonicalJson.text(StrictJson.parse(json.getBytes(StandardCharsets.UTF_8)));
    } catch (MalformedJsonException e) {
      throw new AssertionError("not read: " + json, e);
    }
  }

  /** An equal value as somebody else may write it: spaced, backwards, escaped, rounded up. */
  private static String otherwise(JsonValue value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  private static void write(JsonValue value, StringBuilder out) {
    if (value instanceof JsonValue.Members members) {
      out.append("{ ");
      String comma = "";
      for (Map.Entry<String, JsonValue> member :
          ImmutableList.copyOf(members.byName().entrySet()).reverse()) {
        out.append(comma);
        escape(member.getKey(), out);
        out.append("\t: ");
        write(member.getValue(), out);
        comma = "\r\n,";
      }
      out.append('}');
    } else if (value instanceof JsonValue.Elements elements) {
      out.append("[ ");
      for (Iterator<JsonValue> it = elements.inOrder().iterator(); it.hasNext(); ) {
        write(it.next(), out);
        out.append(it.hasNext() ? " , " : "");
      }
      out.append(" ]");
    } else if (value instanceof JsonValue.Text text) {
      escape(text.value(), out);
    } else if (value instanceof JsonValue.Number number) {
      out.append(shifted(number.literal()));
    } else {
      out.append(CanonicalJson.text(value));
    }
  }

  private static void escape(String text, StringBuilder out) {
    out.append('"');
    for (char c : text.toCharArray()) {
      String hex = Integer.toHexString(c);
      out.append("\\u").append("0".repeat(4 - hex.length())).append(hex);
    }
    out.append('"');
  }

  /** A number with its point moved, and its value held against BigDecimal's. */
  private static String shifted(String literal) {
    int e = Math.max(literal.indexOf('e'), literal.indexOf('E'));
    if (e >= 0 && literal.length() - e - 1 > EXPONENT_DIGITS) {
      return literal;
    }
    BigDecimal exact = new BigDecimal(literal);
    BigDecimal least = exact.stripTrailingZeros();
    String expected =
        exact.signum() == 0
            ? "0"
            : least.unscaledValue() + (least.scale() == 0 ? "" : "e" + -least.scale());
    same("the number " + literal, expected, CanonicalJson.number(literal));
    if (exact.signum() == 0) {
      return "-0.0e+5";
    }
    return literal.length() > Limits.DEFAULT.numberCharacters() / 2
        ? literal
        : exact.unscaledValue() + "0.00E" + (-(long) exact.scale() - 1);
  }

  /** Holds that another reader sees the same value. */
  private static void sees(JsonValue value, JsonNode peer) {
    if (value instanceof JsonValue.Members members) {
      same("members", members.byName().size(), peer.size());
      members.byName().forEach((name, member) -> sees(member, peer.get(name)));
    } else if (value instanceof JsonValue.Elements elements) {
      same("elements", elements.inOrder().size(), peer.size());
      for (int i = 0; i < elements.inOrder().size(); i++) {
        sees(elements.inOrder().get(i), peer.get(i));
      }
    } else if (value instanceof JsonValue.Text text) {
      same("a text", text.value(), peer.textValue());
    } else if (value instanceof JsonValue.Bool bool) {
      same("a boolean", bool.value(), peer.booleanValue());
    } else if (value instanceof JsonValue.Number) {
      holds(peer.isNumber(), "no number", peer);
    } else {
      holds(peer.isNull(), "no null", peer);
    }
  }
}
