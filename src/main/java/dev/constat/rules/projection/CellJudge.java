package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.spec.Aggregate;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.WindowRule;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Holds the cells of one rule against those that were recorded (spec section 5). */
final class CellJudge {

  /** So many ids of events stand in a finding. */
  static final int MAX_SHOWN = 20;

  private static final String RULE = "projections/1";
  private static final ImmutableSet<String> NOT_FINITE =
      ImmutableSet.of("\"NaN\"", "\"Infinity\"", "\"-Infinity\"");
  private static final String AMBIGUOUS = "the cell is AMBIGUOUS";

  private final int index;
  private final ProjectionRule rule;
  private final ImmutableList<Column> columns;
  private final CellLedger ledger;
  private boolean someUnplaced;

  CellJudge(int index, ProjectionRule rule, ImmutableList<Column> columns, CellLedger ledger) {
    this.index = index;
    this.rule = rule;
    this.columns = columns;
    this.ledger = ledger;
  }

  /** Begins with a key. */
  void begin() {
    someUnplaced = false;
  }

  /** Hears of a recorded cell of the key that may be of any window. */
  void unplaced() {
    someUnplaced = true;
  }

  /** The subject of a finding about a cell. */
  static JsonObject subject(String projection, String version, String key, Instant windowStart) {
    return new JsonObject()
        .put("projection", projection)
        .put("version", version)
        .put("business_key", key)
        .put("window_start", windowStart);
  }

  /** A cell that is recomputed and not recorded. */
  void missing(Cell cell) {
    if (!ledger.comparesRecorded(index)) {
      return;
    }
    if (cell.flags().contains(CellFlag.AMBIGUOUS)) {
      ledger.notJudged(Kind.MISSING_WINDOW, AMBIGUOUS);
    } else if (someUnplaced) {
      ledger.notJudged(Kind.MISSING_WINDOW, "a recorded cell of its key may be of any window");
    } else if (ledger.settled(Kind.MISSING_WINDOW, cell.window(), time(cell))) {
      ledger.finding(
          about(Kind.MISSING_WINDOW, cell.key(), cell.window(), cell.flags())
              .because("The events give a cell that is not recorded")
              .sides(recomputed(cell), new JsonObject())
              .seenAt(cell.place())
              .when(cell.lastReceived())
              .finding());
    }
  }

  /**
   * A cell that is recorded and not recomputed.
   *
   * @param flags of the marks that stand where the cell is recorded
   * @param lastReceived when the last event of its key was received, or null
   */
  void unexpected(RecordedCell recorded, Set<CellFlag> flags, Instant lastReceived) {
    if (!ledger.comparesRecorded(index)) {
      return;
    }
    String unplaced = unplaced(recorded);
    if (unplaced != null) {
      ledger.notJudged(Kind.UNEXPECTED_WINDOW, unplaced);
      return;
    }
    if (flags.contains(CellFlag.AMBIGUOUS)) {
      ledger.notJudged(Kind.UNEXPECTED_WINDOW, AMBIGUOUS);
      return;
    }
    Window window = window(recorded);
    Instant received = lastReceived == null ? recorded.computedAt() : lastReceived;
    Instant time = window == null ? received : patience(window);
    if (ledger.settled(Kind.UNEXPECTED_WINDOW, window, time)) {
      JsonObject actual = new JsonObject();
      recorded.values().keySet().forEach(name -> actual.put(name, recorded.text(name)));
      if (recorded.eventIds() != null) {
        actual.put("event_ids", shown(recorded.eventIds()));
      }
      ledger.finding(
          about(Kind.UNEXPECTED_WINDOW, recorded.businessKey(), window, flags)
              .because("A cell is recorded that no event gives")
              .sides(new JsonObject(), actual)
              .seenAt(recorded.place())
              .when(recorded.computedAt())
              .finding());
    }
  }

