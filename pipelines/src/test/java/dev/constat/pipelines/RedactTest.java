package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run shows with {@code --redact}. */
final class RedactTest {

  private static final String VARIABLE = "SHOP_KEY";
  private static final String KEY = "kept-secret-0123456789";
  private static final Map<String, String> ENVIRONMENT = Map.of(VARIABLE, KEY);
  private static final Path QUICKSTART = TestFolders.TEST_DATA.resolve("quickstart");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHORTEST = 6;
  private static final Pattern TIME = Pattern.compile("-?\\d{4}-\\d\\d-\\d\\d[T ].*");
  private static final Pattern SHORT_NUMBER = Pattern.compile("\\d{1,12}");

  @TempDir private Path temporary;

  @Test
  void nothingThatIdentifiesIsLeft() throws Exception {
    Set<String> values = valuesBelow(QUICKSTART, "constat.yaml");
    assertThat(values).hasSizeGreaterThan(10_000);
    Path spec = QUICKSTART.resolve("constat.yaml");

    Path plain = temporary.resolve("plain");
    Answer shown = Answer.to("reconcile", spec, "--out", plain);
    assertThat(found(values, plain, shown)).as("found without --redact").hasSizeGreaterThan(5_000);

    Path out = temporary.resolve("reconcile");
    Answer answer = redacted("reconcile", spec, "--out", out);
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(shown.exitCode());
    assertThat(found(values, out, answer)).isEmpty();
    assertThat(decisionCounts(TestFolders.onlyRun(out)))
        .isEqualTo(decisionCounts(TestFolders.onlyRun(plain)));
    JsonNode run = JSON.readTree(TestFolders.onlyRun(out).resolve("run.json").toFile());
    assertThat(run.at("/redacted/variable").asText()).isEqualTo(VARIABLE);
    assertThat(run.at("/redacted/key_check").asText()).matches("[0-9a-f]{8}");

    Path summary = temporary.resolve("json");
    assertThat(
            found(
                values, summary, redacted("reconcile", spec, "--out", summary, "--format", "json")))
        .isEmpty();
    for (String[] arguments :
        new String[][] {
          {"rebuild", "--projection", "state"},
          {"plan-replay", "--topic", "trade"},
          {"plan-replay", "--pending-repair"}
        }) {
      Path folder = temporary.resolve(String.join("", arguments));
      List<Object> all = new ArrayList<>(List.of(arguments[0], spec, "--out", folder));
      all.addAll(List.of(arguments).subList(1, arguments.length));
      Answer other = redacted(all.toArray());
      assertThat(other.exitCode()).as(other.err()).isZero();
      assertThat(found(values, folder, other)).as(folder.toString()).isEmpty();
    }
  }

  @Test
  void nothingThatIdentifiesIsLeftOfAGeneratedArchive() throws Exception {
    Path archive = temporary.resolve("archive");
    assertThat(Answer.to("generate", "--events", "2000", "--out", archive).exitCode()).isZero();
    Set<String> values = valuesBelow(archive, "constat.yaml");
    assertThat(values).hasSizeGreaterThan(4_000);
    Path out = temporary.resolve("out");
    Answer answer = redacted("reconcile", archive.resolve("constat.yaml"), "--out", out);
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3); // some lines are torn on purpose
    assertThat(found(values, out, answer)).isEmpty();

