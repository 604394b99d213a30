package dev.constat.rules.envelope;

import java.io.Serializable;

/**
 * One column of an input.
 *
 * @param name canonical name, as the contract writes it
 * @param type what its values are
 * @param required whether a record without a value is unreadable
 */
public record Column(String name, ColumnType type, boolean required) implements Serializable {

  static Column of(String name, ColumnType type) {
    return new Column(name, type, false);
  }

  static Column required(String name, ColumnType type) {
    return new Column(name, type, true);
  }

  /** A column that the contract lacks and the run spec names: read as text wherever it stands. */
  public static Column named(String name) {
    return new Column(name, ColumnType.TEXT, false);
  }
}
