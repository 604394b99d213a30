package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * One of some words.
 *
 * @param words what each stands for
 * @param later words that a later version will know
 */
record WordShape<T>(ImmutableMap<String, T> words, ImmutableSet<String> later) implements Shape<T> {

  /** Words that stand for themselves. */
  static WordShape<String> of(String... words) {
    ImmutableMap.Builder<String, String> map = ImmutableMap.builder();
    for (String word : words) {
      map.put(word, word);
    }
    return new WordShape<>(map.buildOrThrow(), ImmutableSet.of());
  }

  /** The same words, and some that are refused for now. */
  WordShape<T> later(String... words) {
    return new WordShape<>(this.words, ImmutableSet.copyOf(words));
  }

  @Override
  public T read(Node node, KeyPath path, Reading reading) {
    String use = "use " + choice();
    if (!(node instanceof ScalarNode scalar) || Literal.of(scalar).kind() != Literal.Kind.TEXT) {
      reading.wrongType(path, node, noun(), use);
      return null;
    }
    try {
      return parse(scalar.getValue());
    } catch (Refusal refusal) {
      reading.refused(path, scalar.getValue(), refusal);
      return null;
    }
  }

  /** Reads a word that stands outside a run spec. */
  T parse(String word) throws Refusal {
    if (later.contains(word)) {
      throw new Refusal("is not supported by this version", "use " + choice());
    }
    T value = words.get(word);
    if (value == null) {
      throw new Refusal(
          "is not known",
          "use " + choice() + " (nearest: " + NearestName.of(word, words.keySet()) + ")");
    }
    return value;
  }

  @Override
  public JsonNode write(T value) {
    for (Map.Entry<String, T> word : words.entrySet()) {
      if (word.getValue().equals(value)) {
        return JsonNodeFactory.instance.textNode(word.getKey());
      }
    }
    throw new IllegalArgumentException("No word for " + value);
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    words.keySet().forEach(schema.putArray("enum")::add);
    return schema;
  }

  @Override
  public String noun() {
    return words.size() == 1 ? choice() : "one of " + String.join(", ", words.keySet());
  }

  private String choice() {
    List<String> all = words.keySet().asList();
    int last = all.size() - 1;
    return last == 0
        ? all.get(0)
        : String.join(", ", all.subList(0, last)) + " or " + all.get(last);
  }
}
