package dev.constat.rules.reading;

import com.google.common.base.Preconditions;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.envelope.UnzonedTime;
import dev.constat.rules.spec.RunSpec.Archive;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Makes rows of an input from the values that a store or a format holds, record by record: {@link
 * #begin}, then a value for each column that the record has, in any order, then {@link #end}.
 * Values are typed by the {@link ValueRule} of their column; of several problems of a record, that
 * of the first column in the layout is told.
 *
 * <p>A constant of the run spec stands where the record does not have the column; a value that is
 * there wins, null too, and a note says so.
 */
public final class RowBuilder implements ValueTaker {

  private static final Instant MIN_NANOS = Instant.ofEpochSecond(0, Long.MIN_VALUE);
  private static final Instant MAX_NANOS = Instant.ofEpochSecond(0, Long.MAX_VALUE);

  private final Input input;
  private final List<Column> columns;
  private final RowSink sink;
  private final ValueRule[] rules;
  private final Object[] constants;
  private final int[] required;
  private final int[] times;
  private final int occurredAt;
  private final boolean[] seen;
  private final Set<String> noted = new HashSet<>();
  private final List<String> toNote = new ArrayList<>();

  private Object[] values;
  private String occurredAsReceived;
  private UnreadableValue problem;
  private int problemAt;

  /**
   * A builder that hands its rows to {@code sink}.
   *
   * @throws IllegalArgumentException if a constant does not fit its column
   */
  public RowBuilder(Layout layout, Archive archive, RowSink sink) {
    this.input = layout.input();
    this.columns = layout.columns();
    this.sink = sink;
    this.seen = new boolean[columns.size()];
    this.rules = rules(layout, archive);
    this.constants = constants(layout, archive, rules);
    this.required = columnsWhere(i -> columns.get(i).required());
    this.times = columnsWhere(i -> columns.get(i).type() == ColumnType.TIME);
    this.occurredAt = input == Input.EVENTS ? layout.indexOf("occurred_at") : -1;
  }

  /**
   * Says what is wrong with the constants of an archive before anything is read.
   *
   * @throws IllegalArgumentException if one names no column or does not fit its column
   */
  public static void checkConstants(Layout layout, Archive archive) {
    constants(layout, archive, rules(layout, archive));
  }

  private static ValueRule[] rules(Layout layout, Archive archive) {
    return layout.columns().stream()
        .map(column -> ValueRule.of(layout.input(), column, archive))
        .toArray(ValueRule[]::new);
  }

  private static Object[] constants(Layout layout, Archive archive, ValueRule[] rules) {
    Object[] constants = new Object[rules.length];
    archive
        .constants()
        .forEach(
            (name, text) -> {
              int column = layout.indexOf(name);
              String input = layout.input().key();
              Preconditions.checkArgument(
                  column >= 0, "constants of %s: there is no column %s", input, name);
              constants[column] = constant(input, rules[column], text);
            });
    return constants;
  }

  private static Object constant(String input, ValueRule rule, String text) {
    try {
      return rule.ofText(text);
    } catch (UnreadableValue e) {
      throw new IllegalArgumentException(
          "constants of %s: %s (%s): %s".formatted(input, e.problem(), e.excerpt(), e.remedy()), e);
    }
  }

  private int[] columnsWhere(IntPredicate wanted) {
    return IntStream.range(0, columns.size()).filter(wanted).toArray();
  }

  /** Begins a record; one that was begun and not ended leaves nothing behind. */
  public void begin() {
    if (!toNote.isEmpty()) {
      toNote.forEach(noted::remove);
      toNote.clear();
    }
    values = constants.clone();
    occurredAsReceived = null;
    problem = null;
    problemAt = Integer.MAX_VALUE;
  }

  /** The column is there and holds nothing. */
  public void nothing(int column) {
    put(column, null);
  }

  @Override
  public void text(int column, String text) {
    try {
      put(column, rules[column].ofText(text));
      keepLiteral(column, text);
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  @Override
  public void bytes(int column, byte[] bytes) {
    try {
      put(column, rules[column].ofBytes(bytes));
      keepLiteral(column, bytes);
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  @Override
  public void number(int column, String literal) {
    noteNumber(column);
    try {
      put(column, rules[column].ofNumber(literal));
      keepLiteral(column, literal);
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  @Override
  public void integer(int column, long value) {
    noteNumber(column);
    try {
      put(column, rules[column].ofInteger(value));
      keepLiteral(column, value);
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  @Override
  public void unsigned(int column, long bits) {
    noteNumber(column);
    try {
      put(column, rules[column].ofUnsigned(bits));
      keepLiteral(column, Long.toUnsignedString(bits));
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  @Override
  public void bool(int column, boolean value) {
    try {
      put(column, rules[column].ofBoolean(value));
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  @Override
  public void instant(int column, Instant value) {
    try {
      put(column, rules[column].ofInstant(value));
      keepLiteral(column, value);
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  @Override
  public void local(int column, LocalDateTime value) {
    try {
      put(column, rules[column].ofLocal(value));
      keepLiteral(column, value);
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  @Override
  public void nonFinite(int column, String name) {
    try {
      put(column, rules[column].ofNonFinite(name));
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  /** The column holds a JSON object or array that was made of typed columns. */
  public void rebuilt(int column, Payload json) {
    try {
      put(column, rules[column].ofRebuilt(json));
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  /** The column holds a JSON object or array, given by its text. */
  public void nested(int column, byte[] json) {
    try {
      put(column, rules[column].ofNested(json));
    } catch (UnreadableValue e) {
      fail(column, e);
    }
  }

  /** The column holds what {@link #repeatable} gave for an equal value of the same file before. */
  public void again(int column, Object repeatable) {
    see(column);
    values[column] = repeatable;
  }

  /**
   * The typed value of a column that was just given, for use with {@link #again}; null where an
   * equal value must be given in full again.
   */
  public Object repeatable(int column) {
    boolean literal = column == occurredAt && occurredAsReceived != null;
    return literal ? null : values[column];
  }

  @Override
  public void fail(int column, UnreadableValue e) {
    see(column);
    values[column] = null;
    if (column < problemAt) {
      problem = e;
      problemAt = column;
    }
  }

  @Override
  public String name(int column) {
    return columns.get(column).name();
  }

  /** Ends a record of which nothing but the value at fault can be shown. */
  public void end(Place place) {
    tellNotes();
    if (isReadable()) {
      emit(place);
    } else {
      byte[] raw = problem.raw();
      sink.unreadable(unreadable(place, head(raw, 0, raw.length), 0));
    }
  }

  /** Ends a record that stands as text in an array. */
  public void end(Place place, byte[] text, int from, int to) {
    tellNotes();
    if (isReadable()) {
      emit(place);
    } else {
      sink.unreadable(unreadable(place, head(text, from, to), to - from));
    }
  }

  /** As much of a record as an {@link Unreadable} keeps. */
  public static byte[] head(byte[] text, int from, int to) {
    return Arrays.copyOfRange(text, from, Math.min(to, from + Unreadable.RAW_LIMIT));
  }

  private void see(int column) {
    if (!seen[column]) {
      seen[column] = true;
      sink.present(columns.get(column).name());
    }
  }

  private void put(int column, Object value) {
    see(column);
    if (constants[column] != null) {
      note(
          "the constant of "
              + columns.get(column).name()
              + " is not used where the file has the column");
    }
    values[column] = value;
  }

  private void keepLiteral(int column, Object literal) {
    if (column == occurredAt
        && values[column] instanceof Instant instant
        && (instant.isBefore(MIN_NANOS) || instant.isAfter(MAX_NANOS))) {
      occurredAsReceived =
          literal instanceof byte[] bytes
              ? new String(bytes, StandardCharsets.UTF_8)
              : literal.toString();
    }
  }

  private void noteNumber(int column) {
    if (columns.get(column).type() == ColumnType.TEXT) {
      note(columns.get(column).name() + " holds numbers, read as the text of their literal");
    }
  }

  private void note(String note) {
    if (noted.add(note)) {
      toNote.add(note);
    }
  }

  private void tellNotes() {
    if (!toNote.isEmpty()) {
      toNote.forEach(sink::note);
      toNote.clear();
    }
  }

  private boolean isReadable() {
    for (int column : required) {
      if (values[column] == null && column < problemAt) {
        String name = columns.get(column).name();
        fail(
            column,
            UnreadableValue.ofNothing(
                name + " is null or absent",
                "name its column in %1$s with columns: {%2$s: ...}, or give constants: {%2$s: ...}"
                    .formatted(input.key(), name)));
      }
    }
    return problem == null;
  }

  private void emit(Place place) {
    boolean undecided = false;
    for (int column : times) {
      if (values[column] instanceof UnzonedTime) {
        sink.unzoned(columns.get(column).name(), place, columns.get(column).required());
        undecided |= columns.get(column).required();
      }
    }
    if (undecided) {
      sink.undecided(place);
    } else {
      sink.row(new Row(values, place, occurredAsReceived));
    }
    values = null;
  }

  private Unreadable unreadable(Place place, byte[] raw, long length) {
    return new Unreadable(
        place,
        true,
        columns.get(problemAt).name(),
        problem.excerpt(),
        problem.problem(),
        problem.remedy(),
        raw,
        length);
  }
}