    Answer score = Answer.to("score", out, archive.resolve("truth.jsonl"));
    assertThat(score.exitCode()).isEqualTo(2);
    assertThat(score.err()).contains("is redacted").contains("without --redact");
  }

  @Test
  void everyRunnerWritesTheSameBytes() throws IOException {
    Path spec = QUICKSTART.resolve("constat.yaml");
    Path direct = temporary.resolve("direct");
    Path embedded = temporary.resolve("embedded");
    redacted("reconcile", spec, "--out", direct, "--runner", "direct");
    redacted("reconcile", spec, "--out", embedded, "--runner", "embedded");
    Path one = TestFolders.onlyRun(direct);
    Path other = TestFolders.onlyRun(embedded);
    assertThat(other.getFileName()).isEqualTo(one.getFileName());
    assertThat(TestFolders.digests(other)).isEqualTo(TestFolders.digests(one));
  }

  @Test
  void hashesAreThoseOfTheKeyWhateverElseWasRead() throws Exception {
    Path archive = TestFolders.copy("quickstart", temporary);
    Path all = temporary.resolve("all");
    redacted("reconcile", archive.resolve("constat.yaml"), "--out", all);
    Files.delete(archive.resolve("acks/2026-01-07.jsonl"));
    Files.delete(archive.resolve("events/venue-a/2026-01-06.parquet"));
    Path some = temporary.resolve("some");
    redacted("reconcile", archive.resolve("constat.yaml"), "--out", some);
    Path other = temporary.resolve("other");
    Answer.to(
        Map.of(VARIABLE, "another-secret-0123456"),
        "reconcile",
        archive.resolve("constat.yaml"),
        "--redact",
        VARIABLE,
        "--out",
        other);

    Map<String, String> ofAll = ids(TestFolders.onlyRun(all));
    Map<String, String> ofSome = ids(TestFolders.onlyRun(some));
    Map<String, String> ofOther = ids(TestFolders.onlyRun(other));
    assertThat(ofSome).hasSizeGreaterThan(2_000).hasSizeLessThan(ofAll.size());
    assertThat(ofAll).containsAllEntriesOf(ofSome);
    assertThat(ofOther.keySet()).isEqualTo(ofSome.keySet());
    assertThat(ofOther.values()).doesNotContainAnyElementsOf(ofSome.values());
  }

  @Test
  void explainTakesHashesAndWithTheKeyIds() throws Exception {
    Path out = temporary.resolve("out");
    redacted("reconcile", QUICKSTART.resolve("constat.yaml"), "--out", out);
    Path run = TestFolders.onlyRun(out);
    Answer byId = redacted("explain", "venue-a", "T-000820", "--run", run);
    assertThat(byId.exitCode()).as(byId.err()).isZero();
    assertThat(byId.out()).doesNotContain("T-000820").contains("r:").doesNotContain("payload:");
    String token = byId.out().replaceAll("(?s).*?(r:[0-9a-f]{20}).*", "$1");
    Answer byHash = Answer.to("explain", "venue-a", token, "--run", run);
    assertThat(byHash.out()).isEqualTo(byId.out());
    assertThat(byHash.err()).contains("is redacted, so that no record is read again");

    Answer wrong =
        Answer.to(
            Map.of(VARIABLE, "another-secret-0123456"),
            "explain",
            "venue-a",
            "T-000820",
            "--run",
            run,
            "--redact",
            VARIABLE);
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("another key");
  }

  @Test
  void aKeyThatIsMissingOrShortStopsEverythingAndIsInNoMessage() throws IOException {
    Path out = temporary.resolve("out");
    Path nowhere = temporary.resolve("nowhere.yaml");
    for (String name : List.of("NOT_SET", KEY, "")) {
      Answer unset = Answer.to(ENVIRONMENT, "reconcile", nowhere, "--redact", name, "--out", out);
      assertThat(unset.exitCode()).isEqualTo(2);
      assertThat(unset.err()).contains("names no environment variable").doesNotContain(KEY);
    }
    Answer brief =
        Answer.to(
            Map.of(VARIABLE, "fifteen-bytes--"),
            "reconcile",
            nowhere,
            "--redact",
            VARIABLE,
            "--out",
            out);
    assertThat(brief.exitCode()).isEqualTo(2);
    assertThat(brief.err()).contains("shorter than 16 bytes").doesNotContain("fifteen");
    assertThat(out).doesNotExist();
  }

  private static Answer redacted(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--redact", VARIABLE));
    return Answer.to(ENVIRONMENT, all.toArray());
  }

  private static String decisionCounts(Path run) throws IOException {
    JsonNode summary = JSON.readTree(run.resolve("summary.json").toFile());
    return summary.get("decisions") + " " + summary.get("findings") + " " + summary.get("silent");
  }

  /** The ids of records, redacted, by where they stand. */
  private static Map<String, String> ids(Path run) throws SQLException {
    Map<String, String> ids = new HashMap<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement();
        ResultSet rows =
            sql.executeQuery(
                "SELECT evidence_file || ' ' || evidence_position, ingestion_id FROM "
                    + parquet(run.resolve("decisions")))) {
      while (rows.next()) {
        ids.put(rows.getString(1), rows.getString(2));
      }
    }
    return ids;
  }

  private static String parquet(Path folder) {
    return "read_parquet('" + folder.toString().replace("'", "''") + "/*.parquet')";
  }

  // --- values of archives ---------------------------------------------------------------------

  /** Every text in every record below a folder, but times and what the run spec says. */
  private static Set<String> valuesBelow(Path folder, String specName) throws Exception {
    Set<String> values = new TreeSet<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".parquet")) {
          addRows(file, values);
        } else if (!name.startsWith("truth")
            && (name.endsWith(".jsonl") || name.endsWith(".jsonl.gz"))) {
          addLines(file, values);
        }
      }
    }
    String spec = Files.readString(folder.resolve(specName));
    // Words that Constat says too.
    Set<String> words =
        Set.of(
            "PENDING",
            "PROCESSING",
            "DISPATCHED",
            "ACCEPTED",
            "CORRECTION",
            "EXACT_DUPLICATE",
            "CONFLICTING_DUPLICATE",
            "ARCHIVE_COPY",
            "ARCHIVE_CONFLICT",
            "FUTURE",
            "accepted",
            "original",
            "resumed",
            "status");
    values.removeIf(
        value ->
            value.length() < SHORTEST
                || TIME.matcher(value).matches()
                || SHORT_NUMBER.matcher(value).matches()
                || words.contains(value)
                || spec.contains(value));
    return values;
  }

  private static void addLines(Path file, Set<String> values) throws IOException {
    InputStream in = Files.newInputStream(file);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        try {
          add(JSON.readTree(line), values);
        } catch (JsonProcessingException e) {
          continue; // a line that was torn on purpose
        }
      }
    }
  }

  private static void addRows(Path file, Set<String> values) throws Exception {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement();
        ResultSet rows =
            sql.executeQuery(
                "SELECT * FROM read_parquet('" + file.toString().replace("'", "''") + "')")) {
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          Object value = rows.getObject(i);
          if (value instanceof String text) {
            add(TextNode.valueOf(text), values);
          }
        }
      }
    }
  }

  private static void add(JsonNode node, Set<String> values) throws IOException {
    if (node.isContainerNode()) {
      for (JsonNode below : node) {
        add(below, values);
      }
    } else if (node.isTextual() && node.textValue().startsWith("{")) {
      add(JSON.readTree(node.textValue()), values);
    } else if (node.isTextual()) {
      values.add(node.textValue());
    }
  }

  // --- what is found of them ------------------------------------------------------------------

  /** Which values stand anywhere in a folder of runs, as bytes or decoded, or in an answer. */
  private static Set<String> found(Set<String> values, Path out, Answer answer) throws Exception {
    Map<String, List<String>> byBeginning = new HashMap<>();
    for (String value : values) {
      byBeginning
          .computeIfAbsent(value.substring(0, SHORTEST), start -> new ArrayList<>())
          .add(value);
    }
    Map<String, String> texts = new TreeMap<>(Map.of("out", answer.out(), "err", answer.err()));
    try (Stream<Path> all = Files.walk(out)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = out.relativize(file).toString();
        byte[] bytes = Files.readAllBytes(file);
        boolean parquet = name.endsWith(".parquet");
        texts.put(name, new String(bytes, parquet ? ISO_8859_1 : UTF_8));
        if (parquet) {
          texts.put(name + " decoded", decoded(file));
        }
      }
    }
    assertThat(String.join("", texts.values())).doesNotContain(KEY);
    Set<String> found = new TreeSet<>();
    texts.forEach(
        (name, text) -> {
          for (int i = 0; i + SHORTEST <= text.length(); i++) {
            for (String value :
                byBeginning.getOrDefault(text.substring(i, i + SHORTEST), List.of())) {
              if (text.startsWith(value, i) && !standsInAFileName(text, i)) {
                found.add(value + " in " + name.replaceAll("/part-.*", ""));
              }
            }
          }
        });
    return found;
  }

  /** Names of files stay; one may hold an id that some record has too. */
  private static boolean standsInAFileName(String text, int at) {
    int line = text.lastIndexOf('\n', at);
    String before = text.substring(Math.max(line + 1, at - 80), at);
    return before.matches("(?s).*\"file\"\\s*:\\s*\"[^\"]*");
  }

  private static String decoded(Path file) throws SQLException {
    StringBuilder text = new StringBuilder();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement();
        ResultSet rows =
            sql.executeQuery(
                "SELECT t::VARCHAR FROM (SELECT COLUMNS(c -> NOT regexp_matches(c, '_file$')) FROM"
                    + " read_parquet('"
                    + file.toString().replace("'", "''")
                    + "')) t")) {
      while (rows.next()) {
        text.append(rows.getString(1)).append('\n');
      }
    }
    return text.toString();
  }
}
