package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What receptions are decided to be where they stand in Parquet files: as in any other format. */
final class ParquetReceptionsTest {

  @TempDir private Path folder;

  static List<Arguments> whatIsDecided() {
    return List.of(
        Arguments.of(
            "one attempt twice, and one with two contents",
            "jcs-exact/1",
            List.of(
                "SELECT 'i1' AS id, 'e1' AS event, 1 AS second, '{\"q\":1}' AS payload",
                "SELECT 'i1', 'e1', 1, '{\"q\":1}'",
                "SELECT 'i2', 'e2', 2, '{\"q\":2}'",
                "SELECT 'i2', 'e2', 2, '{\"q\":3}'"),
            Map.of("i1", "ACCEPTED+ARCHIVE_COPY", "i2", "ARCHIVE_CONFLICT+ARCHIVE_CONFLICT")),
        Arguments.of(
            "integers that a double would make equal",
            "jcs-exact/1",
            List.of(
                "SELECT 'i1' AS id, 'e1' AS event, 1 AS second, '{\"id\":9007199254740992}' AS"
                    + " payload",
                "SELECT 'i2', 'e1', 9, '{\"id\":9007199254740993}'",
                "SELECT 'i3', 'e3', 1, '{\"id\":1e400}'",
                "SELECT 'i4', 'e3', 9, '{\"id\":1e401}'"),
            Map.of(
                "i1", "ACCEPTED",
                "i2", "CONFLICTING_DUPLICATE",
                "i3", "ACCEPTED",
                "i4", "CONFLICTING_DUPLICATE")),
        Arguments.of(
            "one number in two spellings, by value",
            "jcs-exact/1",
            List.of(
                "SELECT 'i1' AS id, 'e1' AS event, 1 AS second,"
                    + " '{\"w\":136.0,\"z\":-0,\"d\":\"1.10\"}' AS payload",
                "SELECT 'i2', 'e1', 9, '{\"z\":0,\"w\":1.36E2,\"d\":\"1.10\"}'",
                "SELECT 'i3', 'e1', 10, '{\"z\":0,\"w\":136,\"d\":\"1.1\"}'"),
            Map.of("i1", "ACCEPTED", "i2", "EXACT_DUPLICATE", "i3", "CONFLICTING_DUPLICATE")),
        Arguments.of(
            "one number in two spellings, by bytes",
            "raw-bytes/1",
            List.of(
                "SELECT 'i1' AS id, 'e1' AS event, 1 AS second, '{\"w\":136.0}' AS payload",
                "SELECT 'i2', 'e1', 9, '{\"w\":136}'",
                "SELECT 'i3', 'e1', 10, '{\"w\":136.0}'"),
            Map.of("i1", "ACCEPTED", "i2", "CONFLICTING_DUPLICATE", "i3", "EXACT_DUPLICATE")),
        Arguments.of(
            "a payload that a store put into another order",
            "jcs-exact/1",
            List.of(
                "SELECT 'i1' AS id, 'e1' AS event, 1 AS second,"
                    + " '{\"bb\":1,\"a\":{\"y\":1,\"x\":[2,1]}}' AS payload",
                "SELECT 'i2', 'e1', 9, '{\"a\": {\"x\": [2, 1], \"y\": 1}, \"bb\": 1}'",
                "SELECT 'i3', 'e1', 10, '{\"a\": {\"x\": [1, 2], \"y\": 1}, \"bb\": 1}'"),
            Map.of("i1", "ACCEPTED", "i2", "EXACT_DUPLICATE", "i3", "CONFLICTING_DUPLICATE")),
        Arguments.of(
            "a lone surrogate is no question mark",
            "jcs-exact/1",
            List.of(
                "SELECT 'i1' AS id, 'e1' AS event, 1 AS second, '{\"n\":\"\\uD800X\"}' AS payload",
                "SELECT 'i2', 'e1', 9, '{\"n\":\"?X\"}'",
                "SELECT 'i3', 'e3', 1, '{\"n\":\"\\uD83D\\uDE00\"}'",
                "SELECT 'i4', 'e3', 9, '{\"n\":\"😀\"}'"),
            Map.of("i2", "ACCEPTED", "i3", "ACCEPTED", "i4", "EXACT_DUPLICATE")),
        Arguments.of(
            "many receptions of one event",
            "jcs-exact/1",
            List.of(
                "SELECT 'i' || lpad(i::VARCHAR, 5, '0') AS id, 'e1' AS event, i AS second, '{}' AS"
                    + " payload FROM range(25000) r(i) WHERE i IN (0, 1) OR i > 1"),
            Map.of(
                "i00000", "ACCEPTED", "i00001", "EXACT_DUPLICATE", "i24999", "EXACT_DUPLICATE")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void whatIsDecided(
      String what, String hash, List<String> receptions, Map<String, String> expected)
      throws Exception {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      write(statement, receptions);
      Files.writeString(
          folder.resolve("constat.yaml"),
          "{constat: 1, archives: {events: {files: 'events-*.parquet'}}, sources: [{source: s,"
              + " hash: "
              + hash
              + "}]}");

      Answer answer =
          Answer.to(
              "reconcile",
              folder.resolve("constat.yaml"),
              "--out",
              folder.resolve("out"),
              "--runner",
              "direct");

      Map<String, String> decided = decided(statement);
      decided.keySet().retainAll(expected.keySet());
      assertThat(decided).as(answer.out() + answer.err()).isEqualTo(new TreeMap<>(expected));
    }
  }

  /** Each in a file of its own, so that what belongs together comes from different files. */
  private void write(Statement statement, List<String> receptions) throws SQLException {
    String columns = " AS t(id, event, second, payload)";
    for (int i = 0; i < receptions.size(); i++) {
      statement.execute(
          """
          COPY (
            SELECT id AS ingestion_id, 's' AS source, event AS source_event_id, payload,
                TIMESTAMPTZ '2026-01-05 10:00:00Z' AS occurred_at,
                TIMESTAMPTZ '2026-01-05 10:00:00Z' + to_seconds(second) AS received_at
            FROM (%s)%s)
          TO '%s' (FORMAT parquet)
          """
              .formatted(receptions.get(i), columns, folder.resolve("events-" + i + ".parquet")));
    }
  }

  private Map<String, String> decided(Statement statement) throws SQLException, IOException {
    Map<String, String> decided = new TreeMap<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT ingestion_id, string_agg(decision, '+' ORDER BY decision) FROM '"
                + TestFolders.onlyRun(folder.resolve("out"))
                + "/decisions/*.parquet' GROUP BY ALL")) {
      while (rows.next()) {
        decided.put(rows.getString(1), rows.getString(2));
      }
    }
    return decided;
  }
}
