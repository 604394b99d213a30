package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** True or false. */
record FlagShape() implements Shape<Boolean> {

  @Override
  public Boolean read(Node node, KeyPath path, Reading reading) {
    if (node instanceof ScalarNode scalar && Literal.of(scalar).kind() == Literal.Kind.BOOLEAN) {
      return Boolean.valueOf(scalar.getValue());
    }
    reading.wrongType(path, node, noun(), "write true or false");
    return null;
  }

  @Override
  public JsonNode write(Boolean value) {
    return BooleanNode.valueOf(value);
  }

  @Override
  public ObjectNode schema() {
    return JsonNodeFactory.instance.objectNode().put("type", "boolean");
  }

  @Override
  public String noun() {
    return "true or false";
  }
}
