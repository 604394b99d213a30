package dev.constat.pipelines.tables;

import java.io.Serializable;

/**
 * A column of a table that is read, and how. Every value comes as text, made by the database: so no
 * driver rounds it, shifts it into another zone or takes a null for zero.
 *
 * @param name its name in the table
 * @param form what the text stands for
 * @param scale of an instant: digits behind the decimal point that the text leaves out
 * @param sql the expression that makes the text
 */
record TableColumn(String name, Form form, int scale, String sql) implements Serializable {

  /** What the text of a value stands for. */
  enum Form {
    /** Itself. */
    TEXT,
    /** A text where the text is well-formed, else the hex digits of its bytes. */
    TEXT_OR_HEX,
    /** A number, or NaN or an infinity. */
    NUMBER,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** Seconds since 1970, as a decimal; else no instant that can be. */
    INSTANT,
    /** Seconds since 1970 of a time without zone. */
    LOCAL,
    /** An object or array in JSON. */
    NESTED,
    /** The hex digits of bytes. */
    BYTES
  }
}
