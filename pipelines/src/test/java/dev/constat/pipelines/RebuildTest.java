package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Projections alone, from the history of events: rebuilt, compared, and rebuilt once. */
final class RebuildTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path SPEC =
      TestFolders.TEST_DATA.resolve("rebuild-two-versions").resolve("constat.yaml");

  /** Key and window of a cell; needs its closing bracket. */
  private static final String SLOT =
      "concat_ws(' ', business_key,"
          + " strftime(make_timestamp(epoch_us(window_start)), '%%H:%%M'),"
          + " strftime(make_timestamp(epoch_us(window_end)), '%%H:%%M')";

  private static final String CELLS =
      "SELECT " + SLOT + ", n, qty, on_time, refined, too_late) FROM read_parquet('%s')";
  private static final String DIFFERENCES =
      "SELECT "
          + SLOT
          + ", coalesce(\"column\", '-'), coalesce(value_a, '-'), coalesce(value_b, '-'),"
          + " causes::VARCHAR, [e->>'$.source_event_id' for e in events]::VARCHAR,"
          + " event_count) FROM read_parquet('%s')"
          + " WHERE projection = 'volume' AND version_a = '1' AND version_b = '2'";

  @TempDir private Path folder;
  private Path out;

  @BeforeEach
  void chooseOut() {
    out = folder.resolve("out");
  }

  private Answer rebuild(Object... more) {
    List<Object> arguments =
        new ArrayList<>(List.of("rebuild", SPEC, "--projection", "volume", "--out", out));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--runner")) {
      arguments.addAll(List.of("--runner", "direct"));
    }
    return Answer.to(arguments.toArray());
  }

  @Test
  void twoVersionsAreRebuiltAndEveryDifferenceIsExplained() throws Exception {
    Answer answer = rebuild();

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    Path run = TestFolders.onlyRun(out);
    assertThat(TestFolders.names(run))
        .containsExactly(
            "findings.jsonl",
            "projection-diff",
            "projections",
            "report.html",
            "run.json",
            "summary.json");
    assertThat(query(CELLS, run.resolve("projections/volume/version=1/*.parquet")))
        .containsExactly("A 10:00 10:10 2 8 2 0 2", "A 10:20 10:30 2 8 2 0 0");
    assertThat(query(CELLS, run.resolve("projections/volume/version=2/*.parquet")))
        .containsExactly(
            "A 09:55 10:05 2 7 1 1 0",
            "A 10:00 10:10 3 37 2 2 0",
            "A 10:05 10:15 1 30 1 1 0",
            "A 10:15 10:25 1 1 1 0 0",
            "A 10:20 10:30 1 1 1 0 0");
    assertThat(query(DIFFERENCES, run.resolve("projection-diff/*.parquet")))
        .containsExactly(
            "A 09:55 10:05 - - {\"n\":2,\"qty\":\"7\"} [window] [e1, e3] 2",
            "A 10:00 10:10 n 2 3 [budget, correction] [c1, e2, e3] 3",
            "A 10:00 10:10 qty 8 37 [budget, correction] [c1, e2, e3] 3",
            "A 10:05 10:15 - - {\"n\":1,\"qty\":\"30\"} [window] [c1] 1",
            "A 10:15 10:25 - - {\"n\":1,\"qty\":\"1\"} [window] [e4] 1",
            "A 10:20 10:30 n 2 1 [schema] [e5] 1",
            "A 10:20 10:30 qty 8 1 [schema] [e5] 1");
    assertThat(answer.out())
        .isEqualTo(
            """
            volume of two-versions, replay rebuild-%s

              version                   cells    on time    refined   too late
              1                             2          4          0          2
              2                             5          6          4          0

              2 against 1: 5 differing cells, 7 differences
                budget                      2
                correction                  2
                schema                      2
                window                      3

            report: %s
            """
                .formatted(run.getFileName(), run));
    JsonNode summary = JSON.readTree(run.resolve("summary.json").toFile());
    assertThat(summary.get("replay_id").textValue()).isEqualTo("rebuild-" + run.getFileName());
    assertThat(summary.get("work").textValue()).isEqualTo(run.getFileName().toString());
    assertThat(summary.at("/versions/1").toString())
        .isEqualTo("{\"version\":\"2\",\"cells\":5,\"on_time\":6,\"refined\":4,\"too_late\":0}");
    assertThat(summary.at("/differences/0/causes/window").longValue()).isEqualTo(3);
    JsonNode document = JSON.readTree(run.resolve("run.json").toFile());
    assertThat(document.get("command").textValue()).isEqualTo("rebuild");
    assertThat(document.get("replay_id")).isEqualTo(summary.get("replay_id"));
  }

  @Test
  void aRerunSaysSoAndChangesNothing() throws IOException {
    rebuild();
    Path run = TestFolders.onlyRun(out);
    Map<String, String> before = everything();

    Answer answer = rebuild("--runner", "embedded");

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("\nalready consumed, identical\nreport: " + run + "\n");
    assertThat(everything()).isEqualTo(before);

    Answer document = rebuild("--format", "json");
    assertThat(JSON.readTree(document.out()).get("replay_id").textValue()).startsWith("rebuild-");
    assertThat(document.err()).contains("already consumed, identical");
    assertThat(everything()).isEqualTo(before);
  }

  /** Digest and time of every file. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> files = new TreeMap<>(TestFolders.everything(out));
    try (Stream<Path> all = Files.walk(out)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        FileTime time = Files.getLastModifiedTime(file);
        files.merge(out.relativize(file).toString(), " at " + time, String::concat);
      }
    }
    return files;
  }

  @Test
  void aDamagedRunIsReplaced() throws IOException {
    rebuild();
    Path run = TestFolders.onlyRun(out);
    Map<String, String> before = TestFolders.digests(run);
    Files.writeString(run.resolve("summary.json"), "{}");

    Answer answer = rebuild();

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.err()).contains("was damaged and is replaced");
    assertThat(answer.out()).doesNotContain("already consumed");
    assertThat(TestFolders.digests(run)).isEqualTo(before);
  }

  @Test
  void bothRunnersGiveTheSameBytes() throws IOException {
    rebuild("--run-id", "one");
    Path one = out.resolve("one");
    Path other = folder.resolve("elsewhere");
    Answer.to(
        "rebuild",
        SPEC,
        "--projection",
        "volume",
        "--out",
        other,
        "--run-id",
        "one",
        "--runner",
        "embedded",
        "--",
        "--parallelism=2");
    assertThat(TestFolders.digests(other.resolve("one"))).isEqualTo(TestFolders.digests(one));
  }

  @Test
  void theFirstVersionAskedForIsTheOneOthersAreComparedWith() throws Exception {
    Answer answer = rebuild("--version", "2", "--version", "1", "--replay-id", "r-7");
    assertThat(answer.out()).contains("replay r-7\n", "1 against 2: 5 differing cells");
    Path run = TestFolders.onlyRun(out);
    assertThat(
            query(
                "SELECT concat_ws(' ', version_a, version_b, value_a, value_b)"
                    + " FROM read_parquet('%s') WHERE \"column\" = 'n'",
                run.resolve("projection-diff/*.parquet")))
        .containsExactly("2 1 3 2", "2 1 1 2");
  }

  @Test
  void oneVersionIsComparedWithNone() throws IOException {
    Answer answer = rebuild("--version", "2");
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(TestFolders.names(TestFolders.onlyRun(out)))
        .containsExactly(
            "findings.jsonl", "projections", "report.html", "run.json", "summary.json");
    assertThat(answer.out()).doesNotContain("against");
  }

  @Test
  void aRangeLimitsTheCellsAndNothingElse() throws Exception {
    Answer answer = rebuild("--from", "2026-01-05T10:10:00Z", "--to", "2026-01-05T10:20:00Z");
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("from 2026-01-05T10:10:00Z to 2026-01-05T10:20:00Z\n");
    Path run = TestFolders.onlyRun(out);
    assertThat(query(CELLS, run.resolve("projections/volume/version=1/*.parquet"))).isEmpty();
    assertThat(query(CELLS, run.resolve("projections/volume/version=2/*.parquet")))
        .containsExactly("A 10:05 10:15 1 30 1 1 0", "A 10:15 10:25 1 1 1 0 0");
    assertThat(query(DIFFERENCES, run.resolve("projection-diff/*.parquet")))
        .containsExactly(
            "A 10:05 10:15 - - {\"n\":1,\"qty\":\"30\"} [window] [c1] 1",
            "A 10:15 10:25 - - {\"n\":1,\"qty\":\"1\"} [window] [e4] 1");
  }

  /** Order 7 is new, then paid, and only then corrected: the correction stands where it began. */
  @ParameterizedTest(name = "from {0} to {1}: {2}")
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          -,     -,     paid, paid
          -,     10:05, fresh, fresh
          10:05, -,     paid, paid
          10:15, -,     -,    -
          10:00, 10:01, fresh, fresh
          """)
  void whatHasNoWindowsIsRebuiltFromWhatHappenedInTheRange(
      String from, String to, String status, String compared) throws Exception {
    String event =
        "{\"ingestion_id\":\"%s\",\"source\":\"s\",\"source_event_id\":\"%s\","
            + "\"occurred_at\":\"2026-01-05T%s:00Z\",\"received_at\":\"2026-01-05T11:0%s:00Z\","
            + "\"business_key\":\"7\",\"supersedes\":%s,\"payload\":{\"status\":\"%s\"}}\n";
    Files.writeString(
        folder.resolve("events.jsonl"),
        event.formatted("1", "a", "10:00", 1, "null", "new")
            + event.formatted("2", "b", "10:05", 2, "null", "paid")
            + event.formatted("3", "c", "10:20", 3, "\"a\"", "fresh"));
    Path spec =
        Files.writeString(
            folder.resolve("constat.yaml"),
            """
            constat: 1
            archives: {events: {files: events.jsonl}}
            sources: {source: "*", lateness: {budget: PT2H, version: "1"}}
            projections:
              name: order
              versions:
                - {version: "1", kind: current, key: business_key, value: /status}
                - {version: "2", kind: current, key: business_key, value: /status}
            """);
    List<Object> arguments =
        new ArrayList<>(
            List.of("rebuild", spec, "--projection", "order", "--out", out, "--runner", "direct"));
    if (from != null) {
      arguments.addAll(List.of("--from", "2026-01-05T" + from + ":00Z"));
    }
    if (to != null) {
      arguments.addAll(List.of("--to", "2026-01-05T" + to + ":00Z"));
    }
    Answer answer = Answer.to(arguments.toArray());
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    Path run = TestFolders.onlyRun(out);
    String value = "SELECT \"value\" FROM read_parquet('%s')";
    List<String> expected = status == null ? List.of() : List.of(status);
    assertThat(query(value, run.resolve("projections/order/version=1/*.parquet")))
        .isEqualTo(expected);
    assertThat(query(value, run.resolve("projections/order/version=2/*.parquet")))
        .isEqualTo(compared == null ? List.of() : List.of(compared));
    assertThat(answer.out()).contains("2 against 1: 0 differing cells, 0 differences");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --projection volum     | 'volum' is no projection of the run spec; use volume
          --projection volume --version 3 | '3' is no version of volume; use 1 or 2 (nearest: 1)
          --projection volume --from 2026-01-05T10:00:00Z --to 2026-01-05T10:00:00Z | is not before
          --projection volume --from noon | 'noon' is not a time
          --projection volume --run-id a/b | --run-id a/b cannot name a folder
          --version 1            | --projection
          """)
  void whatCannotBeRebuiltIsRefused(String arguments, String message) {
    List<Object> all = new ArrayList<>(List.of("rebuild", SPEC, "--out", out));
    all.addAll(List.of(arguments.strip().split(" ")));
    Answer answer = Answer.to(all.toArray());
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains(message);
    assertThat(out).doesNotExist();
  }

  @Test
  void whatCannotBeReadMakesItInconclusive() throws IOException {
    Path spec = TestFolders.copy("rebuild-two-versions", folder).resolve("constat.yaml");
    Path events = spec.resolveSibling("events.jsonl");
    Files.writeString(events, Files.readString(events) + "{\"ingestion_id\":\n");
    Answer answer =
        Answer.to("rebuild", spec, "--projection", "volume", "--out", out, "--runner", "direct");
    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.out()).contains("INCONCLUSIVE\n  1 records or files of events");
    assertThat(TestFolders.onlyRun(out).resolve("findings.jsonl"))
        .content()
        .contains("\"kind\":\"INPUT_ERROR\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h"})
  void helpSaysWhatARangeIs(String option) {
    Answer answer = Answer.to("rebuild", option);
    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out().replace('\n', ' '))
        .contains(
            "Usage: constat rebuild",
            "--projection=NAME",
            "--version=V",
            "--replay-id=ID",
            "cells whose window has an instant in [from, to)",
            "already consumed, identical");
  }

  private static List<String> query(String sql, Path place) throws SQLException {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement();
        ResultSet result =
            statement.executeQuery(sql.formatted(place.toString().replace("'", "''")))) {
      List<String> lines = new ArrayList<>();
      while (result.next()) {
        lines.add(result.getString(1));
      }
      return lines;
    }
  }
}
