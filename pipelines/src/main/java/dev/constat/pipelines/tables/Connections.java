package dev.constat.pipelines.tables;

import dev.constat.rules.spec.TableSource;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Opens connections that only read. Credentials come from the environment of whoever opens one. */
final class Connections {

  /** Tells what an environment variable holds, or null. */
  @FunctionalInterface
  interface Environment extends Serializable {

    /** The value of a variable, or null. */
    String get(String name);
  }

  private Connections() {}

  /**
   * Opens a connection.
   *
   * @param snapshot the moment that it sees, or null for its own
   */
  static Connection open(TableSource source, String snapshot, Environment environment)
      throws SQLException, TableException {
    Dialect dialect = Dialect.of(source.jdbc());
    Properties settings = dialect.settings();
    credential("user", source.userEnv(), source, environment, settings);
    credential("password", source.passwordEnv(), source, environment, settings);
    Connection connection = DriverManager.getConnection(source.jdbc(), settings);
    try {
      if (dialect.hasSnapshots()) {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        if (snapshot != null) {
          try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION SNAPSHOT '" + snapshot + "'");
          }
        }
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static void credential(
      String property,
      String variable,
      TableSource source,
      Environment environment,
      Properties settings)
      throws TableException {
    if (variable == null) {
      return;
    }
    String value = environment.get(variable);
    if (value == null) {
      throw new TableException(
          source.table(),
          "needs the environment variable " + variable + ", which is not set",
          "set it, for workers too",
          null);
    }
    settings.setProperty(property, value);
  }

  /** The one number that a query gives. */
  static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new SQLException("no row came of " + sql);
      }
      return rows.getLong(1);
    }
  }
}
