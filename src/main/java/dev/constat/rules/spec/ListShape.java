package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A list without repetitions; a single value stands for a list of one.
 *
 * @param item what its items are
 * @param least how many it has at least: 0 or 1
 * @param identity what no two items may have in common
 * @param repetition what an item does that has it in common, with one %s for the earlier item
 */
record ListShape<T>(Shape<T> item, int least, Function<T, ?> identity, String repetition)
    implements Shape<ImmutableList<T>> {

  /** A list that may be empty. */
  static <T> ListShape<T> of(Shape<T> item) {
    return new ListShape<>(item, 0, value -> value, "repeats %s");
  }

  /** A list with at least one item. */
  static <T> ListShape<T> nonEmpty(Shape<T> item) {
    return new ListShape<>(item, 1, value -> value, "repeats %s");
  }

  /** The same list, whose items differ in {@code identity}. */
  ListShape<T> distinctBy(Function<T, ?> identity, String repetition) {
    return new ListShape<>(item, least, identity, repetition);
  }

  @Override
  public ImmutableList<T> read(Node node, KeyPath path, Reading reading) {
    if (!(node instanceof SequenceNode sequence)) {
      T single = item.read(node, path, reading);
      return single == null ? null : ImmutableList.of(single);
    }
    List<Node> nodes = sequence.getValue();
    if (nodes.size() < least) {
      reading.problem(
          path, null, path.label() + " is an empty list", "give it an item or remove it");
      return null;
    }
    int before = reading.count();
    ImmutableList.Builder<T> items = ImmutableList.builder();
    Map<Object, KeyPath> first = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      KeyPath at = path.item(i);
      reading.enter(at, nodes.get(i));
      T value = item.read(nodes.get(i), at, reading);
      if (value == null) {
        continue;
      }
      KeyPath earlier = first.putIfAbsent(identity.apply(value), at);
      if (earlier != null) {
        reading.problem(
            at,
            null,
            at.label() + " " + repetition.formatted(earlier.label()),
            "remove one of them");
      }
      items.add(value);
    }
    return reading.count() == before ? items.build() : null;
  }

  @Override
  public JsonNode write(ImmutableList<T> value) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    value.forEach(element -> array.add(item.write(element)));
    return array;
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    ObjectNode list = JsonNodeFactory.instance.objectNode().put("type", "array");
    list.set("items", item.schema());
    if (least > 0) {
      list.put("minItems", least);
    }
    list.put("uniqueItems", true);
    schema.putArray("anyOf").add(item.schema()).add(list);
    return schema;
  }

  @Override
  public String noun() {
    return item.noun() + ", or a list of such";
  }
}
