package dev.constat.rules.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Reads and writes JSON trees as text that is the same for equal trees: keys sorted, no spaces. */
final class CanonicalForm {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private CanonicalForm() {}

  static String of(JsonNode tree) {
    try {
      return MAPPER.writeValueAsString(MAPPER.treeToValue(tree, Object.class));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A tree that has no JSON text", e);
    }
  }

  static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not JSON: " + json, e);
    }
  }
}
