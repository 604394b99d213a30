package dev.constat.pipelines.tables;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.tables.TableColumn.Form;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the rows of a part as JSON lines, as they come. The query counts the rows that it gives;
 * one that ends short is an error, whatever the driver makes of it.
 */
public final class TableReader {

  private static final int FETCH = 2_000;

  private final TablePart part;
  private final Dialect dialect;
  private final Connections.Environment environment;

  TableReader(TablePart part, Connections.Environment environment) {
    this.part = part;
    this.dialect = Dialect.of(part.source().jdbc());
    this.environment = environment;
  }

  /** A reader that takes credentials from the environment of this process. */
  public static TableReader of(TablePart part) {
    return new TableReader(part, System::getenv);
  }

  /**
   * Writes every row to {@code out}, which the caller closes.
   *
   * @throws TableException if not all rows came
   */
  public void writeTo(OutputStream out) throws IOException {
    String table = part.source().table();
    long read = 0;
    try (Connection connection = Connections.open(part.source(), part.snapshot(), environment)) {
      long counted = -1;
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH);
        try (ResultSet rows = statement.executeQuery(query())) {
          RowText text = new RowText(part.columns());
          while (rows.next()) {
            counted = Long.parseLong(rows.getString(part.columns().size() + 2));
            read++;
            text.write(rows, out);
          }
        }
      }
      if (counted < 0) {
        counted = Connections.number(connection, part.count());
      }
      if (counted != read) {
        throw new TableException(
            table,
            "gave %s rows of %s".formatted(read, counted),
            "see that nothing writes to it meanwhile (where: narrows it to what is settled), and"
                + " that the database does not break off, then run again",
            null);
      }
    } catch (SQLException e) {
      throw new TableException(
          table,
          "broke off after %s rows: %s".formatted(read, TableException.said(e)),
          dialect.remedy(e),
          e);
    }
  }

  private String query() {
    List<String> invalid = new ArrayList<>();
    StringBuilder select = new StringBuilder("SELECT ");
    for (TableColumn column : part.columns()) {
      select.append(column.sql()).append(", ");
      if (column.form() == Form.TEXT_OR_HEX) {
        invalid.add(dialect.quoted(column.name()));
      }
    }
    return select
        .append(dialect.invalid(ImmutableList.copyOf(invalid)))
        .append(", (")
        .append(part.count())
        .append(") FROM ")
        .append(part.source().table())
        .append(" WHERE ")
        .append(part.condition())
        .append(" ORDER BY ")
        .append(part.order())
        .append(dialect.suffix())
        .toString();
  }
}
