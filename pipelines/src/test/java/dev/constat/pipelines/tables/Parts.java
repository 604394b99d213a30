package dev.constat.pipelines.tables;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.TableSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;

/** Parts of tables, for tests. */
final class Parts {

  private Parts() {}

  /** All of a table, with all of its columns, by its {@code id}. */
  static TablePart whole(TableSource source, Connections.Environment environment)
      throws IOException {
    Dialect dialect = Dialect.of(source.jdbc());
    ImmutableList.Builder<TableColumn> columns = ImmutableList.builder();
    try (Connection connection = Connections.open(source, null, environment);
        Statement statement = connection.createStatement();
        ResultSet none =
            statement.executeQuery("SELECT * FROM " + source.table() + " WHERE 1 = 0")) {
      ResultSetMetaData all = none.getMetaData();
      for (int i = 1; i <= all.getColumnCount(); i++) {
        columns.add(dialect.column(all.getColumnName(i), all.getColumnTypeName(i), false));
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
    ImmutableList<TableColumn> found = columns.build();
    return new TablePart(
        Input.EVENTS,
        0,
        source,
        found,
        "1 = 1",
        dialect.order(
            dialect.asKey(dialect.quoted("id")), found.stream().map(TableColumn::sql).toList()),
        null,
        ".extracts/all.jsonl");
  }
}
