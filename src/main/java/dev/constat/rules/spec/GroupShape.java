package dev.constat.rules.spec;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A map with known keys.
 *
 * @param keys in the order in which they are described
 * @param binder makes a value of what the keys hold
 */
record GroupShape<G>(ImmutableList<Key<G, ?>> keys, Binder<G> binder) implements Shape<G> {

  /** Makes a value of keys that are all sound; may state problems of their combination. */
  interface Binder<G> {
    G bind(Values<G> values);
  }

  @Override
  public G read(Node node, KeyPath path, Reading reading) {
    if (!(node instanceof MappingNode mapping)) {
      reading.wrongType(path, node, noun(), "write key: value");
      return null;
    }
    int before = reading.count();
    ImmutableMap<String, Key<G, ?>> byName = Maps.uniqueIndex(keys, Key::name);
    Map<String, Node> entries = reading.entries(path, mapping);
    Map<Key<G, ?>, Object> values = new HashMap<>();
    Set<String> explained = new HashSet<>();
    entries.forEach(
        (name, value) -> {
          KeyPath at = path.key(name);
          Key<G, ?> key = byName.get(name);
          if (key == null) {
            String nearest = NearestName.of(name, byName.keySet());
            explained.add(nearest);
            reading.keyProblem(
                at,
                "Unknown key %s in %s".formatted(Reading.quoted(name), path.title()),
                "the nearest known key is '" + nearest + "'");
          } else if (key.isRefused()) {
            explained.add(key.instead());
            reading.keyProblem(at, key.name() + " " + key.refusal(), key.remedy());
          } else {
            values.put(key, key.shape().read(value, at, reading));
          }
        });
    for (Key<G, ?> key : keys) {
      if (key.isRequired() && !values.containsKey(key) && !explained.contains(key.name())) {
        reading.problem(
            path,
            null,
            "%s is missing in %s".formatted(key.name(), path.title()),
            key.shape() instanceof GroupShape ? "add it" : "add it, such as " + key.shown());
      }
    }
    if (reading.count() > before) {
      return null;
    }
    G group = binder.bind(new Values<>(values, path, reading));
    return reading.count() > before ? null : group;
  }

  @Override
  public ObjectNode write(G group) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (Key<G, ?> key : keys) {
      JsonNode value = key.write(group);
      if (value != null) {
        object.set(key.name(), value);
      }
    }
    return object;
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = JsonNodeFactory.instance.objectNode();
    ArrayNode required = JsonNodeFactory.instance.arrayNode();
    for (Key<G, ?> key : acceptedKeys()) {
      ObjectNode property = key.shape().schema().put("description", key.doc());
      if (key.defaultJson() != null) {
        property.set("default", key.defaultJson());
      } else if (!(key.shape() instanceof GroupShape)) {
        property.putArray("examples").add(key.exampleJson());
      }
      properties.set(key.name(), property);
      if (key.isRequired()) {
        required.add(key.name());
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    schema.put("additionalProperties", false);
    schema.set("properties", properties);
    return schema;
  }

  /** The keys that a run spec may have here. */
  ImmutableList<Key<G, ?>> acceptedKeys() {
    return keys.stream().filter(key -> !key.isRefused()).collect(toImmutableList());
  }

  @Override
  public String noun() {
    return "a map";
  }

  /** What the keys of one group hold. */
  static final class Values<G> {

    private final Map<Key<G, ?>, Object> values;
    private final KeyPath path;
    private final Reading reading;

    private Values(Map<Key<G, ?>, Object> values, KeyPath path, Reading reading) {
      this.values = values;
      this.path = path;
      this.reading = reading;
    }

    /** The value of a key, else its default. */
    @SuppressWarnings("unchecked") // a key's shape made the value
    <T> T get(Key<G, T> key) {
      T value = (T) values.get(key);
      return value == null ? key.fallback() : value;
    }

    /** Whether a key stands in the file. */
    boolean has(Key<G, ?> key) {
      return values.containsKey(key);
    }

    /** States a problem with the group, after its name. */
    void problem(String problem, String remedy) {
      reading.problem(path, null, path.label() + problem, remedy);
    }

    /** States that a key which the others ask for is missing. */
    void missing(Key<G, ?> key) {
      reading.problem(
          path,
          null,
          "%s is missing in %s".formatted(key.name(), path.title()),
          "add it, such as " + key.shown());
    }

    /** States that a key cannot stand beside the others. */
    void misplaced(Key<G, ?> key, String problem) {
      reading.keyProblem(
          path.key(key.name()),
          "%s in %s %s".formatted(key.name(), path.title(), problem),
          "remove it");
    }

    KeyPath path() {
      return path;
    }

    Reading reading() {
      return reading;
    }
  }
}
