package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Any scalar.
 *
 * @param orNull whether null is one
 */
record LiteralShape(boolean orNull) implements Shape<Literal> {

  @Override
  public Literal read(Node node, KeyPath path, Reading reading) {
    if (!(node instanceof ScalarNode scalar)) {
      reading.wrongType(path, node, noun(), "write one value");
      return null;
    }
    Literal literal = Literal.of(scalar);
    if (literal.kind() == Literal.Kind.NULL && !orNull) {
      reading.wrongType(path, node, noun(), "write one value");
      return null;
    }
    if (literal.kind() == Literal.Kind.UNCLEAR) {
      reading.problem(
          path,
          literal.text(),
          "%s %s is a number to some readers of YAML and text to others"
              .formatted(path.label(), Reading.quoted(literal.text())),
          "put it in quotes: \"" + literal.text() + "\"");
      return null;
    }
    return literal;
  }

  @Override
  public JsonNode write(Literal value) {
    return value.json();
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    ArrayNode types = schema.putArray("type").add("string").add("number").add("boolean");
    if (orNull) {
      types.add("null");
    }
    return schema;
  }

  @Override
  public String noun() {
    return orNull ? "text, a number, true, false or null" : "text, a number, true or false";
  }
}
