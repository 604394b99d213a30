package dev.constat.rules.projection;

/** A column of a recorded cell is not the JSON it should be; the message says why. */
public final class MalformedCellException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String column;

  MalformedCellException(String column, String problem) {
    super(column + " is " + problem);
    this.column = column;
  }

  /** The column. */
  public String column() {
    return column;
  }
}
