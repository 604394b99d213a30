package dev.constat.pipelines.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds two results against each other, row by row: each table must hold the same rows equally
 * often, in all columns that both have, whatever files they lie in.
 */
final class Comparison implements AutoCloseable {

  private static final int SHOWN = 5;
  private static final String FINDINGS_COLUMNS =
      "{fingerprint: 'VARCHAR', kind: 'VARCHAR', level: 'VARCHAR', subject: 'JSON',"
          + " first_at: 'TIMESTAMPTZ', last_at: 'TIMESTAMPTZ', occurrences: 'BIGINT'}";

  private static final String DECISIONS_COLUMNS =
      "{ingestion_id: 'VARCHAR', source: 'VARCHAR', source_event_id: 'VARCHAR',"
          + " partition: 'VARCHAR', occurred_at: 'TIMESTAMPTZ', received_at: 'TIMESTAMPTZ',"
          + " schema_version: 'VARCHAR', key: 'VARCHAR', hash: 'VARCHAR', hash_rule: 'VARCHAR',"
          + " decision: 'VARCHAR', timeliness: 'VARCHAR', in_history: 'BOOLEAN',"
          + " moves_current: 'BOOLEAN', windows: 'STRUCT(projection VARCHAR, version VARCHAR,"
          + " window_start TIMESTAMPTZ, outcome VARCHAR)[]', watermark: 'TIMESTAMPTZ',"
          + " budget: 'VARCHAR', budget_version: 'VARCHAR', against: 'VARCHAR',"
          + " repeats: 'BIGINT', last_received_at: 'TIMESTAMPTZ', rule: 'VARCHAR',"
          + " flags: 'VARCHAR[]', reason: 'VARCHAR', supersedes: 'VARCHAR',"
          + " evidence_file: 'VARCHAR', evidence_position: 'BIGINT'}";
  private static final String EFFECTS_COLUMNS =
      "{source: 'VARCHAR', source_event_id: 'VARCHAR', key: 'VARCHAR', effect_type: 'VARCHAR',"
          + " consumer: 'VARCHAR', effect_key: 'VARCHAR', outbox_id: 'VARCHAR',"
          + " status: 'VARCHAR', acks: 'BIGINT', outcome: 'VARCHAR', repeats: 'BIGINT',"
          + " against: 'VARCHAR', first_acked_at: 'TIMESTAMPTZ', last_acked_at: 'TIMESTAMPTZ',"
          + " row_file: 'VARCHAR', row_position: 'BIGINT', ack_file: 'VARCHAR',"
          + " ack_position: 'BIGINT'}";

  private final Connection duckdb;

  /**
   * Opens it.
   *
   * @param scratch takes what does not fit into memory
   */
  Comparison(Path scratch) throws SQLException {
    duckdb = DriverManager.getConnection("jdbc:duckdb:");
    execute("SET TimeZone = 'UTC'");
    execute("SET temp_directory = '" + quoted(scratch.toString()) + "'");
  }

  /** The tables of one side, by name: what stands behind FROM. */
  record Side(String name, Map<String, String> tables) {

    /** Those of a run of Constat. */
    static Side ofRun(Path run) {
      Map<String, String> tables = new LinkedHashMap<>();
      for (String table : List.of("decisions", "effects", "quarantine")) {
        tables.put(table, parquet(run.resolve(table + "/*.parquet")));
      }
      tables.put("projections", parquet(run.resolve("projections/*/*/*.parquet")));
      tables.put("findings", findings(run.resolve("findings.jsonl")));
      tables.put(
          "order",
          """
          (SELECT sum((e ->> '$.delivered')::BIGINT)::BIGINT AS delivered,
            sum(list_sum(map_values((e -> '$.overtakings')::MAP(VARCHAR, BIGINT))))::BIGINT
              AS overtakings
          FROM (SELECT unnest((content::JSON -> '$.order.effects')::JSON[]) AS e
            FROM read_text('%s')))
          """
              .formatted(quoted(run.resolve("summary.json").toString())));
      return new Side("Constat", tables);
    }

    /** Those that the SQL writes. */
    static Side ofPeer(String name, Path out) {
      Map<String, String> tables = new LinkedHashMap<>();
      for (String table : List.of("decisions", "effects", "quarantine", "projections", "order")) {
        tables.put(table, parquet(out.resolve(table + ".parquet")));
      }
      tables.put("findings", findings(out.resolve("findings.jsonl")));
      return new Side(name, tables);
    }

    /** Those that the program in plain Beam writes, as lines of JSON. */
    static Side ofCoGroupByKey(Path out) {
      Map<String, String> tables = new LinkedHashMap<>();
      tables.put("decisions", lines(out.resolve("decisions/*.jsonl"), DECISIONS_COLUMNS));
      tables.put("effects", lines(out.resolve("effects/*.jsonl"), EFFECTS_COLUMNS));
      tables.put(
          "findings",
          lines(
              out.resolve("findings/*.jsonl"),
              "{kind: 'VARCHAR', subject: 'JSON', occurrences: 'BIGINT'}"));
      return new Side("CoGroupByKey", tables);
    }

