package dev.constat.pipelines.testdata;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** Writes records into the files of an archive. */
final class Archive {

  private final Path folder;

  Archive(Path folder) {
    this.folder = folder;
  }

  /** JSON lines, compressed if the name says so. */
  void jsonLines(String name, List<Map<String, Object>> records) throws IOException {
    byte[] lines = lines(records).getBytes(UTF_8);
    Path file = file(name);
    if (!name.endsWith(".gz")) {
      Files.write(file, lines);
      return;
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(lines);
    }
  }

  /**
   * Parquet.
   *
   * @param columns name and DuckDB type of each column, in order
   */
  void parquet(String name, Map<String, String> columns, List<Map<String, Object>> records)
      throws IOException, SQLException {
    Path file = file(name);
    Path lines = Files.createTempFile("records", ".jsonl");
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement()) {
      Files.writeString(lines, lines(records));
      sql.execute("SET threads = 1");
      sql.execute("SET TimeZone = 'UTC'");
      sql.execute(
          columns.entrySet().stream()
              .map(column -> quote(column.getKey()) + ": " + quote(column.getValue()))
              .collect(
                  Collectors.joining(
                      ", ",
                      "COPY (SELECT * FROM read_json("
                          + quote(lines.toString())
                          + ", format = 'newline_delimited', columns = {",
                      "})) TO " + quote(file.toString()) + " (FORMAT parquet, COMPRESSION zstd)")));
    } finally {
      Files.delete(lines);
    }
  }

  private Path file(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return file;
  }

  private static String lines(List<Map<String, Object>> records) {
    return records.stream().map(record -> Json.of(record) + "\n").collect(Collectors.joining());
  }

  private static String quote(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
