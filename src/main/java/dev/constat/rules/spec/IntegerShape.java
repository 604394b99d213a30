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
 * @param most the greatest accepted
 * @param only the numbers accepted; empty where all from {@code least} to {@code most} are
 */
record IntegerShape(String noun, int least, int most, ImmutableSortedSet<Integer> only)
    implements Shape<Integer> {

  /** A number that is {@code least} or greater. */
  static IntegerShape from(int least) {
    return new IntegerShape(
        "a whole number from " + least + " on", least, Integer.MAX_VALUE, ImmutableSortedSet.of());
  }

  /** A number from {@code least} to {@code most}, both included. */
  static IntegerShape between(int least, int most) {
    return new IntegerShape(
        "a whole number from %s to %s".formatted(least, most),
        least,
        most,
        ImmutableSortedSet.of());
  }

  /** One of some numbers. */
  static IntegerShape only(String noun, Iterable<Integer> numbers) {
    ImmutableSortedSet<Integer> only = ImmutableSortedSet.copyOf(numbers);
    return new IntegerShape(noun, only.first(), only.last(), only);
  }

  @Override
  public Integer read(Node node, KeyPath path, Reading reading) {
    if (node instanceof ScalarNode scalar && Literal.of(scalar).kind() == Literal.Kind.NUMBER) {
      Integer number = Ints.tryParse(scalar.getValue());
      if (number != null
          && number >= least
          && number <= most
          && (only.isEmpty() || only.contains(number))) {
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
      return schema.put("type", "integer").put("minimum", least).put("maximum", most);
    }
    only.forEach(schema.putArray("enum")::add);
    return schema;
  }
}
