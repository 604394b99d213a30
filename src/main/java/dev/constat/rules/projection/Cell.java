package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;

/**
 * A cell as the rules make it.
 *
 * @param rule place of its rule among all of the run
 * @param key its business_key
 * @param window its window, or null where the projection has none
 * @param values of each column that the rule computes: JSON text with numbers in plain notation, or
 *     null where there is none
 * @param onTime how many events came while its window was open
 * @param refined how many came later, within the allowed lateness
 * @param tooLate how many came too late to be applied
 * @param flags what to know besides
 * @param candidates where a value is AMBIGUOUS, what it might be: JSON texts
 * @param contributions how many contributions are in force
 * @param lastReceived of a cell without window, when the last of its events was received; else null
 * @param events contributing events by the canonical text of their keys: the smallest, as many as
 *     are kept; none where no recorded cell says what it consumed
 * @param place the smallest place of a contributing event
 */
public record Cell(
    int rule,
    String key,
    Window window,
    List<String> values,
    long onTime,
    long refined,
    long tooLate,
    ImmutableSortedSet<CellFlag> flags,
    ImmutableList<String> candidates,
    long contributions,
    Instant lastReceived,
    SortedSet<String> events,
    Place place) {

  /**
   * Its row in {@link ProjectionTables}.
   *
   * @param columns those that its rule computes
   * @param windowed whether its rule is; else nothing is counted by outcome
   */
  Object[] row(ImmutableList<Column> columns, boolean windowed) {
    Object[] row = new Object[columns.size() + 8];
    int at = 0;
    row[at++] = key;
    row[at++] = window == null ? null : window.start();
    row[at++] = window == null ? null : window.end();
    for (int i = 0; i < values.size(); i++) {
      String value = CellValues.text(values.get(i));
      row[at++] =
          value != null && columns.get(i).type() == Type.LONG
              ? (Object) Long.valueOf(value)
              : value;
    }
    row[at++] = windowed ? (Long) onTime : null;
    row[at++] = windowed ? (Long) refined : null;
    row[at++] = windowed ? (Long) tooLate : null;
    row[at++] = flags.stream().map(CellFlag::name).toList();
    row[at] = candidates;
    return row;
  }
}
