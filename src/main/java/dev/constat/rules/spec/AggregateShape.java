package dev.constat.rules.spec;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.spec.Aggregate.Function;
import dev.constat.rules.spec.GroupShape.Values;
import java.util.Locale;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** How a column of a windowed projection is computed: {@code count}, or {@code {sum: /qty}}. */
record AggregateShape() implements Shape<Aggregate> {

  private static final Aggregate COUNT = new Aggregate(Function.COUNT, "");
  private static final WordShape<String> WORD = WordShape.of("count");

  private static final ImmutableList<Key<Aggregate, String>> FUNCTIONS =
      ImmutableList.of(
          function("sum", Function.SUM, "Exact sum of the numbers there."),
          function("min", Function.MIN, "Smallest number there."),
          function("max", Function.MAX, "Largest number there."),
          function("first", Function.FIRST, "Value of the earliest event."),
          function("last", Function.LAST, "Value of the latest event."),
          function("distinct", Function.DISTINCT, "How many values there are."));

  private static final GroupShape<Aggregate> OF_VALUES =
      new GroupShape<>(ImmutableList.copyOf(FUNCTIONS), AggregateShape::bind);

  private static Key<Aggregate, String> function(String name, Function function, String doc) {
    return Key.optional(
        name,
        Notations.IN_PAYLOAD,
        aggregate -> aggregate.function() == function ? aggregate.pointer() : null,
        "/qty",
        doc);
  }

  private static Aggregate bind(Values<Aggregate> values) {
    ImmutableList<Key<Aggregate, String>> given =
        FUNCTIONS.stream().filter(values::has).collect(toImmutableList());
    if (given.size() != 1) {
      String functions = given.stream().map(Key::name).collect(joining(" and "));
      values.problem(
          given.isEmpty() ? " has no function" : " has the functions " + functions,
          "give it one, such as sum: /qty");
      return null;
    }
    Key<Aggregate, String> key = given.get(0);
    return new Aggregate(Function.valueOf(key.name().toUpperCase(Locale.ROOT)), values.get(key));
  }

  @Override
  public Aggregate read(Node node, KeyPath path, Reading reading) {
    if (node instanceof MappingNode) {
      return OF_VALUES.read(node, path, reading);
    }
    if (node instanceof ScalarNode scalar && scalar.getValue().equals("count")) {
      return COUNT;
    }
    reading.wrongType(path, node, noun(), "write count, or such as {sum: /qty}");
    return null;
  }

  @Override
  public JsonNode write(Aggregate aggregate) {
    return aggregate.function() == Function.COUNT
        ? WORD.write("count")
        : OF_VALUES.write(aggregate);
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    ObjectNode ofValues = OF_VALUES.schema().put("minProperties", 1).put("maxProperties", 1);
    schema.putArray("anyOf").add(WORD.schema()).add(ofValues);
    return schema;
  }

  @Override
  public String noun() {
    return "count or a function of a place in the payload";
  }
}
