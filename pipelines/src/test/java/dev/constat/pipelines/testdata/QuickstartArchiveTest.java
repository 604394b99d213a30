package dev.constat.pipelines.testdata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code test-data/quickstart} is what its generator makes. */
final class QuickstartArchiveTest {

  private static final Path COMMITTED = Path.of("..", "test-data", "quickstart");

  @TempDir private Path made;

  @Test
  void makesTheCommittedFilesAgain() throws Exception {
    QuickstartArchive.writeTo(made);

    List<String> names = names(COMMITTED);
    names.remove("constat.yaml");
    assertThat(names(made)).isEqualTo(names);
    for (String name : names) {
      assertThat(content(made.resolve(name))).as(name).isEqualTo(content(COMMITTED.resolve(name)));
    }
  }

  @Test
  void staysSmall() throws Exception {
    long bytes = 0;
    for (String name : names(COMMITTED)) {
      bytes += Files.size(COMMITTED.resolve(name));
    }
    assertThat(bytes).isLessThan(1_500_000);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<String> names = new ArrayList<>();
      files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .forEach(names::add);
      return names;
    }
  }

  /** Lines of text; of Parquet, the rows: how they are packed is the writer's affair. */
  private static List<String> content(Path file) throws IOException, SQLException {
    String name = file.toString();
    if (name.endsWith(".parquet")) {
      return rows(file);
    }
    try (InputStream in = Files.newInputStream(file)) {
      InputStream text = name.endsWith(".gz") ? new GZIPInputStream(in) : in;
      return new String(text.readAllBytes(), UTF_8).lines().toList();
    }
  }

  private static List<String> rows(Path file) throws SQLException {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement()) {
      sql.execute("SET threads = 1");
      sql.execute("SET TimeZone = 'UTC'");
      List<String> rows = new ArrayList<>();
      try (ResultSet result =
          sql.executeQuery("SELECT to_json(t)::VARCHAR FROM read_parquet('" + file + "') t")) {
        while (result.next()) {
          rows.add(result.getString(1));
        }
      }
      return rows;
    }
  }
}
