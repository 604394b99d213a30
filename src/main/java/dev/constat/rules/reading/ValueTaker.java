package dev.constat.rules.reading;

import java.time.Instant;
import java.time.LocalDateTime;

/** Takes values as a store or a format holds them, one column at a time. */
public interface ValueTaker {

  /** The column holds text. */
  void text(int column, String text);

  /** The column holds bytes; they are not copied. */
  void bytes(int column, byte[] bytes);

  /** The column holds a number, given as the literal that JSON would have. */
  void number(int column, String literal);

  /** The column holds a signed integer. */
  void integer(int column, long value);

  /** The column holds an unsigned integer. */
  void unsigned(int column, long bits);

  /** The column holds a boolean. */
  void bool(int column, boolean value);

  /** The column holds a time of the time line. */
  void instant(int column, Instant value);

  /** The column holds a time without a zone. */
  void local(int column, LocalDateTime value);

  /**
   * The column holds a floating-point value that is no number.
   *
   * @param name {@code NaN}, {@code Infinity} or {@code -Infinity}
   */
  void nonFinite(int column, String name);

  /** The column holds what cannot be read. */
  void fail(int column, UnreadableValue e);

  /** The name of a column, for messages. */
  String name(int column);
}