  /** Why nothing can be said about where a recorded cell stands, or null. */
  private String unplaced(RecordedCell recorded) {
    if (recorded.businessKey() == null) {
      return "no business_key";
    }
    if (rule.kind().equals(ProjectionRule.CURRENT)) {
      return null;
    }
    if (!recorded.windowStart().known()) {
      return "window_start without a zone";
    }
    return rule.windowed() && recorded.windowStart().absent() ? "no window_start" : null;
  }

  /** A cell that is both recomputed and recorded. */
  void both(Cell cell, RecordedCell recorded) {
    if (!ledger.comparesRecorded(index)) {
      return;
    }
    Instant time = time(cell);
    if (ledger.settled(Kind.MISSING_WINDOW, cell.window(), time)) {
      ledger.judged(Kind.UNEXPECTED_WINDOW);
    }
    if (cell.flags().contains(CellFlag.AMBIGUOUS)) {
      ledger.notJudged(Kind.PROJECTION_DRIFT, AMBIGUOUS);
      return;
    }
    Comparison comparison = compare(cell, recorded);
    if (!comparison.possible) {
      ledger.notJudged(
          Kind.PROJECTION_DRIFT,
          comparison.notFinite ? "not comparable: not finite on both sides" : "no values recorded");
      return;
    }
    boolean settled = ledger.settled(Kind.PROJECTION_DRIFT, cell.window(), time);
    if (!settled || comparison.differing.isEmpty()) {
      return;
    }
    explain(cell, recorded, comparison);
    ledger.finding(
        about(Kind.PROJECTION_DRIFT, cell.key(), cell.window(), cell.flags())
            .because(
                Sentence.of("The recorded cell differs from what its events give in ")
                    .configured(String.join(", ", comparison.differing)))
            .sides(comparison.expected, comparison.actual)
            .seenAt(recorded.place())
            .when(cell.lastReceived())
            .finding());
  }

  /** Where two sides of a cell differ. */
  private static final class Comparison {

    private final List<String> differing = new ArrayList<>();
    private final JsonObject expected = new JsonObject();
    private final JsonObject actual = new JsonObject();
    private boolean possible;
    private boolean notFinite;
  }

  /**
   * Whether a column is recorded as NaN or infinite where its events have such a value too: of
   * numbers, recomputing leaves those out, and a NaN is not even equal to itself.
   */
  private boolean isNotFinite(String recorded, Cell cell, int column) {
    if (!NOT_FINITE.contains(recorded)) {
      return false;
    }
    Aggregate aggregate = rule.aggregates().get(columns.get(column).name());
    boolean adds =
        aggregate != null
            && switch (aggregate.function()) {
              case SUM, MIN, MAX -> true;
              case COUNT, FIRST, LAST, DISTINCT -> false;
            };
    return adds
        ? cell.flags().contains(CellFlag.INCOMPLETE)
        : recorded.equals(cell.values().get(column));
  }

