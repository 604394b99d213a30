package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds of whole runs over archives that chance made, with faults of every kind and lines that
 * cannot be read. {@code -Dconstat.seeds=N} tries more of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RandomArchivesTest {

  private static final int SEEDS = Integer.getInteger("constat.seeds", 1);
  private static final int EVENTS = 1_100;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final Map<String, String> INPUTS =
      new TreeMap<>(
          Map.of(
              "events", "events",
              "outbox", "outbox",
              "acks", "acknowledgements",
              "decisions", "decisions",
              "projections", "projections",
              "replays", "replays"));

  private Path folder;
  private final Map<Long, Path> archives = new HashMap<>();
  private final Map<Long, Path> runs = new HashMap<>();

  @BeforeAll
  void place(@TempDir Path shared) {
    folder = shared;
  }

  static LongStream seeds() {
    return LongStream.range(1, 1 + SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void booksBalance(long seed) throws Exception {
    JsonNode books = JSON.readTree(run(seed).resolve("summary.json").toFile()).path("books");

    assertThat(books.size()).isGreaterThan(15);
    assertThat(books).allSatisfy(book -> assertThat(book.path("residue").asLong(-1)).isZero());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anotherRunnerGivesTheSameBytes(long seed) throws Exception {
    Path other = run(archive(seed).resolve("constat.yaml"), "embedded", 3);

    assertThat(TestFolders.digests(other)).isEqualTo(TestFolders.digests(run(seed)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void orderAndFilesOfRecordsAreOnlyEvidence(long seed) throws Exception {
    Path moved = copy(archive(seed));
    Random random = new Random(seed);
    for (String input : INPUTS.keySet()) {
      List<String> lines = lines(moved, input);
      Files.delete(file(moved, input));
      Collections.shuffle(lines, random);
      int cut = random.nextInt(lines.size());
      Files.write(moved.resolve(input + "-z.jsonl"), lines.subList(0, cut));
      Path packed = Files.createDirectories(moved.resolve("more")).resolve(input + "-a.jsonl");
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
        out.write((String.join("\r\n", lines.subList(cut, lines.size())) + "\n").getBytes(UTF_8));
      }
      edit(moved, spec -> spec.replace("\"" + input + "-*", "\"**/" + input + "-*"));
    }

    assertSameFacts(seed, run(moved.resolve("constat.yaml"), "direct", 2), what -> true);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void parquetSaysWhatJsonLinesSay(long seed) throws Exception {
    Path parquet = generated(seed, "parquet", "standard");
    damage(parquet, archive(seed));

    assertSameFacts(
        seed, run(parquet.resolve("constat.yaml"), "direct", 2), what -> !what.contains("_NOTE"));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void namesOfColumnsAndConstantsChangeNothing(long seed) throws Exception {
    Path renamed = copy(archive(seed));
    int constants = 0;
    for (Map.Entry<String, String> input : INPUTS.entrySet()) {
      List<Path> files = new ArrayList<>(List.of(file(renamed, input.getKey())));
      if (input.getKey().equals("events")) {
        files.add(renamed.resolve("stray.jsonl"));
      }
      Renaming renaming = Renaming.of(files);
      for (Path path : files) {
        renaming.apply(path);
      }
      constants += renaming.constants.size();
      edit(
          renamed,
          spec ->
              spec.replace(
                  "  " + input.getValue() + ": {",
                  "  " + input.getValue() + ": {" + renaming.keys() + ", "));
    }
    assertThat(constants).isPositive();

    assertSameFacts(
        seed,
        run(renamed.resolve("constat.yaml"), "direct", 2),
        // Of a record that cannot be read, what is shown is its bytes.
        what -> !what.contains("_NOTE") && !what.contains("raw_base64"));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void bucketsOnlyCutFiles(long seed) throws Exception {
    Path other = copy(archive(seed));
    edit(other, spec -> spec.replace("buckets: 4", "buckets: 8"));

    assertSameFacts(seed, run(other.resolve("constat.yaml"), "direct", 2), what -> true);
  }

  /**
   * A copy of a file is more rows read and more ARCHIVE_COPY of its input, in the books, in the
   * count of rows and, of events, among the decisions; nothing else.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void aCopyOfAFileIsOnlyCounted(long seed) throws Exception {
    String input = List.copyOf(INPUTS.keySet()).get((int) (seed % INPUTS.size()));
    Path copied = copy(archive(seed));
    Files.copy(file(copied, input), copied.resolve(input + "-zz.jsonl"));
    Path after = run(copied.resolve("constat.yaml"), "direct", 2);

    Predicate<String> noCopy = what -> !what.contains("ARCHIVE_COPY");
    assertSameFacts(seed, after, noCopy);
    ObjectNode read = (ObjectNode) JSON.readTree(after.resolve("summary.json").toFile());
    ObjectNode before = (ObjectNode) JSON.readTree(run(seed).resolve("summary.json").toFile());
    int rows = lines(copied, input).size();
    assertThat(copies(read, INPUTS.get(input)) - copies(before, INPUTS.get(input))).isEqualTo(rows);
    for (ObjectNode summary : List.of(read, before)) {
      summary.path("inputs").forEach(node -> ((ObjectNode) node).remove("rows"));
      ((ObjectNode) summary.path("decisions")).remove("ARCHIVE_COPY");
      for (JsonNode book : summary.path("books")) {
        if (book.path("book").asText().equals(INPUTS.get(input) + " read")) {
          ((ObjectNode) book).remove("total");
          ((ObjectNode) book.path("lines")).remove("ARCHIVE_COPY");
        }
      }
    }
    assertThat(read).isEqualTo(before);
  }

  private static long copies(JsonNode summary, String input) {
    for (JsonNode book : summary.path("books")) {
      if (book.path("book").asText().equals(input + " read")) {
        return book.path("lines").path("ARCHIVE_COPY").asLong(-1);
      }
    }
    throw new AssertionError("There is no book of " + input);
  }

  /** One record less of events, outbox, acknowledgements and cells, and each is named. */
  @ParameterizedTest
  @MethodSource("seeds")
  void recordsThatAreTakenAwayAreNamed(long seed) throws Exception {
    Path clean = generated(seed, "json", "clean");
    Answer answer = reconcile(clean.resolve("constat.yaml"), newFolder(), "direct", 2);
    assertThat(answer.exitCode()).as("a clean history: " + answer.out() + answer.err()).isZero();

    Set<String> expected = Theft.of(clean, new Random(seed)).takeOneOfEach();
    Path out = newFolder();
    assertThat(reconcile(clean.resolve("constat.yaml"), out, "direct", 2).exitCode()).isEqualTo(1);
    Set<String> found = new TreeSet<>();
    for (String line : Files.readAllLines(TestFolders.onlyRun(out).resolve("findings.jsonl"))) {
      JsonNode finding = JSON.readTree(line);
      found.add(finding.path("kind").asText() + " " + finding.path("subject"));
    }
    assertThat(found).isEqualTo(expected);
  }

  /** Takes records out of a clean archive, each of another event, and says what is found of it. */
  private record Theft(Path archive, Map<String, List<JsonNode>> records, Random random) {

    static Theft of(Path archive, Random random) throws IOException {
      Map<String, List<JsonNode>> records = new HashMap<>();
      for (String input : List.of("events", "outbox", "acks", "projections")) {
        List<JsonNode> ofInput = new ArrayList<>();
        for (String line : lines(archive, input)) {
          ofInput.add(JSON.readTree(line));
        }
        records.put(input, ofInput);
      }
      return new Theft(archive, records, random);
    }

    Set<String> takeOneOfEach() throws IOException {
      Set<String> findings = new TreeSet<>();
      JsonNode event = loneEvent();
      JsonNode row = where("outbox", "source_event_id", event.path("source_event_id"));
      take("events", event);
      findings.add("ORPHAN_OUTBOX " + subject(row, "outbox_id"));

      JsonNode another = loneEvent();
      JsonNode lost = where("outbox", "source_event_id", another.path("source_event_id"));
      JsonNode itsAck = where("acks", "outbox_id", lost.path("outbox_id"));
      take("outbox", lost);
      findings.add("MISSING_OUTBOX " + subject(lost, "effect_type", "source", "source_event_id"));
      findings.add("ORPHAN_ACK " + subject(itsAck, "ack_id"));

      JsonNode ack = where("acks", "outbox_id", rowOf(loneEvent()).path("outbox_id"));
      take("acks", ack);
      findings.add("MISSING_ACK " + subject(ack, "consumer", "outbox_id"));

      List<JsonNode> cells = records.get("projections");
      JsonNode cell = cells.get(random.nextInt(cells.size()));
      take("projections", cell);
      findings.add(
          "MISSING_WINDOW "
              + JSON.createObjectNode()
                  .put("business_key", cell.path("business_key").asText())
                  .put("projection", cell.path("projection").asText())
                  .put("version", cell.path("projection_version").asText())
                  .put(
                      "window_start",
                      Instant.parse(cell.path("window_start").asText()).toString()));
      return findings;
    }

    /** An event that was received once, is in no recorded cell, and was not chosen before. */
    private JsonNode loneEvent() {
      List<JsonNode> events = records.get("events");
      while (true) {
        JsonNode event = events.get(random.nextInt(events.size()));
        String id = event.path("source_event_id").asText();
        boolean lone =
            events.stream().filter(e -> e.path("source_event_id").asText().equals(id)).count() == 1
                && records.get("projections").stream().noneMatch(c -> c.toString().contains(id));
        if (lone) {
          // Not to be chosen again.
          records.put(
              "events", new ArrayList<>(events.stream().filter(e -> !e.equals(event)).toList()));
          return event;
        }
      }
    }

    private JsonNode rowOf(JsonNode event) {
      return where("outbox", "source_event_id", event.path("source_event_id"));
    }

    private JsonNode where(String input, String column, JsonNode value) {
      List<JsonNode> fitting =
          records.get(input).stream().filter(r -> r.path(column).equals(value)).toList();
      assertThat(fitting).as("%s with %s %s", input, column, value).hasSize(1);
      return fitting.get(0);
    }

    private static String subject(JsonNode record, String... columns) {
      ObjectNode subject = JSON.createObjectNode();
      for (String column : columns) {
        subject.set(column, record.path(column));
      }
      return subject.toString();
    }

    private void take(String input, JsonNode record) throws IOException {
      List<String> left = new ArrayList<>();
      for (String line : lines(archive, input)) {
        if (!JSON.readTree(line).equals(record)) {
          left.add(line);
        }
      }
      Files.write(file(archive, input), left);
    }
  }

  /** Other names for the columns of some files, and constants for those that never change. */
  private static final class Renaming {

    private final Map<String, String> constants = new TreeMap<>();
    private final Set<String> columns = new TreeSet<>();

    static Renaming of(List<Path> files) throws IOException {
      Renaming renaming = new Renaming();
      Map<String, Set<JsonNode>> values = new TreeMap<>();
      Map<String, Integer> counts = new HashMap<>();
      int records = 0;
      for (Path file : files) {
        for (String line : Files.readAllLines(file)) {
          ObjectNode record = object(line);
          if (record != null) {
            records++;
            record.fieldNames().forEachRemaining(name -> counts.merge(name, 1, Integer::sum));
            for (Map.Entry<String, JsonNode> column : record.properties()) {
              values
                  .computeIfAbsent(column.getKey(), name -> new HashSet<>())
                  .add(column.getValue());
            }
          }
        }
      }
      for (Map.Entry<String, Set<JsonNode>> column : values.entrySet()) {
        if (counts.get(column.getKey()) == records && column.getValue().size() == 1) {
          renaming.constants.put(column.getKey(), column.getValue().iterator().next().asText());
        } else if (!column.getKey().equals("gateway")) {
          renaming.columns.add(column.getKey());
        }
      }
      return renaming;
    }

    void apply(Path file) throws IOException {
      List<String> lines = new ArrayList<>();
      for (String line : Files.readAllLines(file)) {
        ObjectNode record = object(line);
        if (record == null) {
          lines.add(line);
          continue;
        }
        ObjectNode renamed = JSON.createObjectNode();
        for (Map.Entry<String, JsonNode> column : record.properties()) {
          if (columns.contains(column.getKey())) {
            renamed.set("their " + column.getKey(), column.getValue());
          } else if (!constants.containsKey(column.getKey())) {
            renamed.set(column.getKey(), column.getValue());
          }
        }
        lines.add(renamed.toString());
      }
      Files.write(file, lines);
    }

    String keys() {
      StringBuilder keys = new StringBuilder("columns: {");
      columns.forEach(c -> keys.append(c).append(": 'their ").append(c).append("', "));
      keys.append("}, constants: {");
      constants.forEach((c, value) -> keys.append(c).append(": '").append(value).append("', "));
      return keys.append("}").toString().replace(", }", "}");
    }

    private static ObjectNode object(String line) {
      try {
        return JSON.readTree(line) instanceof ObjectNode object ? object : null;
      } catch (IOException e) {
        return null;
      }
    }
  }

  // Archives.

  private Path archive(long seed) throws Exception {
    Path known = archives.get(seed);
    if (known == null) {
      known = generated(seed, "json", "standard");
      damage(known, known);
      archives.put(seed, known);
    }
    return known;
  }

  private Path generated(long seed, String format, String profile) throws IOException {
    Path archive = newFolder().resolve("archive");
    Path clean =
        Files.writeString(
            newFolder().resolve("clean.yaml"),
            "{profile: 1, name: clean, faults:"
                + " {recorded_cell: {one_in: 29}, exact_duplicate: {one_in: 37}}}\n");
    Answer made =
        Answer.to(
            "generate",
            "--out",
            archive,
            "--events",
            EVENTS,
            "--format",
            format,
            "--seed",
            seed,
            "--profile",
            profile.equals("clean") ? clean : profile);
    assertThat(made.exitCode()).as(made.err()).isZero();
    Files.writeString(
        archive.resolve("constat.yaml"), "layout: {buckets: 4}\n", StandardOpenOption.APPEND);
    edit(archive, spec -> spec.replaceAll("files: (\"[a-z]+-\\*[^\"]*\")", "files: [$1]"));
    return archive;
  }

  /** Adds lines to stray records that cannot be read, made of the lines of another archive. */
  private static void damage(Path archive, Path lines) throws IOException {
    Path stray = archive.resolve("stray.jsonl");
    if (!archive.equals(lines)) {
      Files.copy(lines.resolve("stray.jsonl"), stray, StandardCopyOption.REPLACE_EXISTING);
      return;
    }
    Random random = new Random(Files.size(file(lines, "events")));
    List<String> events = lines(lines, "events");
    List<String> damaged = new ArrayList<>(Files.readAllLines(stray));
    for (int i = 0; i < 12; i++) {
      String event = events.get(random.nextInt(events.size()));
      damaged.add(
          random.nextInt(damaged.size()),
          switch (random.nextInt(4)) {
            case 0 -> event.substring(0, 1 + random.nextInt(event.length() - 1));
            case 1 -> event.replace("Z\"", "\"");
            case 2 -> event + event;
            default -> event.replaceFirst("\"occurred_at\":\"[^\"]*", "\"occurred_at\":\"soon");
          });
    }
    Files.write(stray, damaged);
  }

  private Path copy(Path archive) throws IOException {
    Path copy = Files.createDirectory(newFolder().resolve("archive"));
    try (Stream<Path> files = Files.list(archive)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
    return copy;
  }

  private static void edit(Path archive, UnaryOperator<String> change) throws IOException {
    Path spec = archive.resolve("constat.yaml");
    String before = Files.readString(spec);
    String after = change.apply(before);
    assertThat(after).isNotEqualTo(before);
    Files.writeString(spec, after);
  }

  private static Path file(Path archive, String input) {
    return archive.resolve(input + "-00000-of-00001.jsonl");
  }

  private static List<String> lines(Path archive, String input) throws IOException {
    return new ArrayList<>(Files.readAllLines(file(archive, input)));
  }

  private Path newFolder() throws IOException {
    return Files.createTempDirectory(folder, "f");
  }

  // Runs.

  private Path run(long seed) throws Exception {
    Path known = runs.get(seed);
    if (known == null) {
      known = run(archive(seed).resolve("constat.yaml"), "direct", 1);
      runs.put(seed, known);
    }
    return known;
  }

  private Path run(Path spec, String runner, int parallelism) throws IOException {
    Path out = newFolder();
    Answer answer = reconcile(spec, out, runner, parallelism);
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    return TestFolders.onlyRun(out);
  }

  private static Answer reconcile(Path spec, Path out, String runner, int parallelism) {
    return Answer.to(
        "reconcile", spec, "--out", out, "--runner", runner, "--", "--parallelism=" + parallelism);
  }

  private void assertSameFacts(long seed, Path run, Predicate<String> compared) throws Exception {
    Map<String, List<String>> expected = facts(run(seed));
    Map<String, List<String>> actual = facts(run);
    assertThat(actual.keySet()).isEqualTo(expected.keySet()).hasSizeGreaterThan(5);
    for (Map.Entry<String, List<String>> part : expected.entrySet()) {
      List<String> missing = new ArrayList<>(part.getValue());
      List<String> surplus = new ArrayList<>(actual.get(part.getKey()));
      missing.removeIf(compared.negate());
      surplus.removeIf(compared.negate());
      if (!missing.equals(surplus)) {
        List<String> before = List.copyOf(missing);
        missing.removeAll(surplus);
        surplus.removeAll(before);
        throw new AssertionError(
            "%s of seed %s: missing %s, surplus %s"
                .formatted(
                    part.getKey(),
                    seed,
                    missing.subList(0, Math.min(3, missing.size())),
                    surplus.subList(0, Math.min(3, surplus.size()))));
      }
    }
  }

  /** Findings and rows of tables, without where records stand. */
  private static Map<String, List<String>> facts(Path run) throws IOException, SQLException {
    Map<String, List<String>> facts = new TreeMap<>();
    List<String> findings = new ArrayList<>();
    for (String line : Files.readAllLines(run.resolve("findings.jsonl"))) {
      ObjectNode finding = (ObjectNode) JSON.readTree(line);
      finding.remove("evidence");
      findings.add(finding.toString());
    }
    facts.put("findings", findings);
    Set<Path> tables = new TreeSet<>();
    try (Stream<Path> files = Files.walk(run)) {
      files
          .filter(file -> file.toString().endsWith(".parquet"))
          .forEach(file -> tables.add(file.getParent()));
    }
    for (Path table : tables) {
      facts.put(run.relativize(table).toString(), rows(table));
    }
    return facts;
  }

  private static List<String> rows(Path table) throws SQLException {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement();
        ResultSet result =
            sql.executeQuery(
                """
                SELECT t::VARCHAR AS r FROM (
                  SELECT COLUMNS(c -> NOT regexp_matches(c, '^(evidence|row|ack)_(file|position)$'))
                  FROM read_parquet('%s/*.parquet')) t
                ORDER BY r
                """
                    .formatted(table.toString().replace("'", "''")))) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        rows.add(result.getString(1));
      }
      return rows;
    }
  }
}
