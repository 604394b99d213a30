package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.Node;

/** What a place of the run spec may hold: how it is read, written and described. */
interface Shape<T> {

  /**
   * Reads the value at {@code path}, whose place {@code reading} knows. What is wrong is stated
   * there, and the answer then is null.
   */
  T read(Node node, KeyPath path, Reading reading);

  /** A value as JSON that, taken as YAML, reads back equal. */
  JsonNode write(T value);

  /** The JSON Schema of its notation; what only meaning forbids is not in it. */
  ObjectNode schema();

  /** What it is, after "must be". */
  String noun();

  /** The same notation for another type. */
  default <U> Shape<U> as(Function<T, U> to, Function<U, T> from) {
    Shape<T> shape = this;
    return new Shape<>() {
      @Override
      public U read(Node node, KeyPath path, Reading reading) {
        T value = shape.read(node, path, reading);
        return value == null ? null : to.apply(value);
      }

      @Override
      public JsonNode write(U value) {
        return shape.write(from.apply(value));
      }

      @Override
      public ObjectNode schema() {
        return shape.schema();
      }

      @Override
      public String noun() {
        return shape.noun();
      }
    };
  }
}
