package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One archive has one answer, to the byte: on each runner, with any parallelism, in any order of
 * files, in any time zone and language. Rows that are moved to other files stay the same rows.
 */
final class SameBytesTest {

  private static final String QUICKSTART = "quickstart";

  @TempDir private Path temporary;

  @ParameterizedTest(name = "{0} in {1} buckets")
  @CsvSource({
    "quickstart, 1",
    "quickstart, 16",
    "same-id-other-content, 1",
    "same-id-other-content, 16"
  })
  void everyWayToRunGivesTheSameBytes(String archive, int buckets) throws IOException {
    Path spec = withBuckets(TestFolders.copy(archive, temporary.resolve("as-is")), buckets);
    Path backwards =
        withBuckets(TestFolders.copy(archive, temporary.resolve("backwards"), true), buckets);
    Path first = run(spec, "first", "direct", 2);

    assertSameRun(first, run(backwards, "files-in-another-order", "direct", 1));
    assertSameRun(first, run(spec, "direct-4", "direct", 4));
    assertSameRun(first, run(spec, "embedded-1", "embedded", 1));
    assertSameRun(first, elsewhere(() -> run(backwards, "embedded-4", "embedded", 4)));
    assertSameRun(first, elsewhere(() -> run(spec, "direct-elsewhere", "direct", 2)));
  }

  @Test
  void rowsInOtherFilesAreTheSameRows() throws Exception {
    Path before = withBuckets(TestFolders.copy(QUICKSTART, temporary.resolve("before")), 4);
    Path archive = TestFolders.copy(QUICKSTART, temporary.resolve("after"));
    Path after = withBuckets(archive, 4);
    Random random = new Random(20260105);
    for (String folder : List.of("events/orders", "acks", "decisions")) {
      shuffleLines(archive.resolve(folder), random);
    }
    shuffleRows(archive.resolve("events/venue-a"), "concat(rx_id, msg_id, body)");
    shuffleRows(archive.resolve("outbox"), "id");

    Path one = run(before, "one", "direct", 2);
    Path other = run(after, "other", "embedded", 2);

    assertThat(other.resolve("summary.json")).hasSameTextualContentAs(one.resolve("summary.json"));
    assertThat(other.resolve("metrics.prom")).hasSameTextualContentAs(one.resolve("metrics.prom"));
    assertThat(difference(findings(one), findings(other))).as("findings").isEmpty();
    for (String table :
        List.of(
            "decisions",
            "effects",
            "heads",
            "quarantine",
            "projections/state/version=1",
            "projections/volume/version=1")) {
      List<String> rows = rows(one, table);
      assertThat(rows).as(table).isNotEmpty();
      assertThat(difference(rows, rows(other, table))).as(table).isEmpty();
    }
  }

  /** Something that runs. */
  private interface Work {

    Path run() throws IOException;
  }

  /** Does the work where days, numbers and letters are others. */
  private static Path elsewhere(Work work) throws IOException {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr-TR-u-nu-arab"));
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"));
      return work.run();
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  private static void assertSameRun(Path expected, Path actual) throws IOException {
    assertThat(actual.getFileName()).isEqualTo(expected.getFileName());
    assertThat(TestFolders.digests(actual)).isEqualTo(TestFolders.digests(expected));
  }

  private Path run(Path spec, String name, String runner, int parallelism) throws IOException {
    Path out = temporary.resolve("out").resolve(name);
    Answer answer =
        Answer.to(
            "reconcile",
            spec,
            "--out",
            out,
            "--runner",
            runner,
            "--",
            "--parallelism=" + parallelism);
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    return TestFolders.onlyRun(out);
  }

  private static Path withBuckets(Path archive, int buckets) throws IOException {
    Path spec = archive.resolve("constat.yaml");
    return Files.writeString(
        spec, "\nlayout: {buckets: " + buckets + "}\n", StandardOpenOption.APPEND);
  }

  /** Moves the lines of all files of a folder, in another order, to other files. */
  private static void shuffleLines(Path folder, Random random) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files(folder)) {
      try (InputStream raw = Files.newInputStream(file);
          InputStream text = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
          BufferedReader reader = new BufferedReader(new InputStreamReader(text, UTF_8))) {
        reader.lines().forEach(lines::add);
      }
      Files.delete(file);
    }
    Collections.shuffle(lines, random);
    int cut = random.nextInt(lines.size());
    Files.write(folder.resolve("b.jsonl"), lines.subList(0, cut));
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("a.jsonl.gz")))) {
      for (String line : lines.subList(cut, lines.size())) {
        out.write((line + "\n").getBytes(UTF_8));
      }
    }
  }

  /** Moves the rows of all Parquet files of a folder, in another order, to two others. */
  private static void shuffleRows(Path folder, String key) throws IOException, SQLException {
    List<Path> files = files(folder);
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement()) {
      sql.execute("SET threads = 1");
      sql.execute(
          "CREATE TABLE moved AS SELECT * FROM read_parquet(%s)"
              .formatted(files.stream().map(file -> quoted(file)).toList()));
      for (int half = 0; half < 2; half++) {
        String hash = "md5(" + key + ")";
        sql.execute(
            "COPY (SELECT * FROM moved WHERE (%s < '8') = %s ORDER BY %s DESC)"
                    .formatted(hash, half == 0, hash)
                + " TO %s (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 2048)"
                    .formatted(quoted(folder.resolve("half-" + half + ".parquet"))));
      }
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  /** Where two lists differ, the first lines of it. */
  private static List<String> difference(List<String> expected, List<String> actual) {
    List<String> difference = new ArrayList<>();
    for (int i = 0; i < Math.max(expected.size(), actual.size()) && difference.size() < 10; i++) {
      String left = i < expected.size() ? expected.get(i) : "nothing";
      String right = i < actual.size() ? actual.get(i) : "nothing";
      if (!left.equals(right)) {
        difference.add("- " + left + "\n+ " + right);
      }
    }
    return difference;
  }

  private static List<String> findings(Path run) throws SQLException {
    return query(
        "SELECT json_merge_patch(json, '{\"evidence\":null}')::VARCHAR FROM read_ndjson_objects(%s)"
            .formatted(quoted(run.resolve("findings.jsonl"))));
  }

  /**
   * The rows of a table, apart from where the records stand that they are about. Sorted:
   * acknowledgements of no event stand in the order of their places.
   */
  private static List<String> rows(Path run, String table) throws SQLException {
    return query(
        """
        SELECT t::VARCHAR AS r FROM (
          SELECT COLUMNS(c -> NOT regexp_matches(c, '^(evidence|row|ack)_(file|position)$'))
          FROM read_parquet(%s)) t
        ORDER BY r
        """
            .formatted(quoted(run.resolve(table).resolve("*.parquet"))));
  }

  private static List<String> query(String query) throws SQLException {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement();
        ResultSet result = sql.executeQuery(query)) {
      List<String> lines = new ArrayList<>();
      while (result.next()) {
        lines.add(result.getString(1));
      }
      return lines;
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }

  private static String quoted(Path path) {
    return "'" + path.toString().replace("'", "''") + "'";
  }
}
