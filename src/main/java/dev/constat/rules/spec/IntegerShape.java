package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.primitives.Ints;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A whole number.
 *
 * @param noun what it is, after "must be"
 * @param least the smallest accepted
 * @param only the numbers accepted; empty where all from {@code least} on are
 */
record IntegerShape(String noun, int least, ImmutableSortedSet<Integer> only)
    implements Shape<Integer> {

  /** A number that is {@code least} or greater. */
  static IntegerShape from(int least) {
    return new IntegerShape("a whole number from " + least + " on", least, ImmutableSortedSet.of());
  }

  /** One of some numbers. */
  static IntegerShape only(String noun, Iterable<Integer> numbers) {
    ImmutableSortedSet<Integer> only = ImmutableSortedSet.copyOf(numbers);
    return new IntegerShape(noun, only.first(), only);
  }

  @Override
  public Integer read(Node node, KeyPath path, Reading reading) {
    if (node instanceof ScalarNode scalar && Literal.of(scalar).kind() == Literal.Kind.NUMBER) {
      Integer number = Ints.tryParse(scalar.getValue());
      if (number != null && number >= least && (only.isEmpty() || only.contains(number))) {
        return number;
      }
    }
    reading.wrongType(path, node, noun, "write " + noun);
    return null;
  }

  @Override
  public JsonNode write(Integer value) {
    return JsonNodeFactory.instance.numberNode(value);
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    if (only.isEmpty()) {
      return schema.put("type", "integer").put("minimum", least).put("maximum", Integer.MAX_VALUE);
    }
    only.forEach(schema.putArray("enum")::add);
    return schema;
  }
}
