package dev.constat.transforms.stages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;
import java.time.Instant;
import java.util.List;

/**
 * A record of an archive in memory.
 *
 * @param input what it belongs to
 * @param file the file it stands in
 * @param columns its members; a column that is not there is absent, not null
 */
record ArchiveRecord(Input input, String file, ObjectNode columns) {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private static final ImmutableMap<String, Input> KINDS =
      ImmutableMap.of(
          "ev", Input.EVENTS,
          "ob", Input.OUTBOX,
          "ack", Input.ACKNOWLEDGEMENTS,
          "dec", Input.DECISIONS,
          "proj", Input.PROJECTIONS,
          "replay", Input.REPLAYS);

  /** Records as cases write them: JSON lines, short names, left out what goes by convention. */
  static List<ArchiveRecord> ofLines(List<String> lines) {
    return lines.stream().map(ArchiveRecord::ofLine).toList();
  }

  /** One such record. */
  static ArchiveRecord ofLine(String line) {
    ObjectNode columns = object(line);
    String kind = columns.remove("k").textValue();
    Input input = KINDS.get(kind);
    if (input == null) {
      throw new IllegalArgumentException("No input has records of kind " + kind + ": " + line);
    }
    JsonNode file = columns.remove("file");
    switch (input) {
      case EVENTS -> event(columns);
      case OUTBOX -> outboxRow(columns);
      case ACKNOWLEDGEMENTS -> rename(columns, "outbox", "outbox_id");
      case PROJECTIONS -> cell(columns);
      default -> {
        // nothing is left out
      }
    }
    return new ArchiveRecord(input, file == null ? "rows" : file.textValue(), columns);
  }

  private static void event(ObjectNode columns) {
    putIfAbsent(columns, "source", "S");
    putIfAbsent(columns, "partition", "p0");
    putIfAbsent(columns, "aggregate_type", "acct");
    putIfAbsent(columns, "aggregate_id", "a1");
    putIfAbsent(columns, "schema_version", "1");
    numberAsText(columns, "schema_version");
    if (!columns.has("received_at")) {
      Instant occurred = Instant.parse(columns.get("occurred_at").textValue());
      columns.put("received_at", occurred.plusSeconds(1).toString());
    }
  }

  private static void outboxRow(ObjectNode columns) {
    rename(columns, "id", "outbox_id");
    JsonNode event = columns.remove("event");
    if (event != null) {
      int slash = event.textValue().indexOf('/');
      columns.put("source", event.textValue().substring(0, slash));
      columns.put("source_event_id", event.textValue().substring(slash + 1));
    }
    putIfAbsent(columns, "aggregate_type", "acct");
    putIfAbsent(columns, "aggregate_id", "a1");
    if (!columns.has("priority")) {
      columns.put("priority", 0);
    }
    if (!columns.has("attempts") && columns.path("status").asText().equals("DISPATCHED")) {
      columns.put("attempts", 1);
    }
  }

  /** The cases know one projection, p, whose only key is the partition where they name none. */
  private static void cell(ObjectNode columns) {
    putIfAbsent(columns, "projection", "p");
    putIfAbsent(columns, "business_key", "p0");
    numberAsText(columns, "projection_version");
    rename(columns, "event", "event_ids");
    rename(columns, "out_hash", "output_hash");
  }

  private static void numberAsText(ObjectNode columns, String name) {
    if (columns.path(name).isNumber()) {
      columns.put(name, columns.get(name).asText());
    }
  }

  private static void rename(ObjectNode columns, String from, String to) {
    JsonNode value = columns.remove(from);
    if (value != null) {
      columns.set(to, value);
    }
  }

  private static void putIfAbsent(ObjectNode columns, String name, String value) {
    if (!columns.has(name)) {
      columns.put(name, value);
    }
  }

  /** The text of a column, or null. */
  String text(String column) {
    JsonNode value = columns.get(column);
    return value == null || value.isNull() ? null : value.asText();
  }

  /** A copy that can be changed. */
  ArchiveRecord copy() {
    return new ArchiveRecord(input, file, columns.deepCopy());
  }

  /** The object that a text is. */
  static ObjectNode object(String text) {
    try {
      return (ObjectNode) JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not an object: " + text, e);
    }
  }
}
