package dev.constat.pipelines.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.pipelines.cli.Main;
import java.io.ByteArrayInputStream;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/**
 * Tables of real databases: what is read from them is what the same rows in files are, whatever
 * breaks is told, and nothing is made of a part for the whole.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TablesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> INPUTS =
      List.of("events", "outbox", "acknowledgements", "decisions", "projections", "replays");

  /** What each column of the six inputs is in a typical table. */
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("source_sequence", "number"),
          Map.entry("attempts", "number"),
          Map.entry("priority", "number"),
          Map.entry("applied", "flag"),
          Map.entry("effects_authorised", "flag"),
          Map.entry("occurred_at", "time"),
          Map.entry("received_at", "time"),
          Map.entry("supersedes_occurred_at", "time"),
          Map.entry("created_at", "time"),
          Map.entry("visible_at", "time"),
          Map.entry("claimed_at", "time"),
          Map.entry("lease_until", "time"),
          Map.entry("dispatched_at", "time"),
          Map.entry("dlq_at", "time"),
          Map.entry("acked_at", "time"),
          Map.entry("decided_at", "time"),
          Map.entry("window_start", "time"),
          Map.entry("window_end", "time"),
          Map.entry("computed_at", "time"),
          Map.entry("started_at", "time"),
          Map.entry("from", "time"),
          Map.entry("to", "time"));

  private static final Map<String, String> POSTGRES =
      Map.of("number", "bigint", "flag", "boolean", "time", "timestamptz", "text", "text");
  private static final Map<String, String> CLICKHOUSE =
      Map.of(
          "number", "Nullable(UInt64)",
          "flag", "Nullable(Bool)",
          "time", "Nullable(DateTime64(6, 'Asia/Tokyo'))",
          "text", "Nullable(String)");

  private enum Store {
    POSTGRES,
    CLICKHOUSE
  }

  @TempDir private static Path folder;
  private Path archive;
  private Postgres postgres;
  private ClickHouse clickhouse;
  private Path fromFiles;
  private int specs;

  @BeforeAll
  void fillTables() throws Exception {
    postgres = Postgres.start(folder.resolve("postgres"));
    clickhouse = ClickHouse.start(folder.resolve("clickhouse"));
    archive = folder.resolve("archive");
    assertThat(run("generate", "--events", 2000, "--format", "json", "--out", archive).exitCode())
        .isZero();
    Files.writeString(archive.resolve("stray.jsonl"), ""); // unreadable in its own way
    for (String input : INPUTS) {
      fill(input);
    }
    Answer answer = reconcile("files", spec(input -> null));
    assertThat(answer.exitCode()).as(answer.err).isEqualTo(1);
    fromFiles = answer.run();
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable service : new AutoCloseable[] {postgres, clickhouse}) {
      if (service != null) {
        service.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Store.class)
  void tablesGiveWhatFilesGive(Store store) throws Exception {
    Answer answer = reconcile("tables-" + store, spec(input -> table(store, input)));

    assertThat(answer.exitCode()).as(answer.err).isEqualTo(1);
    assertThat(findings(answer.run())).isEqualTo(findings(fromFiles)).hasSizeGreaterThan(50);
    assertThat(decisions(answer.run())).isEqualTo(decisions(fromFiles)).hasSizeGreaterThan(1900);
    assertThat(summary(answer.run())).isEqualTo(summary(fromFiles));
    for (JsonNode finding : lines(answer.run())) {
      for (JsonNode evidence : finding.get("evidence")) {
        assertThat(evidence.get("table").asText()).isIn(INPUTS);
        assertThat(evidence.get("key").asText()).isNotEmpty();
      }
    }
    assertThat(TestFiles.below(answer.run())).noneMatch(name -> name.contains("extract"));
  }

  @ParameterizedTest
  @EnumSource(Store.class)
  void aTableReadTwiceIsTheSameRun(Store store) throws Exception {
    Path spec = spec(input -> table(store, input));

    Answer once = reconcile("once-" + store, spec);
    Answer again = reconcile("again-" + store, spec);

    assertThat(again.run().getFileName()).isEqualTo(once.run().getFileName());
    assertThat(TestFiles.digests(again.run())).isEqualTo(TestFiles.digests(once.run()));
  }

  @ParameterizedTest(name = "behind {1} rows: {0}")
  @CsvSource({
    "cut,700,broke off after",
    "tear,700,broke off after",
    "text,700,",
    "error,0,Memory limit exceeded",
    "cut,0,",
  })
  void anAnswerThatBreaksOffIsNoTable(String how, int rows, String message) throws Exception {
    Path spec = spec(input -> input.equals("outbox") ? table(Store.CLICKHOUSE, "outbox") : null);
    clickhouse.breakNext("ORDER BY", rows, how);

    Answer answer = reconcile("broken-" + how + rows, spec);

    assertThat(answer.exitCode()).as(answer.err).isEqualTo(3);
    assertThat(answer.err)
        .contains("constat: table outbox ")
        .contains(message == null ? "" : message);
    assertThat(answer.out).isEmpty();
    assertThat(folder.resolve("broken-" + how + rows).toFile().list())
        .as("nothing but the lock")
        .containsExactly(".constat-lock");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "POSTGRES   | nowhere    | table nowhere cannot be read | check jdbc and table",
        "CLICKHOUSE | nowhere    | table nowhere cannot be read | check jdbc and table",
        "POSTGRES   | dated      | column created_at of type date, which fixes no instant | a view",
        "CLICKHOUSE | dated      | column created_at of type Date, which fixes no instant | a view",
      })
  void aTableThatDoesNotServeIsNamed(Store store, String table, String problem, String remedy)
      throws Exception {
    if (table.equals("dated")) {
      if (store == Store.POSTGRES) {
        postgres.run("CREATE TABLE IF NOT EXISTS dated (outbox_id text, created_at date)");
      } else {
        clickhouse.run(
            "CREATE TABLE IF NOT EXISTS dated (outbox_id String, created_at Date)"
                + " ENGINE = MergeTree ORDER BY outbox_id");
      }
    }

    Answer answer =
        reconcile(
            "refused-" + store + table,
            spec(input -> input.equals("outbox") ? source(store) + ", table: " + table : null));

    assertThat(answer.exitCode()).as(answer.err).isEqualTo(3);
    assertThat(answer.err).contains(problem).contains(remedy);
    assertThat(folder.resolve("refused-" + store + table)).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource(Store.class)
  void rowsFromBeforeTheLookBackStayInTheDatabase(Store store) throws Exception {
    String lookBack = "look_back: PT1S\n";
    Object[] from = {"--from", "2026-01-04T00:00:20Z"};

    Path files = reconcile("from-files" + store, spec(input -> null, lookBack), from).run();
    Path tables =
        reconcile("from-" + store, spec(input -> table(store, input), lookBack), from).run();

    assertThat(findings(tables)).isEqualTo(findings(files)).isNotEmpty();
    assertThat(decisions(tables)).isEqualTo(decisions(files)).isNotEmpty();
    JsonNode read = JSON.readTree(tables.resolve("summary.json").toFile()).at("/inputs/0/rows");
    JsonNode all = JSON.readTree(files.resolve("summary.json").toFile()).at("/inputs/0/rows");
    assertThat(read.asInt()).isBetween(100, all.asInt() - 500);
  }

  @ParameterizedTest
  @EnumSource(Store.class)
  void keysOfRowsAreRedactedAsEverythingElse(Store store) throws Exception {
    Path run =
        reconcile(
                "redacted-" + store,
                spec(input -> table(store, input)),
                "--redact",
                "CONSTAT_TEST_PASSWORD_OF_HASHES")
            .run();

    assertThat(lines(run)).isNotEmpty();
    for (JsonNode finding : lines(run)) {
      for (JsonNode evidence : finding.get("evidence")) {
        assertThat(evidence.get("key").asText()).startsWith("r:");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Store.class)
  void aRunIsVerifiedUntilItsTableChanges(Store store) throws Exception {
    String rows = " SELECT * FROM outbox";
    String table = "verified";
    if (store == Store.POSTGRES) {
      postgres.run("CREATE TABLE verified AS" + rows);
    } else {
      clickhouse.run("CREATE TABLE verified ENGINE = MergeTree ORDER BY tuple() AS" + rows);
    }
    Path run =
        reconcile(
                "verified-" + store,
                spec(input -> input.equals("outbox") ? source(store) + ", table: " + table : null))
            .run();

    Answer same = run("verify", run, "--runner", "direct");
    String more = "INSERT INTO verified SELECT * FROM outbox LIMIT 1";
    if (store == Store.POSTGRES) {
      postgres.run(more);
    } else {
      clickhouse.run(more);
    }
    Answer other = run("verify", run, "--runner", "direct");

    assertThat(same.exitCode()).as(same.out + same.err).isZero();
    assertThat(other.exitCode()).as(other.out + other.err).isEqualTo(3);
    assertThat(other.out).contains("outbox: table verified has changed since the run was made");
  }

  @Test
  void whereNarrowsATable() throws Exception {
    Path run =
        reconcile(
                "where",
                spec(
                    input ->
                        input.equals("events")
                            ? table(Store.POSTGRES, "events") + ", where: \"source = 'src-1'\""
                            : null))
            .run();

    assertThat(decisions(run)).isNotEmpty().allMatch(row -> row.contains("\"source\":\"src-1\""));
  }

  @Test
  void twoMillionRowsAreReadByTwoPartsInASmallHeap() throws Exception {
    clickhouse.run(
        "CREATE TABLE big (outbox_id String, source String, source_event_id String, effect_type"
            + " String, aggregate_id String, status String, attempts UInt32, created_at"
            + " DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY outbox_id");
    clickhouse.run(
        "INSERT INTO big SELECT lower(hex(sipHash128(number))), 'src', toString(number), 'notify',"
            + " toString(number % 1000), 'DISPATCHED', 1, toDateTime64('2026-01-05 10:00:00', 6,"
            + " 'UTC') + number / 1000 FROM numbers(2000000)");
    Path extracts = Files.createDirectories(folder.resolve("big"));

    Process reader =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                BigTableReader.class.getName(),
                clickhouse.jdbc(),
                "big",
                extracts.toString())
            .redirectErrorStream(true)
            .redirectOutput(extracts.resolve("said").toFile())
            .start();

    assertThat(reader.waitFor()).as(Files.readString(extracts.resolve("said"))).isZero();
    long rows = 0;
    for (int part = 0; part < 2; part++) {
      try (Stream<String> lines =
          Files.lines(extracts.resolve(".extracts/outbox-" + part + ".jsonl"))) {
        long count = lines.count();
        assertThat(count).as("rows of part " + part).isBetween(990_000L, 1_010_000L);
        rows += count;
      }
    }
    assertThat(rows).isEqualTo(2_000_000);
    assertThat(extracts.resolve(".extracts/outbox-2.jsonl")).doesNotExist();
  }

  @Test
  void aWrongPasswordIsToldWithoutTheRightOne() throws Exception {
    String source =
        "jdbc: '%s', user_env: CONSTAT_TEST_USER, password_env: CONSTAT_TEST_WRONG"
            .formatted(postgres.jdbc());

    Answer answer =
        reconcile(
            "locked", spec(input -> input.equals("outbox") ? source + ", table: outbox" : null));

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err)
        .contains("table outbox cannot be read")
        .contains("check the variables that user_env and password_env name")
        .doesNotContain(System.getenv("CONSTAT_TEST_WRONG"));
  }

  @Test
  void credentialsThatAreMissingAreFoundFirst() throws Exception {
    String source = "jdbc: '%s', password_env: CONSTAT_TEST_UNSET".formatted(postgres.jdbc());

    Answer answer =
        reconcile(
            "unset", spec(input -> input.equals("outbox") ? source + ", table: outbox" : null));

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err).contains("the environment variable CONSTAT_TEST_UNSET is not set");
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws Exception {
    String source = "jdbc: 'jdbc:postgresql://127.0.0.1:1/nowhere'";

    Answer answer =
        reconcile(
            "absent", spec(input -> input.equals("outbox") ? source + ", table: outbox" : null));

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err)
        .contains("table outbox cannot be read")
        .contains("see that the database is there");
  }

  @ParameterizedTest
  @EnumSource(Store.class)
  void valuesStayWhatTheyAre(Store store) throws Exception {
    if (store == Store.POSTGRES) {
      postgres.run(
          "CREATE TABLE odd (id text, n numeric, u text, d double precision, t timestamptz,"
              + " l timestamp, b bytea, j jsonb, k json, f boolean, e text);"
              + "INSERT INTO odd VALUES ('a', 18446744073709551615, NULL, 'NaN',"
              + " '1969-12-31 23:59:59.999999Z', '2026-01-05 10:00:00', 'é', '{\"b\": 1, \"a\": 2}',"
              + " '{\"b\": 1}', true, ''), ('b', 0.10, '\"\n', 1e20, 'infinity', 'infinity',"
              + " decode('ff22c3', 'hex'), NULL, NULL, NULL, NULL)");
    } else {
      clickhouse.run(
          "CREATE TABLE odd (id String, n Nullable(Decimal(38, 2)), u LowCardinality(Nullable("
              + "String)), d Float64, t DateTime64(9), l Nullable(UInt64), b String, j Map(String,"
              + " UInt64), k Array(UInt64), f Nullable(Bool), e Nullable(FixedString(4)))"
              + " ENGINE = MergeTree ORDER BY id");
      clickhouse.run(
          "INSERT INTO odd VALUES ('a', 1.5, NULL, nan, '1969-12-31 23:59:59.999999999',"
              + " 18446744073709551615, 'é', {'a': 9007199254740993}, [18446744073709551615], true,"
              + " ''), ('b', NULL, '\"\\n', 1e20, '2262-04-11 00:00:00', NULL, unhex('FF22C3'), {},"
              + " [], NULL, 'ab')");
    }

    assertThat(extract(store, "odd"))
        .isEqualTo(
            store == Store.POSTGRES
                ? """
                {"id":"a","n":18446744073709551615,"u":null,"d":"NaN","t":"1969-12-31T23:59:59.999999Z","l":"2026-01-05T10:00","b":"é","j":{"a": 2, "b": 1},"k":"{\\"b\\": 1}","f":true,"e":""}
                {"id":"b","n":0.10,"u":"\\"\\n","d":1e+20,"t":"infinity","l":"infinity","b":"<FF>\\u0022<C3>","j":null,"k":null,"f":null,"e":null}
                """
                : """
                {"id":"a","n":1.5,"u":null,"d":"nan","t":"1969-12-31T23:59:59.999999999Z","l":18446744073709551615,"b":"é","j":{"a":9007199254740993},"k":[18446744073709551615],"f":true,"e":""}
                {"id":"b","n":null,"u":"\\"\\n","d":100000000000000000000,"t":"2262-04-11T00:00:00Z","l":null,"b":"<FF>\\u0022<C3>","j":{},"k":[],"f":null,"e":"ab"}
                """);
  }

  // Reading

  private String extract(Store store, String table) throws IOException {
    dev.constat.rules.spec.TableSource source =
        new dev.constat.rules.spec.TableSource(
            store == Store.POSTGRES ? postgres.jdbc() : clickhouse.jdbc(),
            table,
            store == Store.POSTGRES ? "USER" : null,
            store == Store.POSTGRES ? "PASSWORD" : null,
            null);
    Connections.Environment environment =
        name -> name.equals("USER") ? Postgres.USER : Postgres.PASSWORD;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new TableReader(Parts.whole(source, environment), environment).writeTo(out);
    StringBuilder text = new StringBuilder();
    for (byte b : out.toByteArray()) {
      if (b == (byte) 0xFF || b == (byte) 0xC3 && text.toString().endsWith("\\u0022")) {
        text.append('<').append(Integer.toHexString(b & 0xFF).toUpperCase(java.util.Locale.ROOT));
        text.append('>');
      } else {
        text.append((char) (b & 0xFF));
      }
    }
    return new String(
        text.toString().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), UTF_8);
  }

  private static List<JsonNode> lines(Path run) throws IOException {
    List<JsonNode> findings = new ArrayList<>();
    for (String line : Files.readAllLines(run.resolve("findings.jsonl"))) {
      JsonNode finding = JSON.readTree(line);
      if (!finding.get("kind").asText().startsWith("INPUT_")) {
        findings.add(finding);
      }
    }
    return findings;
  }

  private static List<String> findings(Path run) throws IOException {
    List<String> findings = new ArrayList<>();
    for (JsonNode finding : lines(run)) {
      ((ObjectNode) finding).remove("evidence");
      findings.add(finding.toString());
    }
    return findings;
  }

  private static JsonNode summary(Path run) throws IOException {
    ObjectNode summary = (ObjectNode) JSON.readTree(run.resolve("summary.json").toFile());
    ((ObjectNode) summary.get("findings")).remove("INPUT_NOTE");
    summary.remove("external_effects"); // which says that tables were asked
    return summary;
  }

  private static List<String> decisions(Path run) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT to_json(d)::text FROM (SELECT * EXCLUDE (evidence_file, evidence_position)"
                    + " FROM '"
                    + run
                    + "/decisions/*.parquet') d ORDER BY ALL")) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  // Running

  private record Answer(int exitCode, String out, String err, Path runs) {

    Path run() {
      String[] names = runs.toFile().list((folder, name) -> !name.startsWith("."));
      assertThat(names).as(err).hasSize(1);
      return runs.resolve(names[0]);
    }
  }

  private static Answer run(Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] texts = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    int exitCode =
        Main.run(
            texts,
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            variable ->
                variable.equals("CONSTAT_TEST_PASSWORD_OF_HASHES")
                    ? "0123456789abcdef0123456789abcdef"
                    : System.getenv(variable));
    return new Answer(exitCode, out.toString(UTF_8), err.toString(UTF_8), null);
  }

  private Answer reconcile(String name, Path spec, Object... more) {
    Path out = folder.resolve(name);
    List<Object> arguments = new ArrayList<>(List.of("reconcile", spec, "--out", out));
    arguments.addAll(List.of("--runner", "direct"));
    arguments.addAll(List.of(more));
    Answer answer = run(arguments.toArray());
    return new Answer(answer.exitCode, answer.out, answer.err, out);
  }

  // Filling

  private void fill(String input) throws Exception {
    String files = input.equals("acknowledgements") ? "acks" : input;
    Path file = archive.resolve(files + "-00000-of-00001.jsonl");
    List<String> columns = columns(file);
    String named = columns.stream().map(c -> c + " " + type(c)).toList().toString();
    postgres.run(create("\"", input, columns, POSTGRES, ""));
    clickhouse.run(create("`", input, columns, CLICKHOUSE, " ENGINE = MergeTree ORDER BY tuple()"));
    assertThat(named).isNotEmpty();
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE raw (line jsonb)");
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(
              "COPY raw FROM STDIN WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')",
              new ByteArrayInputStream(Files.readAllBytes(file)));
      statement.execute(
          "INSERT INTO "
              + input
              + " SELECT "
              + String.join(
                  ", ",
                  columns.stream()
                      .map(c -> "(line->>'%s')::%s".formatted(c, POSTGRES.get(type(c))))
                      .toList())
              + " FROM raw");
    }
    clickhouse.run(
        "INSERT INTO %s SELECT * FROM file('%s', JSONEachRow, '%s') SETTINGS date_time_input_format = 'best_effort'"
            .formatted(
                input,
                file.toAbsolutePath(),
                String.join(
                        ", ",
                        columns.stream()
                            .map(c -> "`" + c + "` " + CLICKHOUSE.get(type(c)))
                            .toList())
                    .replace("'", "\\'")));
  }

  private static List<String> columns(Path file) throws IOException {
    TreeMap<String, Boolean> columns = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      JSON.readTree(line).fieldNames().forEachRemaining(name -> columns.put(name, true));
    }
    return List.copyOf(columns.keySet());
  }

  private static String type(String column) {
    return TYPES.getOrDefault(column, "text");
  }

  private static String create(
      String quote, String table, List<String> columns, Map<String, String> types, String engine) {
    return "CREATE TABLE "
        + table
        + " ("
        + String.join(
            ", ", columns.stream().map(c -> quote + c + quote + " " + types.get(type(c))).toList())
        + ")"
        + engine;
  }

  // Run specs

  /** Where an input lies instead of in files, or null. */
  @FunctionalInterface
  private interface Where {

    String of(String input);
  }

  private String source(Store store) {
    return store == Store.POSTGRES
        ? "jdbc: '%s', user_env: CONSTAT_TEST_USER, password_env: CONSTAT_TEST_PASSWORD"
            .formatted(postgres.jdbc())
        : "jdbc: '%s'".formatted(clickhouse.jdbc());
  }

  private String table(Store store, String input) {
    return source(store) + ", table: " + input;
  }

  private Path spec(Where where) throws IOException {
    return spec(where, "");
  }

  private Path spec(Where where, String more) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(archive.resolve("constat.yaml"))) {
      String trimmed = line.strip();
      String input = trimmed.contains(":") ? trimmed.substring(0, trimmed.indexOf(':')) : "";
      String source =
          line.startsWith("  ") && INPUTS.contains(input) && trimmed.contains("{files:")
              ? where.of(input)
              : null;
      text.append(
              source == null
                  ? line
                  : line.replaceFirst(
                      "files: (\\[[^]]*\\]|\"[^\"]*\")",
                      java.util.regex.Matcher.quoteReplacement(source)))
          .append('\n');
    }
    text.append("layout: {buckets: 4}\n").append(more);
    Path spec = archive.resolve("spec-" + specs++ + ".yaml");
    return Files.writeString(spec, text);
  }
}
