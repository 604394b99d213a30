package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.pipelines.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
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
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The archives of {@code test-data}, each on both runners: the register of receptions with what
 * time makes of each, what was put into quarantine, the cells of every version of every projection,
 * the effects and the reasons are exactly those that were worked out by hand, and the run leaves
 * nothing but its own files.
 */
final class ScenariosTest {

  private static final Path TEST_DATA = Path.of("..", "test-data");
  private static final String QUICKSTART = "quickstart";

  private static final String REGISTER =
      """
      SELECT json_object(
          'ingestion_id', ingestion_id, 'decision', decision, 'timeliness', timeliness,
          'watermark', iso(watermark), 'budget', budget, 'budget_version', budget_version,
          'in_history', in_history, 'moves_current', moves_current,
          'windows', list_transform(windows, w -> concat_ws(
              ' ', w.projection, w.version, iso(w.window_start), w.outcome)),
          'against', against, 'flags', flags)
      FROM read_parquet('%s/decisions/*.parquet')
      """;
  private static final String TIMES =
      """
      CREATE MACRO iso(t) AS
          replace(strftime(make_timestamp(epoch_us(t)), '%Y-%m-%dT%H:%M:%S.%gZ'), '.000Z', 'Z')
      """;
  private static final String CELLS =
      """
      SELECT to_json(cell)
      FROM (
        SELECT
            parse_path(filename)[-3] AS projection,
            split_part(parse_path(filename)[-2], '=', 2) AS "version",
            * EXCLUDE (filename)
                REPLACE (iso(window_start) AS window_start, iso(window_end) AS window_end)
        FROM read_parquet('%s/*.parquet', hive_partitioning = false, filename = true)) cell
      """;
  private static final String QUARANTINE =
      """
      SELECT json_object('ingestion_id', ingestion_id, 'side', side)
      FROM read_parquet('%s/quarantine/*.parquet')
      """;
  private static final String EFFECTS =
      """
      SELECT json_object(
          'source', source, 'source_event_id', source_event_id, 'effect_type', effect_type,
          'consumer', consumer, 'effect_key', effect_key, 'outbox_id', outbox_id,
          'status', status, 'acks', acks, 'outcome', outcome, 'repeats', repeats)
      FROM read_parquet('%s/effects/*.parquet')
      """;
  private static final String DECISION_REASONS =
      """
      SELECT json_object('ingestion_id', ingestion_id, 'decision', decision, 'reason', reason)
      FROM read_parquet('%s/decisions/*.parquet')
      """;
  private static final String FINDINGS =
      """
      SELECT json_object(
          'kind', json->'$.kind', 'level', json->'$.level', 'subject', json->'$.subject',
          'reason', json->'$.reason', 'hints', json->'$.hints',
          'occurrences', json->'$.occurrences')
      FROM read_ndjson_objects('%s/findings.jsonl')
      """;
  private static final String VERDICT =
      "SELECT content::JSON->>'$.verdict' FROM read_text('%s/summary.json')";
  private static final String FILES =
      """
      SELECT f.value->>'$.file'
      FROM read_text('%s/run.json'), json_each(content::JSON->'$.files') f
      """;

  @TempDir private Path out;

