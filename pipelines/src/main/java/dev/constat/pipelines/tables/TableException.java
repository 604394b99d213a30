package dev.constat.pipelines.tables;

import java.io.IOException;
import java.sql.SQLException;

/** A table cannot be read, or not as a whole; the message says which, why, and what to do. */
public final class TableException extends IOException {

  private static final long serialVersionUID = 1L;

  TableException(String table, String problem, String remedy, Throwable cause) {
    super("table " + table + " " + problem + "; " + remedy, cause);
  }

  /** What the database, or the way to it, said. */
  static TableException of(String table, Dialect dialect, SQLException failure) {
    return new TableException(
        table, "cannot be read: " + said(failure), dialect.remedy(failure), failure);
  }

  /** The first line of the innermost message: servers add stacks, drivers their own words. */
  static String said(SQLException failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null && innermost.getCause().getMessage() != null) {
      innermost = innermost.getCause();
    }
    String message = String.valueOf(innermost.getMessage()).strip();
    return message.lines().findFirst().orElse(failure.getClass().getSimpleName());
  }
}
