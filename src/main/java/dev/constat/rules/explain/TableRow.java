package dev.constat.rules.explain;

import com.google.common.base.Preconditions;
import dev.constat.rules.table.TableSchema;
import java.time.Instant;
import java.util.List;

/**
 * A row of a table as it is read back: texts and files as {@link String}, the rest as {@link
 * TableSchema.Type} says. A column that the file lacks is null.
 *
 * @param table its table
 * @param values one per column
 */
@SuppressWarnings("ArrayRecordComponent") // a row is never compared as a whole
public record TableRow(TableSchema table, Object[] values) {

  /** A value that need not be there. */
  public Object value(String column) {
    for (int i = 0; i < values.length; i++) {
      if (table.columns().get(i).name().equals(column)) {
        return values[i];
      }
    }
    throw new IllegalArgumentException(table.name() + " has no column " + column);
  }

  /** A text, or null. */
  public String text(String column) {
    return (String) value(column);
  }

  /** A time, or null. */
  public Instant time(String column) {
    return (Instant) value(column);
  }

  /** An integer, or null. */
  public Long integer(String column) {
    return (Long) value(column);
  }

  /** A text that every row has. */
  String required(String column) {
    String value = text(column);
    Preconditions.checkArgument(value != null, "%s has a row without %s", table.name(), column);
    return value;
  }

  /** Texts. */
  @SuppressWarnings("unchecked")
  List<String> texts(String column) {
    Object value = value(column);
    return value == null ? List.of() : (List<String>) value;
  }

  /** What became of an event in windows. */
  @SuppressWarnings("unchecked")
  List<Object[]> windows(String column) {
    Object value = value(column);
    return value == null ? List.of() : (List<Object[]>) value;
  }
}
