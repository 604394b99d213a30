package dev.constat.rules.spec;

import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;
import java.util.Map;
import java.util.Set;

/**
 * Where a CloudEvent (CloudEvents 1.0, JSON event format) keeps the columns of {@code events}: in
 * the attributes that mean the same, else in an extension of the column's name without its
 * underscores, which names of attributes may not have.
 */
final class CloudEventAttributes {

  private static final ImmutableMap<String, String> BY_COLUMN =
      ImmutableMap.of(
          "source_event_id", "id",
          "occurred_at", "time",
          "business_key", "subject",
          "schema_version", "dataschema",
          "topic", "type",
          "payload", "data",
          "source_sequence", "sequence",
          "partition", "partitionkey",
          "replay_id", "replaybatchid");

  private CloudEventAttributes() {}

  /** The attribute that holds a column. */
  static String of(String column) {
    return BY_COLUMN.getOrDefault(column, column.replace("_", ""));
  }

  /**
   * Completes a mapping of columns; what the run spec maps itself, or gives as a constant, stays as
   * it is.
   */
  static ImmutableMap<String, String> complete(Map<String, String> mapped, Set<String> constants) {
    ImmutableMap.Builder<String, String> columns = ImmutableMap.builder();
    columns.putAll(mapped);
    for (Column column : Input.EVENTS.columns()) {
      String name = column.name();
      String attribute = of(name);
      if (!attribute.equals(name) && !mapped.containsKey(name) && !constants.contains(name)) {
        columns.put(name, attribute);
      }
    }
    return columns.buildOrThrow();
  }
}
