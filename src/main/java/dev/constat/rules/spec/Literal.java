package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.constat.rules.json.CanonicalJson;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A scalar of a run spec with the type that its notation gives it. The rules are those of JSON plus
 * plain text, so that no reader of YAML 1.1 or 1.2 sees another value: {@code no} is text, {@code
 * 007} is {@link Kind#UNCLEAR}.
 *
 * @param kind what it is
 * @param text its text; of a number, the literal as written
 */
record Literal(Kind kind, String text) {

  private static final Pattern NULL = Pattern.compile("|~|null|Null|NULL");
  private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,999})(\\.[0-9]{1,999})?([eE][-+]?[0-9]{1,6})?");
  private static final Pattern NUMBER_TO_SOME =
      Pattern.compile(
          "[-+]?(\\.[0-9]+|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?"
              + "|[-+]?0x[0-9a-fA-F_]+|0o[0-7]+|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  enum Kind {
    NULL,
    BOOLEAN,
    /** A number in the notation of JSON. */
    NUMBER,
    /** A number to some readers of YAML, text or another number to others. */
    UNCLEAR,
    TEXT
  }

  static Literal of(ScalarNode node) {
    boolean plain = node.getScalarStyle() == ScalarStyle.PLAIN;
    return plain ? plain(node.getValue()) : text(node.getValue());
  }

  /** What a text without quotes is. */
  static Literal plain(String text) {
    if (NULL.matcher(text).matches()) {
      return new Literal(Kind.NULL, "null");
    }
    if (BOOLEAN.matcher(text).matches()) {
      return new Literal(Kind.BOOLEAN, Boolean.toString(Boolean.parseBoolean(text)));
    }
    if (NUMBER.matcher(text).matches()) {
      return new Literal(Kind.NUMBER, text);
    }
    return NUMBER_TO_SOME.matcher(text).matches() ? new Literal(Kind.UNCLEAR, text) : text(text);
  }

  /** What a text in quotes is. */
  static Literal text(String text) {
    return new Literal(Kind.TEXT, text);
  }

  /** The value that {@link #canonicalJson} stands for. */
  JsonNode json() {
    return switch (kind) {
      case NULL -> NullNode.getInstance();
      case BOOLEAN -> BooleanNode.valueOf(Boolean.parseBoolean(text));
      case NUMBER -> DecimalNode.valueOf(new BigDecimal(text));
      case UNCLEAR, TEXT -> JsonNodeFactory.instance.textNode(text);
    };
  }

  /** Its canonical JSON text: two literals of equal value have the same. */
  String canonicalJson() {
    return switch (kind) {
      case NULL, BOOLEAN -> text;
      case NUMBER -> CanonicalJson.number(text);
      case UNCLEAR, TEXT -> {
        StringBuilder quoted = new StringBuilder();
        CanonicalJson.quote(text, quoted);
        yield quoted.toString();
      }
    };
  }

  /** Reads back what {@link #canonicalJson} wrote. */
  static Literal ofCanonicalJson(String json) {
    if (json.startsWith("\"")) {
      return text(((TextNode) CanonicalForm.parse(json)).textValue());
    }
    Kind kind =
        switch (json) {
          case "null" -> Kind.NULL;
          case "true", "false" -> Kind.BOOLEAN;
          default -> Kind.NUMBER;
        };
    return new Literal(kind, json);
  }

  /** As messages show it. */
  String shown() {
    return switch (kind) {
      case NULL -> "nothing";
      case BOOLEAN -> text;
      case NUMBER, UNCLEAR -> "the number " + Reading.shortened(text);
      case TEXT -> Reading.quoted(text);
    };
  }
}
