package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A value written as text.
 *
 * @param noun what it is, after "must be"
 * @param remedy how to write one
 * @param pattern what its notation must match
 * @param rule makes a value of a text that matches
 * @param writer makes the text of a value
 */
record TextShape<T>(
    String noun, String remedy, Pattern pattern, Rule<T> rule, Function<T, String> writer)
    implements Shape<T> {

  /** Any text but the empty one. */
  static final TextShape<String> TEXT = TextShape.matching("text", "write it as text", "[\\s\\S]+");

  /** Text of a notation that needs no further reading. */
  static TextShape<String> matching(String noun, String remedy, String pattern) {
    return new TextShape<>(
        noun, remedy, Pattern.compile(pattern, Pattern.DOTALL), text -> text, text -> text);
  }

  /** Text of a notation that needs no further reading, which no message shows where it is wrong. */
  static TextShape<String> matchingUnshown(String noun, String remedy, String pattern) {
    Pattern compiled = Pattern.compile(pattern, Pattern.DOTALL);
    return new TextShape<>(
        noun,
        remedy,
        compiled,
        text -> {
          if (!compiled.matcher(text).matches()) {
            throw Refusal.ofSecret("is not " + noun, remedy);
          }
          return text;
        },
        text -> text);
  }

  @Override
  public T read(Node node, KeyPath path, Reading reading) {
    if (!(node instanceof ScalarNode scalar)) {
      reading.wrongType(path, node, noun, remedy);
      return null;
    }
    Literal literal = Literal.of(scalar);
    if (literal.kind() != Literal.Kind.TEXT) {
      if (literal.kind() != Literal.Kind.NULL && isSecret(scalar.getValue())) {
        reading.wrongType(path, noun, remedy);
        return null;
      }
      boolean quotable = pattern.matcher(scalar.getValue()).matches();
      reading.wrongType(
          path, node, noun, quotable ? "put it in quotes: \"" + scalar.getValue() + "\"" : remedy);
      return null;
    }
    try {
      return parse(literal.text());
    } catch (Refusal refusal) {
      reading.refused(path, literal.text(), refusal);
      return null;
    }
  }

  private boolean isSecret(String text) {
    try {
      rule.parse(text);
      return false;
    } catch (Refusal refusal) {
      return refusal.isOfSecret();
    }
  }

  /** Reads a text that stands outside a run spec. */
  T parse(String text) throws Refusal {
    if (text.isEmpty()) {
      throw new Refusal("is empty", "give it a value or remove it");
    }
    if (!pattern.matcher(text).matches()) {
      rule.parse(text); // to say what is wrong where it knows better
      throw new Refusal("is not " + noun, remedy);
    }
    return rule.parse(text);
  }

  @Override
  public JsonNode write(T value) {
    return JsonNodeFactory.instance.textNode(writer.apply(value));
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "string");
    return schema.put("pattern", "^(" + pattern.pattern() + ")$");
  }

  /** Makes a value of a text. */
  interface Rule<T> {
    T parse(String text) throws Refusal;
  }
}