  static Stream<Arguments> scenariosOnBothRunners() throws IOException {
    try (Stream<Path> folders = Files.list(TEST_DATA)) {
      return folders
          .filter(folder -> Files.isDirectory(folder.resolve("expected")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .flatMap(name -> Stream.of(Arguments.of(name, "direct"), Arguments.of(name, "embedded")))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("scenariosOnBothRunners")
  void everySideIsAsWorkedOutByHand(String scenario, String runner) throws Exception {
    Path expected = TEST_DATA.resolve(scenario).resolve("expected");
    Map<String, String> before = files(TEST_DATA.resolve(scenario));

    Run run = reconcile(scenario, runner);

    SoftAssertions sides = new SoftAssertions();
    sides
        .assertThat(difference(lines(expected, "register.jsonl"), run.lines(REGISTER)))
        .as("raw register")
        .isEmpty();
    sides
        .assertThat(difference(lines(expected, "quarantine.jsonl"), run.lines(QUARANTINE)))
        .as("quarantine")
        .isEmpty();
    sides
        .assertThat(difference(lines(expected, "projection.jsonl"), run.cells()))
        .as("projection")
        .isEmpty();
    sides
        .assertThat(difference(lines(expected, "effects.jsonl"), run.lines(EFFECTS)))
        .as("effects")
        .isEmpty();
    List<String> reasons = new ArrayList<>(run.lines(DECISION_REASONS));
    reasons.addAll(run.lines(FINDINGS));
    sides.assertThat(difference(lines(expected, "reasons.jsonl"), reasons)).as("reasons").isEmpty();
    sides
        .assertThat(difference(lines(expected, "verdict.json"), List.of(run.verdict())))
        .as("verdict")
        .isEmpty();
    sides
        .assertThat(files(TEST_DATA.resolve(scenario)))
        .as("the archive, which a run only reads")
        .isEqualTo(before);
    sides.assertThat(run.unlistedFiles()).as("files that are no part of the run").isEmpty();
    sides.assertAll();
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "embedded"})
  void quickstartTellsWhatWasPlanted(String runner) throws Exception {
    Run run = reconcile(QUICKSTART, runner);
    Path planted = TEST_DATA.resolve(QUICKSTART).resolve("planted.json");

    SoftAssertions sides = new SoftAssertions();
    sides
        .assertThat(difference(query(PLANTED_VERDICT, planted), List.of(run.verdict())))
        .as("verdict")
        .isEmpty();
    sides
        .assertThat(difference(query(PLANTED_DECISIONS, planted), run.lines(DECISION_COUNTS)))
        .as("receptions per decision")
        .isEmpty();
    sides
        .assertThat(difference(query(PLANTED_TIMELINESS, planted), run.lines(TIMELINESS)))
        .as("events per timeliness")
        .isEmpty();
    sides
        .assertThat(difference(query(PLANTED_SILENT, planted), run.lines(SILENT)))
        .as("what is too young or too old to be spoken of")
        .isEmpty();
    sides
        .assertThat(difference(query(PLANTED_COUNTS, planted), run.lines(FINDING_COUNTS)))
        .as("findings per kind")
        .isEmpty();
    sides
        .assertThat(difference(query(PLANTED_SUBJECTS, planted), run.lines(SUBJECTS)))
        .as("subjects")
        .isEmpty();
    sides
        .assertThat(run.lines(HINTS))
        .as("why")
        .containsAll(query(PLANTED_HINTS, planted))
        .contains("mend-risk-1 was restarted 1 times");
    sides.assertThat(run.unlistedFiles()).as("files that are no part of the run").isEmpty();
    sides.assertAll();
  }

  private static final String PLANTED_VERDICT =
      """
      SELECT json_object('verdict', j->'$.verdict', 'exit_code', j->'$.exit_code')
      FROM (SELECT content::JSON AS j FROM read_text('%s'))
      """;
  private static final String PLANTED_DECISIONS =
      """
      SELECT d.key || ' ' || d.value
      FROM read_text('%s'), json_each(content::JSON->'$.decisions') d
      """;
  private static final String DECISION_COUNTS =
      """
      SELECT decision || ' ' || count(*)
      FROM read_parquet('%s/decisions/*.parquet') GROUP BY decision
      """;
  private static final String PLANTED_TIMELINESS =
      """
      SELECT t.key || ' ' || t.value
      FROM read_text('%s'), json_each(content::JSON->'$.timeliness') t
      """;
  private static final String TIMELINESS =
      """
      SELECT timeliness || ' ' || count(*)
      FROM read_parquet('%s/decisions/*.parquet')
      WHERE timeliness IS NOT NULL GROUP BY timeliness
      """;
  private static final String PLANTED_SILENT =
      """
      SELECT s.key || ' ' || s.value
      FROM read_text('%s'), json_each(content::JSON->'$.silent') s
      """;
  private static final String SILENT =
      """
      SELECT s.key || ' ' || s.value
      FROM read_text('%s/summary.json'), json_each(content::JSON->'$.silent') s
      """;
  private static final String PLANTED_COUNTS =
      """
      SELECT k.key || ' ' || (k.value->>'$.findings')
      FROM read_text('%s'), json_each(content::JSON->'$.findings') k
      """;
  private static final String FINDING_COUNTS =
      """
      SELECT (json->>'$.kind') || ' ' || count(*)
      FROM read_ndjson_objects('%s/findings.jsonl') GROUP BY json->>'$.kind'
      """;
  private static final String PLANTED_SUBJECTS =
      """
      SELECT k.key || ' ' || json(f.value->'$.subject') || ' x ' || (f.value->>'$.occurrences')
      FROM read_text('%s'), json_each(content::JSON->'$.findings') k, json_each(k.value->'$.of') f
      """;
  private static final String SUBJECTS =
      """
      SELECT (json->>'$.kind') || ' ' || json(json->'$.subject') || ' x '
          || (json->>'$.occurrences')
      FROM read_ndjson_objects('%s/findings.jsonl')
      """;

  private static final String PLANTED_HINTS =
      """
      SELECT k.key || ' ' || json(f.value->'$.subject') || ' ' || (f.value->>'$.hint')
      FROM read_text('%s'), json_each(content::JSON->'$.findings') k, json_each(k.value->'$.of') f
      WHERE (f.value->>'$.hint') IS NOT NULL
      """;
  private static final String HINTS =
      """
      SELECT (json->>'$.kind') || ' ' || json(json->'$.subject') || ' '
          || unnest(json->>'$.hints[*]')
      FROM read_ndjson_objects('%1$s/findings.jsonl')
      UNION ALL
      SELECT (r.value->>'$.replay_id') || ' was restarted ' || (r.value->>'$.restarts') || ' times'
      FROM read_text('%1$s/summary.json'), json_each(content::JSON->'$.replays') r
      """;

  /** What a run left. */
  private record Run(Path out, Path folder, int exitCode) {

    List<String> lines(String sql) throws SQLException {
      return query(sql, folder);
    }

    String verdict() throws SQLException {
      return "{\"verdict\":\"%s\",\"exit_code\":%s}"
          .formatted(String.join(", ", lines(VERDICT)), exitCode);
    }

    /** The cells of all versions, each of which has a folder of its own. */
    List<String> cells() throws IOException, SQLException {
      List<String> cells = new ArrayList<>();
      Path projections = folder.resolve("projections");
      if (Files.exists(projections)) {
        try (Stream<Path> names = Files.walk(projections, 2)) {
          for (Path version : names.filter(f -> f.toString().contains("version=")).toList()) {
            cells.addAll(query(CELLS, version));
          }
        }
      }
      return cells;
    }

    List<String> unlistedFiles() throws IOException, SQLException {
      List<String> names = new ArrayList<>(files(out).keySet());
      names.remove(".constat-lock");
      names.remove(folder.getFileName() + "/run.json");
      for (String listed : lines(FILES)) {
        names.remove(folder.getFileName() + "/" + listed);
      }
      return names;
    }
  }

  private Run reconcile(String scenario, String runner) {
    ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            new String[] {
              "reconcile",
              TEST_DATA.resolve(scenario).resolve("constat.yaml").toString(),
              "--out",
              out.toString(),
              "--run-id",
              "test",
              "--runner",
              runner
            },
            new PrintStream(stdout, true, UTF_8),
            new PrintStream(stderr, true, UTF_8));
    Path folder = out.resolve("test");
    assertThat(folder.resolve("run.json"))
        .as(
            "Exit code %s, stdout:%n%s%nstderr:%n%s",
            exitCode, stdout.toString(UTF_8), stderr.toString(UTF_8))
        .exists();
    return new Run(out, folder, exitCode);
  }

  private static List<String> lines(Path folder, String name) throws IOException {
    return Files.readAllLines(folder.resolve(name));
  }

  private static List<String> query(String sql, Path place) throws SQLException {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      statement.execute(TIMES);
      List<String> lines = new ArrayList<>();
      try (ResultSet result =
          statement.executeQuery(sql.formatted(place.toString().replace("'", "''")))) {
        while (result.next()) {
          lines.add(result.getString(1));
        }
      }
      return lines;
    }
  }

  /** Lines that are on one side only, as often as they are: "-" is missing, "+" too many. */
  private static String difference(List<String> expected, List<String> actual) {
    TreeMap<String, Integer> surplus = new TreeMap<>();
    expected.forEach(line -> surplus.merge(line, -1, Integer::sum));
    actual.forEach(line -> surplus.merge(line, 1, Integer::sum));
    StringBuilder difference = new StringBuilder();
    surplus.forEach(
        (line, count) ->
            difference.append(("\n" + (count < 0 ? "- " : "+ ") + line).repeat(Math.abs(count))));
    return difference.toString();
  }

  /** Every file below a folder by name, with what tells whether it was changed. */
  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(
            folder.relativize(file).toString().replace('\\', '/'),
            Files.size(file) + " bytes of " + Files.getLastModifiedTime(file));
      }
    }
    return files;
  }
}
