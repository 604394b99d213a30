package dev.constat.rules.envelope;

/** What the values of a column are, and the Java type that holds them in a {@link Row}. */
public enum ColumnType {
  /** {@link String}; well-formed Unicode. A bare JSON number is the text of its literal. */
  TEXT,
  /** {@link java.time.Instant} at full precision, or {@link UnzonedTime}. */
  TIME,
  /** {@link Long} holding an unsigned 64-bit integer. */
  UNSIGNED,
  /** {@link Long}, signed. */
  INTEGER,
  /** {@link Boolean}. */
  BOOLEAN,
  /** {@link Payload}. */
  PAYLOAD
}
