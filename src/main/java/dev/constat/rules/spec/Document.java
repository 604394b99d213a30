package dev.constat.rules.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A kind of file that users write in YAML: a run spec, a profile, a baseline. All are read alike:
 * strictly, and with every problem told at once.
 *
 * @param root what messages call the file
 * @param firstLine how one begins
 * @param title of its JSON Schema
 * @param description of its JSON Schema
 * @param shape what it may hold
 */
record Document<G>(
    KeyPath root, String firstLine, String title, String description, GroupShape<G> shape) {

  /**
   * Reads one.
   *
   * @param text the whole file
   * @param file how messages name the file
   * @throws SpecException if anything is wrong with it
   */
  G parse(String text, String file) {
    Reading reading = new Reading(file);
    Node tree = new YamlText(text, reading, root.noun(), firstLine).compose();
    if (tree == null) {
      throw reading.failure();
    }
    reading.enter(root, tree);
    G read = shape.read(tree, root, reading);
    if (reading.count() > 0) {
      throw reading.failure();
    }
    return read;
  }

  /**
   * Its JSON Schema (draft 2020-12). It refuses what has the wrong form; what only a look at
   * several keys, a calendar or the contract's columns can tell is left to {@link #parse}.
   */
  String schema() {
    ObjectNode schema =
        JsonNodeFactory.instance
            .objectNode()
            .put("$schema", "https://json-schema.org/draft/2020-12/schema")
            .put("title", title)
            .put("description", description);
    schema.setAll(shape.schema());
    try {
      return new ObjectMapper().writer(new RunSpecSchema.Printer()).writeValueAsString(schema)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A schema that has no JSON text", e);
    }
  }
}
