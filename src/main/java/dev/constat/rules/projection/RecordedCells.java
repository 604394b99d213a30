package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JsonLimits;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.table.TableSchema.Column;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Reads rows of {@link dev.constat.rules.envelope.Input#PROJECTIONS} and hands them to the fold of
 * cells. Columns: {@code projection}, {@code projection_version}, {@code business_key}, {@code
 * window_start}, {@code window_end}, {@code values} (a JSON object) or one column per aggregate,
 * {@code event_ids} (a JSON array, or one id), {@code output_hash}, {@code replay_id}, {@code
 * computed_at}.
 */
public final class RecordedCells {

  private static final String REMEDY =
      "repair the record, or map its columns to those of the projection";

  private final ImmutableList<ProjectionRule> rules;
  private final StrictJson json;
  private final List<List<ValueColumn>> valueColumns = new ArrayList<>();
  private final Writers writers = new Writers(new KeyWriter(), new KeyWriter(), new KeyWriter());
  private final int projection;
  private final int version;
  private final int businessKey;
  private final int windowStart;
  private final int windowEnd;
  private final int values;
  private final int eventIds;
  private final int outputHash;
  private final int replayId;
  private final int computedAt;

  /** The parts of a record. */
  record Writers(KeyWriter group, KeyWriter order, KeyWriter body) {}

  /** A column of an aggregate's name. */
  private record ValueColumn(String name, int index) {}

  /**
   * A reader.
   *
   * @param layout of the input
   * @param rules all of the run, in the order of the run spec
   * @param limits of the JSON in cells
   */
  public RecordedCells(Layout layout, ImmutableList<ProjectionRule> rules, JsonLimits limits) {
    this.json = StrictJson.within(limits);
    this.rules = rules;
    this.projection = layout.indexOf("projection");
    this.version = layout.indexOf("projection_version");
    this.businessKey = layout.indexOf("business_key");
    this.windowStart = layout.indexOf("window_start");
    this.windowEnd = layout.indexOf("window_end");
    this.values = layout.indexOf("values");
    this.eventIds = layout.indexOf("event_ids");
    this.outputHash = layout.indexOf("output_hash");
    this.replayId = layout.indexOf("replay_id");
    this.computedAt = layout.indexOf("computed_at");
    for (ProjectionRule rule : rules) {
      List<ValueColumn> columns = new ArrayList<>();
      for (Column column : ProjectionTables.columns(rule)) {
        int index = layout.indexOf(column.name());
        if (index >= 0) {
          columns.add(new ValueColumn(column.name(), index));
        }
      }
      valueColumns.add(columns);
    }
  }

  /**
   * Reads a row.
   *
   * @throws MalformedCellException if its values or its ids are not the JSON they should be
   */
  public RecordedCell read(Row row) throws MalformedCellException {
    String projectionName = text(row, projection);
    String projectionVersion = text(row, version);
    return new RecordedCell(
        projectionName,
        projectionVersion,
        text(row, businessKey),
        time(row, windowStart),
        time(row, windowEnd),
        values(row, rule(projectionName, projectionVersion)),
        eventIds(row),
        text(row, outputHash),
        text(row, replayId),
        computedAt < 0 ? null : row.instant(computedAt),
        row.place());
  }

  /** The place of the rule that a recorded cell is of among all of the run, or -1. */
  public int rule(RecordedCell cell) {
    return rule(cell.projection(), cell.version());
  }

  /** Hands a recorded cell on. */
  public void append(RecordedCell cell, CellSink sink) {
    int rule = rule(cell);
    boolean windowed = rule < 0 || !rules.get(rule).kind().equals(ProjectionRule.CURRENT);
    cell.append(rule, windowed, writers, sink);
  }

  private int rule(String name, String wantedVersion) {
    for (int i = 0; i < rules.size(); i++) {
      ProjectionRule rule = rules.get(i);
      if (rule.name().equals(name) && rule.version().equals(wantedVersion)) {
        return i;
      }
    }
    return -1;
  }

  /** Members of {@code values} come before columns of their name. */
  private ImmutableSortedMap<String, String> values(Row row, int rule)
      throws MalformedCellException {
    TreeMap<String, String> found = new TreeMap<>();
    if (rule >= 0) {
      for (ValueColumn column : valueColumns.get(rule)) {
        String value = json(column.name, row.values()[column.index]);
        if (value != null) {
          found.put(column.name, value);
        }
      }
    }
    byte[] object = values < 0 ? null : bytes(row.values()[values]);
    if (object != null) {
      if (!(parse("values", object) instanceof JsonValue.Members members)) {
        throw new MalformedCellException("values", "no JSON object", REMEDY);
      }
      members.byName().forEach((name, value) -> found.put(name, CanonicalJson.text(value)));
    }
    return ImmutableSortedMap.copyOfSorted(found);
  }

  private ImmutableList<String> eventIds(Row row) throws MalformedCellException {
    Object value = eventIds < 0 ? null : row.values()[eventIds];
    byte[] bytes = bytes(value);
    if (bytes == null) {
      return null;
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean nested = value instanceof Payload payload && payload.nested();
    if (!nested && !text.stripLeading().startsWith("[")) {
      return ImmutableList.of(text);
    }
    JsonValue parsed = parse("event_ids", bytes);
    List<JsonValue> elements =
        parsed instanceof JsonValue.Elements array ? array.inOrder() : ImmutableList.of(parsed);
    List<String> ids = new ArrayList<>();
    for (JsonValue id : elements) {
      if (id.asText() != null) {
        ids.add(id.asText());
      }
    }
    return RecordedCell.ids(ids);
  }

  private JsonValue parse(String column, byte[] bytes) throws MalformedCellException {
    try {
      return json.read(bytes);
    } catch (MalformedJsonException e) {
      throw new MalformedCellException(column, e.getMessage(), e.remedyOr(REMEDY));
    }
  }

  private static String text(Row row, int column) {
    return column < 0 ? null : row.text(column);
  }

  private static OptionalTime time(Row row, int column) {
    return column < 0 ? OptionalTime.ABSENT : OptionalTime.of(row, column);
  }

  /** The UTF-8 of a column of JSON, be it of type TEXT or PAYLOAD. */
  private static byte[] bytes(Object value) {
    if (value instanceof Payload payload) {
      return payload.bytes();
    }
    return value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** A column of a value as JSON: text is a string, a payload is what it says. */
  private String json(String column, Object value) throws MalformedCellException {
    if (value instanceof Payload payload) {
      return CanonicalJson.text(parse(column, payload.bytes()));
    }
    return value instanceof String text ? RecordedCell.quoted(text) : null;
  }
}
