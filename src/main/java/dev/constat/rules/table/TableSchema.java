package dev.constat.rules.table;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Disclosure;
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
   * @param disclosure what a redacted run shows of it; null where nobody said, which is to hash it
   */
  public record Column(String name, Type type, boolean distinct, Disclosure disclosure)
      implements Serializable {

    /** A column whose values repeat, and of which nobody said what may be shown. */
    public Column(String name, Type type) {
      this(name, type, false, null);
    }

    /** A column of which nobody said what may be shown. */
    public Column(String name, Type type, boolean distinct) {
      this(name, type, distinct, null);
    }

    /** The same column, of which a redacted run shows so much. */
    public Column as(Disclosure shown) {
      return new Column(name, type, distinct, shown);
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
    /**
     * Findings by their fingerprints: text of a JSON array with an object for each, of {@code kind}
     * and {@code subject}, as a {@link String} or the {@code byte[]} of its UTF-8. Written as the
     * array of their fingerprints.
     */
    FINDINGS,
    /**
     * A {@link dev.constat.rules.disclosure.Sentence}, or the {@code byte[]} that it gives. Written
     * as text.
     */
    SENTENCE,
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
