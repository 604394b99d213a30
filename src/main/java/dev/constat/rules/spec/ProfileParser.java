package dev.constat.rules.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads the text of a profile of {@code generate}, as strictly as {@link RunSpecParser} reads a run
 * spec.
 */
public final class ProfileParser {

  private ProfileParser() {}

  /**
   * Reads a profile.
   *
   * @param text the whole file
   * @param file how messages name the file
   * @throws SpecException if anything is wrong with it
   */
  public static Profile parse(String text, String file) {
    Reading reading = new Reading(file);
    Node tree = new YamlText(text, reading, "profile", "profile: 1").compose();
    if (tree == null) {
      throw reading.failure();
    }
    reading.enter(KeyPath.PROFILE, tree);
    Profile profile = ProfileShape.PROFILE.read(tree, KeyPath.PROFILE, reading);
    if (reading.count() > 0) {
      throw reading.failure();
    }
    return profile;
  }

  /** The JSON Schema (draft 2020-12) of a profile. */
  public static String schema() {
    ObjectNode schema =
        JsonNodeFactory.instance
            .objectNode()
            .put("$schema", "https://json-schema.org/draft/2020-12/schema")
            .put("title", "Constat profile of a synthetic archive")
            .put("description", "What constat generate makes, and which faults it plants.");
    schema.setAll(ProfileShape.PROFILE.schema());
    try {
      return new ObjectMapper().writer(new RunSpecSchema.Printer()).writeValueAsString(schema)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A schema that has no JSON text", e);
    }
  }
}
