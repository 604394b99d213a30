package dev.constat.rules.projection;

/** A column of a recorded cell is not the JSON it should be; the message says why. */
public final class MalformedCellException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String column;
  private final String remedy;

  MalformedCellException(String column, String problem, String remedy) {
    super(column + " is " + problem);
    this.column = column;
    this.remedy = remedy;
  }

  /** What to do about it. */
  public String remedy() {
    return remedy;
  }

  /** The column. */
  public String column() {
    return column;
  }
}
