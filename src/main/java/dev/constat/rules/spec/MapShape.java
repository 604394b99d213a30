package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A map whose keys the user chooses.
 *
 * @param keyNoun what its keys are, after "is not"
 * @param keyPattern what they must match
 * @param value what its values are
 */
record MapShape<V>(String keyNoun, Pattern keyPattern, Shape<V> value)
    implements Shape<ImmutableMap<String, V>> {

  private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);
  private static final Pattern COLUMN = Pattern.compile("[^/]+", Pattern.DOTALL);
  private static final Pattern NEW_COLUMN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** A map from any text. */
  static <V> MapShape<V> ofTexts(Shape<V> value) {
    return new MapShape<>("text", ANY, value);
  }

  /** A map from names of columns. */
  static <V> MapShape<V> ofColumns(Shape<V> value) {
    return new MapShape<>("the name of a column", COLUMN, value);
  }

  /** A map from names that a column of an output may have. */
  static <V> MapShape<V> ofNewColumns(Shape<V> value) {
    return new MapShape<>(
        "made of letters, digits and _, none of the digits first", NEW_COLUMN, value);
  }

  @Override
  public ImmutableMap<String, V> read(Node node, KeyPath path, Reading reading) {
    if (!(node instanceof MappingNode mapping)) {
      reading.wrongType(path, node, noun(), "write key: value");
      return null;
    }
    int before = reading.count();
    ImmutableMap.Builder<String, V> map = ImmutableMap.builder();
    for (Map.Entry<String, Node> entry : reading.entries(path, mapping).entrySet()) {
      String name = entry.getKey();
      KeyPath at = path.key(name);
      if (!keyPattern.matcher(name).matches()) {
        reading.keyProblem(
            at,
            "The key %s in %s is not %s".formatted(Reading.quoted(name), path, keyNoun),
            "write a plain name");
        continue;
      }
      V read = value.read(entry.getValue(), at, reading);
      if (read != null) {
        map.put(name, read);
      }
    }
    return reading.count() == before ? map.buildOrThrow() : null;
  }

  @Override
  public JsonNode write(ImmutableMap<String, V> map) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    map.forEach((name, element) -> object.set(name, value.write(element)));
    return object;
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    if (keyPattern != ANY) {
      schema.putObject("propertyNames").put("pattern", "^(" + keyPattern.pattern() + ")$");
    }
    schema.set("additionalProperties", value.schema());
    return schema;
  }

  @Override
  public String noun() {
    return "a map";
  }
}
