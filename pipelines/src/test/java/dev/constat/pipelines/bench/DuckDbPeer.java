package dev.constat.pipelines.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The rules as SQL in DuckDB ({@code bench/peer.sql}), as a process of its own. It uses the JDK and
 * DuckDB's driver alone, so that starting it takes next to nothing.
 */
final class DuckDbPeer {

  /** The SQL, on the class path. */
  static final String SCRIPT = "/bench/peer.sql";

  private DuckDbPeer() {}

  /**
   * Writes what the archive in {@code archive} comes to.
   *
   * @param arguments folder of the archive, folder of the results (it is made), when the inputs are
   *     cut, version of the lateness budget, number of threads, scratch folder, and the memory
   *     limit as DuckDB writes it; without that, DuckDB's default, four fifths of the machine's
   */
  public static void main(String[] arguments) throws IOException, SQLException {
    Path out = Files.createDirectories(Path.of(arguments[1]));
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:")) {
      try (Statement sql = duckdb.createStatement()) {
        sql.execute("SET threads = " + Integer.parseInt(arguments[4]));
        sql.execute("SET temp_directory = '" + quoted(Path.of(arguments[5])) + "'");
        if (arguments.length > 6) {
          sql.execute("SET memory_limit = '" + arguments[6] + "'");
        }
      }
      write(duckdb, Path.of(arguments[0]), out, arguments[2], arguments[3]);
    }
  }

  /** Does it on a connection. */
  static void write(Connection duckdb, Path archive, Path out, String cut, String budgetVersion)
      throws IOException, SQLException {
    try (InputStream script = DuckDbPeer.class.getResourceAsStream(SCRIPT);
        Statement sql = duckdb.createStatement()) {
      sql.execute(
          new String(script.readAllBytes(), UTF_8)
              .replace(":DIR", quoted(archive))
              .replace(":OUT", quoted(out))
              .replace(":CUT", cut)
              .replace(":BUDGET_VERSION", budgetVersion.replace("'", "''")));
    }
  }

  private static String quoted(Path path) {
    return path.toAbsolutePath().toString().replace("'", "''");
  }
}