    private static String parquet(Path files) {
      return "read_parquet('%s', hive_partitioning = false)".formatted(quoted(files.toString()));
    }

    private static String findings(Path file) {
      return lines(file, FINDINGS_COLUMNS);
    }

    private static String lines(Path files, String columns) {
      return "read_json('%s', format = 'newline_delimited', columns = %s)"
          .formatted(quoted(files.toString()), columns);
    }
  }

  /**
   * Compares two sides.
   *
   * @return what was compared: per table, columns and rows
   * @throws MismatchException with the first rows that only one side has
   */
  List<Compared> require(Side left, Side right) throws SQLException {
    List<Compared> compared = new ArrayList<>();
    for (Map.Entry<String, String> table : right.tables().entrySet()) {
      compared.add(table(table.getKey(), left, right));
    }
    return compared;
  }

  /**
   * A table that both sides have alike.
   *
   * @param table its name
   * @param columns how many columns were compared
   * @param rows how many rows each side has
   */
  record Compared(String table, int columns, long rows) {}

  private Compared table(String table, Side left, Side right) throws SQLException {
    Map<String, String> types = columns(left.tables().get(table));
    Map<String, String> others = columns(right.tables().get(table));
    types.keySet().retainAll(others.keySet());
    List<String> columns = new ArrayList<>();
    types.forEach((column, type) -> columns.add(comparable(column, type, others.get(column))));
    String select = "SELECT " + String.join(", ", columns) + " FROM ";
    String leftRows = select + left.tables().get(table);
    String rightRows = select + right.tables().get(table);
    long leftCount = count(leftRows);
    long rightCount = count(rightRows);
    List<String> missing = lines(leftRows, rightRows);
    // Of as many rows, none can be surplus where none is missing.
    if (leftCount != rightCount || !missing.isEmpty()) {
      throw new MismatchException(
          "%s differ: %s has %s rows and %s has %s.\nOnly in %s (%s):\n%s\nOnly in %s:\n%s"
              .formatted(
                  table,
                  left.name(),
                  leftCount,
                  right.name(),
                  rightCount,
                  left.name(),
                  String.join(", ", types.keySet()),
                  String.join("\n", missing),
                  right.name(),
                  String.join("\n", lines(rightRows, leftRows))));
    }
    return new Compared(table, columns.size(), leftCount);
  }

  /** Times of one resolution may be held in several types; lists and objects compare as text. */
  private static String comparable(String column, String type, String other) {
    String name = "\"" + column + "\"";
    if (type.startsWith("TIMESTAMP") || other.startsWith("TIMESTAMP")) {
      return "epoch_us(" + name + "::TIMESTAMPTZ) AS " + name;
    }
    return type.equals(other) && !type.equals("JSON") ? name : name + "::VARCHAR AS " + name;
  }

  private Map<String, String> columns(String relation) throws SQLException {
    try (Statement sql = duckdb.createStatement();
        ResultSet described = sql.executeQuery("DESCRIBE SELECT * FROM " + relation)) {
      Map<String, String> types = new LinkedHashMap<>();
      while (described.next()) {
        types.put(described.getString(1), described.getString(2));
      }
      return types;
    }
  }

  private long count(String rows) throws SQLException {
    try (Statement sql = duckdb.createStatement();
        ResultSet result = sql.executeQuery("SELECT count(*) FROM (" + rows + ")")) {
      result.next();
      return result.getLong(1);
    }
  }

  private List<String> lines(String rows, String without) throws SQLException {
    try (Statement sql = duckdb.createStatement();
        ResultSet result =
            sql.executeQuery(
                "SELECT * FROM ((%s) EXCEPT ALL (%s)) ORDER BY ALL LIMIT %s"
                    .formatted(rows, without, SHOWN))) {
      List<String> lines = new ArrayList<>();
      while (result.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          values.add(result.getString(i));
        }
        lines.add("  " + values);
      }
      return lines;
    }
  }

  /** What DuckDB says of itself. */
  String version() throws SQLException {
    return duckdb.getMetaData().getDatabaseProductVersion();
  }

  /** The number of rows of Parquet files, out of their footers. */
  long rows(Path files) throws SQLException {
    return count("SELECT 1 FROM " + Side.parquet(files));
  }

  private void execute(String statement) throws SQLException {
    try (Statement sql = duckdb.createStatement()) {
      sql.execute(statement);
    }
  }

  private static String quoted(String text) {
    return text.replace("'", "''");
  }

  @Override
  public void close() throws SQLException {
    duckdb.close();
  }

  /** Two sides do not hold the same rows. */
  static final class MismatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MismatchException(String message) {
      super(message);
    }
  }
}
