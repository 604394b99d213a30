package dev.constat.pipelines.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import dev.constat.pipelines.bench.Comparison.Compared;
import dev.constat.pipelines.bench.Comparison.MismatchException;
import dev.constat.pipelines.bench.Comparison.Side;
import dev.constat.pipelines.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the benchmark measures beside Constat comes to the same tables, over a small archive that is
 * full of faults; and a difference is found.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PeersTest {

  private static final int EVENTS = 3_000;
  private static final String CUT = "2026-01-04T13:30:00Z";
  private static final String SPEC =
      """
      constat: 1
      name: bench
      as_of: CUT
      archives:
        events: {files: events.parquet, cut: CUT}
        outbox: {files: outbox.parquet, cut: CUT}
        acknowledgements: {files: acks.parquet, cut: CUT}
      sources:
        - source: "*"
          hash: raw-bytes/1
          lateness: {budget: PT5M, version: first}
          schema_versions: ["1"]
      effects:
        - type: notify
          consumers: [c1]
      projections:
        - name: volume
          versions:
            - {version: "1", kind: windowed, key: business_key, window: {fixed: PT10M},
               allowed_lateness: PT5M, aggregates: {n: count, qty: {sum: /qty}, high: {max: /px}}}
      """;

  private Path folder;
  private BenchArchive archive;
  private Path run;
  private Path sql;
  private Connection duckdb;

  @BeforeAll
  void reconcile(@TempDir Path shared) throws Exception {
    folder = shared;
    duckdb = DriverManager.getConnection("jdbc:duckdb:");
    Path spec = Files.writeString(shared.resolve("constat.yaml"), SPEC.replace("CUT", CUT));
    archive = BenchArchive.of(spec);
    try (InputStream script = PeersTest.class.getResourceAsStream("/bench/archive.sql")) {
      execute(
          new String(script.readAllBytes(), UTF_8)
              .replace(":DIR", shared.toString().replace("'", "''"))
              .replace(":N", Integer.toString(EVENTS)));
    }
    Path out = Files.createDirectory(shared.resolve("out"));
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            new String[] {
              "reconcile", spec.toString(), "--out", out.toString(), "--runner", "direct"
            },
            new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
            new PrintStream(err, true, UTF_8));
    assertThat(code).as(err.toString(UTF_8)).isEqualTo(1);
    run = Folders.onlyRun(out);
    sql = Files.createDirectory(shared.resolve("sql"));
    DuckDbPeer.write(duckdb, shared, sql, archive.cut(), archive.budgetVersion());
  }

  @AfterAll
  void disconnect() throws SQLException {
    duckdb.close();
  }

  @Test
  void theSqlWritesWhatConstatWrites() throws Exception {
    try (Comparison comparison = new Comparison(folder)) {
      List<Compared> compared =
          comparison.require(constat("CONTRACT_DRIFT"), Side.ofPeer("SQL", sql));

      assertThat(compared)
          .extracting(Compared::table)
          .containsExactly(
              "decisions", "effects", "quarantine", "projections", "order", "findings");
      assertThat(compared).allSatisfy(table -> assertThat(table.rows()).isPositive());
      assertThat(compared.get(0).columns()).isEqualTo(30);
      assertThat(compared.get(1).columns()).isEqualTo(18);
    }
  }

  @Test
  void theSqlSortsAsConstatDoes() throws SQLException {
    String lines =
        "SELECT string_agg(fingerprint, ' ') FROM read_json('%s/findings.jsonl')"
            + " WHERE kind <> 'CONTRACT_DRIFT'";

    assertThat(text(lines.formatted(sql))).isEqualTo(text(lines.formatted(run)));
    assertThat(
            text(
                """
                SELECT count(*) FROM (
                  SELECT (coalesce(source, ''), coalesce(partition, ''), received_at, ingestion_id)
                      AS place,
                    lag(place) OVER (ORDER BY file_row_number) AS before
                  FROM read_parquet('%s/decisions.parquet', file_row_number = true)
                  WHERE partition IS NOT NULL)
                WHERE place < before
                """
                    .formatted(sql)))
        .isEqualTo("0");
  }

  @Test
  void theBeamProgramWritesWhatConstatWrites() throws Exception {
    Path out = folder.resolve("beam");

    CoGroupByKeyPeer.main(
        new String[] {archive.spec().toString(), out.toString(), archive.cut(), "2"});

    try (Comparison comparison = new Comparison(folder)) {
      assertThat(
              comparison.require(
                  constat("CONTRACT_DRIFT", "UNIT_SUSPECT", "CORRECTION_FORK"),
                  Side.ofCoGroupByKey(out)))
          .extracting(Compared::table)
          .containsExactly("decisions", "effects", "findings");
    }
  }

  /** What the rules are there for is in the archive. */
  @Test
  void theArchiveIsFullOfFaults() throws SQLException {
    String kinds =
        text(
            "SELECT string_agg(DISTINCT kind, ' ') FROM read_json('%s/findings.jsonl')"
                .formatted(run));

    assertThat(new TreeSet<>(List.of(kinds.split(" "))))
        .contains(
            "ACKED_NOT_TERMINAL",
            "BROKEN_CHAIN",
            "CONFLICTING_DUPLICATE",
            "CORRECTION_BEFORE_TARGET",
            "CORRECTION_FORK",
            "DLQ",
            "DOUBLE_EFFECT",
            "IMPLAUSIBLE_LEASE",
            "IMPLICIT_DLQ",
            "MISSING_ACK",
            "MISSING_OUTBOX",
            "ORPHAN_ACK",
            "ORPHAN_OUTBOX",
            "PAYLOAD_HASH_MISMATCH",
            "REDELIVERY",
            "RETRY_LIMIT_EXCEEDED",
            "STUCK_LEASE",
            "STUCK_PENDING",
            "SURPLUS_OUTBOX",
            "UNKNOWN_SCHEMA_VERSION");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "decisions | SELECT * REPLACE (if(evidence_position = 7, 'LATE', decision) AS decision)",
        "effects | SELECT * REPLACE (if(row_position = 7, acks + 1, acks) AS acks)",
        "quarantine | SELECT * REPLACE (age + 1 AS age)",
        "projections | SELECT * REPLACE (n + 1 AS n)",
        "order | SELECT delivered, overtakings - 1 AS overtakings",
        "findings | SELECT * REPLACE (if(kind = 'DLQ', 2, occurrences) AS occurrences)"
      })
  void aChangedRowIsFound(String table, String changed) throws SQLException {
    Map<String, String> tables = new LinkedHashMap<>(Side.ofPeer("SQL", sql).tables());
    String rows = tables.get(table);
    tables.put(table, "(" + changed + " FROM " + rows + "\n)");

    try (Comparison comparison = new Comparison(folder)) {
      assertThatThrownBy(
              () -> comparison.require(constat("CONTRACT_DRIFT"), new Side("changed", tables)))
          .isInstanceOf(MismatchException.class)
          .hasMessageStartingWith(table + " differ: Constat has ")
          .hasMessageContaining("Only in changed:\n  [");
    }
  }

  @Test
  void rowsCountAsOftenAsTheyAreThere() throws SQLException {
    Side once = new Side("once", ImmutableMap.of("t", "(VALUES (1), (2), (2)) r(a)"));
    Side twice = new Side("twice", ImmutableMap.of("t", "(VALUES (1), (1), (2)) r(a)"));

    try (Comparison comparison = new Comparison(folder)) {
      assertThatThrownBy(() -> comparison.require(once, twice))
          .isInstanceOf(MismatchException.class)
          .hasMessageContaining("Only in once (a):\n  [2]")
          .hasMessageContaining("Only in twice:\n  [1]");
    }
  }

  /** The run's tables, without kinds of findings that a peer says not to have. */
  private Side constat(String... without) {
    Map<String, String> tables = new LinkedHashMap<>(Side.ofRun(run).tables());
    tables.computeIfPresent(
        "findings",
        (name, rows) ->
            "(FROM %s WHERE kind NOT IN ('%s'))".formatted(rows, String.join("', '", without)));
    return new Side("Constat", tables);
  }

  private void execute(String script) throws SQLException {
    try (Statement statement = duckdb.createStatement()) {
      statement.execute(script);
    }
  }

  private String text(String query) throws SQLException {
    try (Statement statement = duckdb.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }
}
