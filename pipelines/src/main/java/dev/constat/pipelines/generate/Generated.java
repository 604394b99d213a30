package dev.constat.pipelines.generate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code generated.json} says: what an archive was made of. A folder is a synthetic archive
 * exactly when it is there.
 */
final class Generated {

  static final String FILE = "generated.json";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RECORDS = "records";

  private Generated() {}

  /** All that its bytes depend on. */
  static ObjectNode of(Generation.Request request) throws JsonProcessingException {
    ObjectNode json = JSON.createObjectNode();
    json.put("generated", 1);
    json.put("version", request.version());
    json.put("seed", request.seed());
    json.put("events", request.events());
    json.put("format", request.format().name().toLowerCase(Locale.ROOT));
    json.put("records_per_file", request.recordsPerFile());
    json.set("profile", JSON.readTree(request.profile().canonicalText()));
    return json;
  }

  /** Writes the file. */
  static void write(Generation.Request request, Map<String, Long> records, Path folder)
      throws IOException {
    ObjectNode json = of(request);
    ObjectNode counts = json.putObject(RECORDS);
    records.forEach(counts::put);
    Files.writeString(
        folder.resolve(FILE),
        json.toPrettyString().replace("\r\n", "\n") + "\n",
        StandardCharsets.UTF_8);
  }

  /** What a folder's file says, or null where there is none that is one. */
  static JsonNode read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      return null;
    }
    try {
      JsonNode json = JSON.readTree(Files.readAllBytes(file));
      return json.path(RECORDS).isObject() ? json : null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  /** Whether what it says is that the request made it. */
  static boolean isOf(JsonNode found, Generation.Request request) throws JsonProcessingException {
    ObjectNode asked = of(request);
    ObjectNode rest = found.deepCopy();
    rest.remove(RECORDS);
    return JSON.readTree(asked.toString()).equals(rest);
  }

  /** How many records it says there are, by table. */
  static Map<String, Long> records(JsonNode found) {
    Map<String, Long> records = new LinkedHashMap<>();
    found
        .path(RECORDS)
        .fields()
        .forEachRemaining(e -> records.put(e.getKey(), e.getValue().asLong()));
    return records;
  }
}
