package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A map whose keys the user chooses.
 *
 * @param keyNoun what its keys are, after "is not"
 * @param keyPattern what they must match
 * @param later keys that a later version will know
 * @param value what its values are
 */
record MapShape<V>(String keyNoun, Pattern keyPattern, ImmutableSet<String> later, Shape<V> value)
    implements Shape<ImmutableMap<String, V>> {

  private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);
  private static final Pattern COLUMN = Pattern.compile("[^/]+", Pattern.DOTALL);

  /** A map from any text. */
  static <V> MapShape<V> ofTexts(Shape<V> value) {
    return new MapShape<>("text", ANY, ImmutableSet.of(), value);
  }

  /** A map from names of columns. */
  static <V> MapShape<V> ofColumns(Shape<V> value) {
    return new MapShape<>("the name of a column", COLUMN, ImmutableSet.of(), value);
  }

  /** The same map, with keys that are refused for now. */
  MapShape<V> later(String... keys) {
    return new MapShape<>(keyNoun, keyPattern, ImmutableSet.copyOf(keys), value);
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
      if (later.contains(name)) {
        reading.keyProblem(
            at, name + " in " + path + " is not supported by this version", "remove it");
        continue;
      }
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
      ObjectNode names = schema.putObject("propertyNames");
      names.put("pattern", "^(" + keyPattern.pattern() + ")$");
      if (!later.isEmpty()) {
        later.forEach(names.putObject("not").putArray("enum")::add);
      }
    }
    schema.set("additionalProperties", value.schema());
    return schema;
  }

  @Override
  public String noun() {
    return "a map";
  }
}
