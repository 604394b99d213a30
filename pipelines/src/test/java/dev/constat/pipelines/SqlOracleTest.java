package dev.constat.pipelines;

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
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Decisions, outcomes in windows, cells and the table of lateness budgets, row by row, against the
 * rules written a second time, as SQL over the same Parquet files ({@code oracle/rules.sql}).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SqlOracleTest {

  private static final int EVENTS = 6_000;
  private static final int MANY_EVENTS = 36_000;

  /** Two sources of five partitions, one of which is null. */
  private static final String FEW = "CASE WHEN i // 2 % 5 < 4 THEN 'p' || i // 2 % 5 END";

  private static final String SPEC =
      """
      constat: 1
      archives:
        events: {files: 'events-*.parquet'}
      sources:
        - source: s0
          lateness: {budget: PT5M, version: "1"}
          future_tolerance: PT2M
          schema_versions: ["1"]
          withdrawn: {field: /payload/removed, equals: true}
        - source: "*"
          lateness:
            - {budget: PT2M, version: morning}
            - {budget: PT7M30S, version: noon, from: 2026-01-05T11:00:00Z}
          future_tolerance: PT2M
          schema_versions: ["1"]
          withdrawn: {field: /payload/removed, equals: true}
      projections:
        - name: fixed
          versions:
            - {version: "1", kind: windowed, window: {fixed: PT10M}, allowed_lateness: PT5M,
               aggregates: COLUMNS}
        - name: sliding
          versions:
            - {version: "1", kind: windowed, window: {sliding: PT10M, every: PT5M},
               allowed_lateness: PT15M, aggregates: COLUMNS}
        - name: session
          versions:
            - {version: "1", kind: windowed, window: {session: PT1M30S}, allowed_lateness: PT10M,
               aggregates: COLUMNS}
      """;

  private static final String COLUMNS =
      "{n: count, qty: {sum: /qty}, high: {max: /px}, tags: {distinct: /tag}}";

  private static final String EXPECTED_DECISIONS =
      """
      SELECT ingestion_id, d.source, source_event_id, partition, us, rx, decision, timeliness,
        in_history,
        in_history AND known_schema AND NOT suspect AND timeliness IS DISTINCT FROM 'FUTURE'
          AND (decision = 'ACCEPTED' OR target IS NOT NULL),
        d.watermark, against
      FROM d LEFT JOIN link USING (n)
      """;
  private static final String DECISIONS =
      """
      SELECT ingestion_id, source, source_event_id, partition, epoch_us(occurred_at::TIMESTAMP),
        epoch_us(received_at::TIMESTAMP), decision, timeliness, in_history, moves_current,
        epoch_us(watermark::TIMESTAMP), against
      FROM read_parquet('%s/decisions/*.parquet')
      """;
  private static final String EXPECTED_REPEATS =
      """
      SELECT ingestion_id, repeats, last
      FROM d JOIN (
        SELECT source, id, count(*) FILTER (decision = 'EXACT_DUPLICATE') AS repeats,
          max(rx) FILTER (in_history OR decision = 'EXACT_DUPLICATE') AS last
        FROM d GROUP BY ALL) USING (source, id)
      WHERE in_history
      """;
  private static final String REPEATS =
      """
      SELECT ingestion_id, repeats, epoch_us(last_received_at::TIMESTAMP)
      FROM read_parquet('%s/decisions/*.parquet') WHERE in_history
      """;
  private static final String EXPECTED_WINDOWS =
      "SELECT ingestion_id, projection, '1', ws, outcome FROM placement JOIN d USING (n)";
  private static final String WINDOWS =
      """
      SELECT ingestion_id, w.projection, w.version, epoch_us(w.window_start::TIMESTAMP), w.outcome
      FROM (SELECT ingestion_id, unnest(windows) AS w FROM read_parquet('%s/decisions/*.parquet'))
      """;
  private static final String EXPECTED_CELLS =
      """
      SELECT business_key, ws, we, n, qty, high, tags, on_time, refined, too_late, flags
      FROM cell WHERE projection = 'NAME'
      """;
  private static final String CELLS =
      """
      SELECT business_key, epoch_us(window_start::TIMESTAMP), epoch_us(window_end::TIMESTAMP), n,
        qty::DECIMAL(30, 6), high::DECIMAL(30, 6), tags, on_time, refined, too_late, flags::VARCHAR
      FROM read_parquet('%s/projections/NAME/version=1/*.parquet')
      """;
  private static final String EXPECTED_SWEEP =
      """
      SELECT source, tried, events, late, changed, projection, windows, refines, too_late
      FROM sweep
      """;
  private static final String SWEEP =
      """
      SELECT source, tried, events, late, changed, split_part(w ->> '$.projection', ' ', 1),
        (w ->> '$.windows')::BIGINT, (w ->> '$.refines')::BIGINT, (w ->> '$.too_late')::BIGINT
      FROM (
        SELECT l ->> '$.source' AS source, l ->> '$.budget' AS tried,
          (l ->> '$.events')::BIGINT AS events, (l ->> '$.late')::BIGINT AS late,
          (l ->> '$.changed')::BIGINT AS changed, unnest((l -> '$.windows')::JSON[]) AS w
        FROM (
          SELECT unnest((content::JSON -> '$.lateness')::JSON[]) AS l
          FROM read_text('%s/summary.json')))
      WHERE tried IN (SELECT tried FROM sweep)
      """;

  private Path folder;
  private Connection duckdb;
  private String archived = "";

  @BeforeAll
  void connect(@TempDir Path shared) throws SQLException {
    folder = shared;
    duckdb = DriverManager.getConnection("jdbc:duckdb:");
  }

  @AfterAll
  void disconnect() throws SQLException {
    duckdb.close();
  }

  @ParameterizedTest(name = "{0} in {1} buckets")
  @CsvSource({"direct, 1", "direct, 16", "embedded, 1", "embedded, 16"})
  void bothSidesDecideAlike(String runner, int buckets) throws Exception {
    archive(EVENTS, 2, FEW);

    assertAlike(run(runner, buckets));
  }

  /** What the rules are there for is in the archive, more than now and then. */
  @Test
  void theArchiveIsFullOfFaults() throws Exception {
    archive(EVENTS, 2, FEW);

    assertThat(counts("SELECT decision, count(*) FROM d GROUP BY decision"))
        .containsOnlyKeys(
            "ACCEPTED",
            "ARCHIVE_CONFLICT",
            "ARCHIVE_COPY",
            "CONFLICTING_DUPLICATE",
            "CORRECTION",
            "EXACT_DUPLICATE")
        .allSatisfy((decision, rows) -> assertThat(rows).isGreaterThan(40));
    assertThat(counts("SELECT timeliness, count(*) FROM d WHERE in_history GROUP BY ALL"))
        .hasSize(4)
        .allSatisfy((timeliness, rows) -> assertThat(rows).isGreaterThan(40));
    assertThat(counts("SELECT projection || outcome, count(*) FROM placement GROUP BY ALL"))
        .hasSize(9)
        .allSatisfy((outcome, rows) -> assertThat(rows).isGreaterThan(100));
    assertThat(
            counts(
                """
                SELECT flag, count(*)
                FROM (SELECT unnest(flags::VARCHAR[]) AS flag FROM cell) GROUP BY flag
                """))
        .hasSize(3)
        .allSatisfy((flag, rows) -> assertThat(rows).isGreaterThan(100));
    assertThat(counts("SELECT least(length, 3), count(*) FROM walk GROUP BY ALL"))
        .hasSize(3)
        .allSatisfy((length, rows) -> assertThat(rows).isGreaterThan(100));
    assertThat(
            counts(
                """
                SELECT 'at the end', count(*) FROM placement JOIN d USING (n) WHERE watermark = we
                UNION ALL
                SELECT 'at the last', count(*) FROM placement JOIN d USING (n)
                WHERE watermark = we + lateness
                UNION ALL
                SELECT 'not quite LATE', count(*) FROM d WHERE in_history AND us = watermark
                UNION ALL
                SELECT 'not quite FUTURE', count(*) FROM d WHERE in_history AND us = rx + 120000000
                UNION ALL
                SELECT 'UNIT_SUSPECT', count(*) FROM d WHERE suspect
                """))
        .allSatisfy((edge, rows) -> assertThat(rows).isGreaterThan(4));
  }

  /**
   * One partition of all receptions, which is cut into slabs of time, and the same receptions in
   * sixteen, which are not.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPartitionIsScannedAsOneHoweverItIsCut(boolean one) throws Exception {
    archive(MANY_EVENTS, 1, one ? "'p'" : "'p' || i % 16");

    Path run = run("embedded", 4);

    String placed =
        "SELECT coalesce(partition, ''), count(DISTINCT filename)"
            + " FROM read_parquet('%s/decisions/*.parquet', filename = true) GROUP BY partition";
    assertThat(counts(placed.formatted(run)))
        .as("number of files that hold each partition")
        .hasSize(one ? 1 : 16)
        .allSatisfy((partition, files) -> assertThat(files > 1).isEqualTo(one));
    assertAlike(run);
  }

  private void assertAlike(Path run) throws SQLException {
    SoftAssertions sides = new SoftAssertions();
    compare(sides, "decisions", EXPECTED_DECISIONS, DECISIONS.formatted(run));
    compare(sides, "repeats", EXPECTED_REPEATS, REPEATS.formatted(run));
    compare(sides, "windows", EXPECTED_WINDOWS, WINDOWS.formatted(run));
    for (String name : List.of("fixed", "sliding", "session")) {
      compare(
          sides,
          name,
          EXPECTED_CELLS.replace("NAME", name),
          CELLS.replace("NAME", name).formatted(run));
    }
    compare(sides, "lateness", EXPECTED_SWEEP, SWEEP.formatted(run));
    sides.assertAll();
  }

  /** Holds that two queries give the same rows, and some. */
  private void compare(SoftAssertions sides, String name, String expected, String actual)
      throws SQLException {
    sides
        .assertThat(lines("SELECT count(*) FROM (" + expected + ")"))
        .as(name)
        .doesNotContain("[0]");
    sides
        .assertThat(lines("(" + expected + ") EXCEPT ALL (" + actual + ") ORDER BY ALL LIMIT 10"))
        .as("missing in " + name)
        .isEmpty();
    sides
        .assertThat(lines("(" + actual + ") EXCEPT ALL (" + expected + ") ORDER BY ALL LIMIT 10"))
        .as("surplus in " + name)
        .isEmpty();
  }

  private List<String> lines(String query) throws SQLException {
    try (Statement sql = duckdb.createStatement();
        ResultSet result = sql.executeQuery(query)) {
      List<String> lines = new ArrayList<>();
      while (result.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          values.add(result.getString(i));
        }
        lines.add(values.toString());
      }
      return lines;
    }
  }

  private Map<String, Long> counts(String query) throws SQLException {
    try (Statement sql = duckdb.createStatement();
        ResultSet result = sql.executeQuery(query)) {
      Map<String, Long> counts = new TreeMap<>();
      while (result.next()) {
        counts.put(String.valueOf(result.getString(1)), result.getLong(2));
      }
      return counts;
    }
  }

  /**
   * Has an archive generated, and judged by the rules in SQL, unless that is what was done last.
   */
  private void archive(int events, int sources, String partition) throws Exception {
    String asked = events + " " + sources + " " + partition;
    if (asked.equals(archived)) {
      return;
    }
    try (Statement sql = duckdb.createStatement()) {
      for (String script : List.of("archive", "rules")) {
        sql.execute(
            script(script)
                .replace(":DIR", folder.toString().replace("'", "''"))
                .replace(":N", Integer.toString(events))
                .replace(":SOURCES", Integer.toString(sources))
                .replace(":PARTITION", partition));
      }
    }
    archived = asked;
  }

  private static String script(String name) throws IOException {
    try (InputStream script = SqlOracleTest.class.getResourceAsStream("/oracle/" + name + ".sql")) {
      return new String(script.readAllBytes(), UTF_8);
    }
  }

  private Path run(String runner, int buckets) throws IOException {
    Path spec =
        Files.writeString(
            folder.resolve("constat.yaml"),
            SPEC.replace("COLUMNS", COLUMNS) + "layout: {buckets: " + buckets + "}\n");
    Path out = Files.createTempDirectory(folder, "out");
    Answer answer = Answer.to("reconcile", spec, "--out", out, "--runner", runner);
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    return TestFolders.onlyRun(out);
  }
}
