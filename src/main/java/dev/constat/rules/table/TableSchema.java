package dev.constat.rules.table;

import com.google.common.collect.ImmutableList;
import java.io.Serializable;

/**
 * The columns of an output table. A row is an {@code Object[]} with one value per column, null
 * where there is none.
 *
 * @param name name of the table and of its folder
 * @param columns in their order in the file
 */
public record TableSchema(String name, ImmutableList<Column> columns) implements Serializable {

  /** A table of these columns. */
  public static TableSchema of(String name, Column... columns) {
    return new TableSchema(name, ImmutableList.copyOf(columns));
  }

  /**
   * One column.
   *
   * @param name its name
   * @param type what it holds
   * @param distinct whether most of its values occur once, so that a dictionary of them is no use
   */
  public record Column(String name, Type type, boolean distinct) implements Serializable {

    /** A column whose values repeat. */
    public Column(String name, Type type) {
      this(name, type, false);
    }
  }

  /** What a column holds, and the Java type of its values in a row. */
  public enum Type {
    /** Text: {@link String}, or {@code byte[]} of its UTF-8. */
    TEXT,
    /** Bytes: {@code byte[]}. */
    BYTES,
    /** {@link java.time.Instant}; outside what INT64 nanoseconds hold, written as null. */
    TIME,
    /** {@link Long}. */
    LONG,
    /** {@link Boolean}. */
    BOOLEAN,
    /**
     * A file of an input: the {@link dev.constat.rules.envelope.Place} of a record in it, of which
     * input and file count. Read back, the text of the file's name, relative to the run spec.
     */
    FILE,
    /**
     * Text of a JSON value: {@link String}, or {@code byte[]} of its UTF-8. Where the format of a
     * table has such values it is one, elsewhere text.
     */
    JSON,
    /** {@code List<String>}, never null; an empty list is an empty list. */
    TEXTS,
    /**
     * {@code List<Object[]>}, never null: what became of an event in windows, each with the texts
     * projection and version, the time window_start (null where the projection has no windows) and
     * the text outcome.
     */
    WINDOWS
  }
}