  /** Compares the columns that are recorded, and the end of the window where that is. */
  private Comparison compare(Cell cell, RecordedCell recorded) {
    Comparison comparison = new Comparison();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      String value = recorded.values().get(column.name());
      if (value != null && isNotFinite(value, cell, i)) {
        comparison.notFinite = true;
        continue;
      }
      comparison.possible |= value != null;
      if (value != null && !CellValues.same(cell.values().get(i), value)) {
        comparison.differing.add(column.name());
        put(comparison.expected, column, cell.values().get(i));
        put(comparison.actual, column, value);
      }
    }
    Instant end = recorded.windowEnd().orNull();
    if (cell.window() != null && end != null && !end.equals(cell.window().end())) {
      comparison.possible = true;
      comparison.differing.add("window_end");
      comparison.expected.put("window_end", cell.window().end());
      comparison.actual.put("window_end", end);
    }
    return comparison;
  }

  /** Names the events that one side alone consumed, where the recorded one says what it did. */
  private static void explain(Cell cell, RecordedCell recorded, Comparison comparison) {
    if (recorded.eventIds() == null || cell.events().isEmpty()) {
      return;
    }
    Set<String> consumed = new HashSet<>(recorded.eventIds());
    Set<String> unmatched = new HashSet<>(consumed);
    List<String> notRecorded = new ArrayList<>();
    for (String event : cell.events()) {
      List<String> names = names(event);
      unmatched.removeAll(names);
      if (names.stream().noneMatch(consumed::contains)) {
        notRecorded.add(names.get(0));
      }
    }
    comparison.expected.put("event_ids", shown(notRecorded));
    if (cell.contributions() == cell.events().size()) {
      comparison.actual.put("event_ids", shown(RecordedCell.ids(unmatched)));
    }
  }

  /** The names that a recorded cell may know an event by: its id, source/id, its whole key. */
  private static List<String> names(String event) {
    JsonValue key;
    try {
      key = StrictJson.parse(event.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      return List.of(event);
    }
    JsonValue source = key.at("/source");
    JsonValue id = key.at("/source_event_id");
    if (source == null || id == null) {
      return List.of(event);
    }
    return List.of(id.asText(), source.asText() + "/" + id.asText(), event);
  }

  private static List<String> shown(List<String> ids) {
    return ids.stream().limit(MAX_SHOWN).toList();
  }

  private Statement about(Kind kind, String key, Window window, Set<CellFlag> flags) {
    Instant start = window == null ? null : window.start();
    return Statement.of(kind, subject(rule.name(), rule.version(), key, start))
        .under(RULE)
        .when(start, window == null ? null : window.end())
        .hint(flags.contains(CellFlag.CONTESTED), CellFlag.CONTESTED.name())
        .hint(flags.contains(CellFlag.INCOMPLETE), CellFlag.INCOMPLETE.name());
  }

  private JsonObject recomputed(Cell cell) {
    JsonObject side = new JsonObject();
    for (int i = 0; i < columns.size(); i++) {
      put(side, columns.get(i), cell.values().get(i));
    }
    return side;
  }

  private static void put(JsonObject side, Column column, String json) {
    String text = CellValues.text(json);
    boolean integer = text != null && column.type() == Type.LONG && text.matches("[0-9]{1,18}");
    if (integer) {
      side.put(column.name(), Long.parseLong(text));
    } else {
      side.put(column.name(), text);
    }
  }

  private Instant time(Cell cell) {
    return cell.window() == null ? cell.lastReceived() : patience(cell.window());
  }

  /** From when on no event may change a window any more, as far as the time line goes. */
  private Instant patience(Window window) {
    try {
      return window.end().plus(rule.allowedLateness());
    } catch (DateTimeException | ArithmeticException e) {
      return Instant.MAX;
    }
  }

  /** The window that a cell is recorded for, or null; its end is the rule's where none is given. */
  private Window window(RecordedCell recorded) {
    Instant start = recorded.windowStart().orNull();
    if (start == null || rule.kind().equals(ProjectionRule.CURRENT)) {
      return null;
    }
    Instant end = recorded.windowEnd().orNull();
    if (end != null) {
      return new Window(start, end);
    }
    if (rule.window() instanceof WindowRule.Days) {
      ImmutableList<Window> days = Windows.of(rule.window(), start);
      return new Window(start, days.isEmpty() ? start : days.get(0).end());
    }
    try {
      return new Window(start, start.plus(size(rule.window())));
    } catch (DateTimeException | ArithmeticException e) {
      return new Window(start, Instant.MAX);
    }
  }

  private static Duration size(WindowRule windows) {
    if (windows instanceof WindowRule.Fixed fixed) {
      return fixed.size();
    }
    if (windows instanceof WindowRule.Sliding sliding) {
      return sliding.size();
    }
    return windows instanceof WindowRule.Session session ? session.gap() : Duration.ZERO;
  }
}
