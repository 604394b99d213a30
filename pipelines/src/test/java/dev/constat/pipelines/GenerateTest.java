package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.constat.rules.findings.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code constat generate} makes is found by a run, all of it and nothing else. */
final class GenerateTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TRUTH = "truth.jsonl";

  @TempDir private Path folder;
  private Path archive;

  @BeforeEach
  void chooseArchive() {
    archive = folder.resolve("archive");
  }

  private Answer generate(Path out, Object... more) {
    List<Object> args = new ArrayList<>(List.of("generate", "--out", out));
    args.addAll(Arrays.asList(more));
    return Answer.to(args.toArray());
  }

  @ParameterizedTest
  @CsvSource({"parquet, 1, standard", "json, 2, standard", "parquet, 3, bench"})
  void whatIsPlantedIsWhatIsFound(String format, int seed, String profile) throws IOException {
    Answer made =
        generate(
            archive,
            "--events",
            2_500,
            "--format",
            format,
            "--seed",
            seed,
            "--profile",
            profile,
            "--events-per-file",
            1_000,
            "--parallelism",
            2);
    assertThat(made.exitCode()).as(made.err()).isZero();
    Path out = folder.resolve("out");
    Answer run =
        Answer.to("reconcile", archive.resolve("constat.yaml"), "--out", out, "--runner", "direct");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(profile.equals("standard") ? 3 : 1);

    Answer score = Answer.to("score", out, archive.resolve(TRUTH), "--format", "json");

    assertThat(score.exitCode()).as(score.out()).isZero();
    EnumSet<Kind> scored = EnumSet.noneOf(Kind.class);
    for (JsonNode kind : JSON.readTree(score.out()).path("kinds")) {
      assertThat(kind.path("precision").doubleValue()).isEqualTo(1.0);
      assertThat(kind.path("recall").doubleValue()).isEqualTo(1.0);
      assertThat(kind.path("planted").longValue()).isPositive();
      scored.add(Kind.valueOf(kind.path("kind").textValue()));
    }
    if (profile.equals("standard")) {
      assertThat(EnumSet.complementOf(scored)).containsExactly(Kind.NO_INPUT);
    } else {
      assertThat(scored).hasSize(14);
    }
  }

  @ParameterizedTest
  @CsvSource({"parquet", "json"})
  void theBytesDoNotDependOnThreads(String format) throws IOException {
    Path other = folder.resolve("other");
    generate(
        archive,
        "--events",
        3_000,
        "--format",
        format,
        "--events-per-file",
        700,
        "--parallelism",
        1);
    generate(
        other, "--events", 3_000, "--format", format, "--events-per-file", 700, "--parallelism", 4);

    Map<String, String> files = TestFolders.everything(archive);
    assertThat(files).hasSizeGreaterThan(20).isEqualTo(TestFolders.everything(other));
  }

  @Test
  void theRecordsDoNotDependOnHowManyAFileHas() throws IOException {
    Path other = folder.resolve("other");
    generate(archive, "--events", 3_000, "--format", "json", "--events-per-file", 700);
    generate(other, "--events", 3_000, "--format", "json");

    for (String table : List.of("events", "outbox", "acks", "decisions", "projections")) {
      assertThat(lines(archive, table + "-")).isEqualTo(lines(other, table + "-")).isNotEmpty();
    }
    assertThat(lines(archive, TRUTH)).containsExactlyInAnyOrderElementsOf(lines(other, TRUTH));
  }

  private static List<String> lines(Path folder, String prefix) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : TestFolders.names(folder)) {
      if (name.startsWith(prefix)) {
        lines.addAll(Files.readAllLines(folder.resolve(name)));
      }
    }
    return lines;
  }

  @Test
  void eventsStandInTheOrderOfTheirArrival() throws IOException {
    generate(archive, "--events", 1_000, "--format", "json", "--events-per-file", 300);

    List<String> arrivals = new ArrayList<>();
    for (String line : lines(archive, "events-")) {
      arrivals.add(JSON.readTree(line).path("received_at").textValue());
    }
    assertThat(arrivals).hasSizeGreaterThan(1_000).isSorted();
    assertThat(arrivals.get(0)).matches("2026-01-04T00:00:0\\d\\.\\d{6}Z");
  }

  @Test
  void theSameArchiveIsUsedAgain() throws IOException {
    Answer made = generate(archive, "--events", 100);
    Files.writeString(archive.resolve("note.txt"), "mine");

    Answer again = generate(archive, "--events", 100, "--parallelism", 3);

    assertThat(again.exitCode()).isZero();
    assertThat(again.out()).isEqualTo(made.out()).startsWith("events ");
    assertThat(again.err()).contains("was there already, and is used again: " + archive);
    assertThat(archive.resolve("note.txt")).exists();
  }

  @ParameterizedTest
  @CsvSource({"--events, 101", "--seed, 2", "--format, json", "--profile, bench"})
  void anotherArchiveIsNotReplaced(String option, String value) throws IOException {
    generate(archive, "--events", 100);
    Map<String, String> before = TestFolders.everything(archive);

    Answer refused =
        option.equals("--events")
            ? generate(archive, option, value)
            : generate(archive, "--events", 100, option, value);

    assertUsage(refused, archive + " is another archive (see its generated.json); name another");
    assertThat(TestFolders.everything(archive)).isEqualTo(before);
  }

  @Test
  void anythingElseIsNotReplacedEither() throws IOException {
    Files.createDirectories(archive);
    Files.writeString(archive.resolve("note.txt"), "mine");
    assertUsage(generate(archive, "--events", 100), archive + " is not empty; name another --out");

    Path file = archive.resolve("note.txt");
    assertUsage(generate(file, "--events", 100), file + " is a file; name another --out");
  }

  @Test
  void anEmptyFolderIsFilledAndWhatWasBrokenOffIsRemoved() throws IOException {
    Files.createDirectories(archive);
    Path partial = folder.resolve(".archive.partial");
    Files.createDirectories(partial.resolve("deep"));
    Files.writeString(partial.resolve("deep/events-00000-of-00001.parquet"), "half");

    assertThat(generate(archive, "--events", 100).exitCode()).isZero();

    assertThat(TestFolders.names(folder)).containsExactly("archive");
    assertThat(TestFolders.names(archive)).contains("generated.json", "constat.yaml", TRUTH);
  }

  @Test
  void whereNothingCanBeWrittenItSaysSo() throws IOException {
    Files.writeString(folder.resolve("file"), "");

    Answer refused = generate(folder.resolve("file/archive"), "--events", 100);

    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("no archive was made in", "name another --out");
  }

  @Test
  void aProfileOfOnesOwnPlantsWhatItNames() throws IOException {
    Path profile = folder.resolve("mine.yaml");
    Files.writeString(
        profile, "profile: 1\nname: mine\nfaults:\n  dlq: {one_in: 10, at_most: 3}\n");

    assertThat(generate(archive, "--events", 100, "--profile", profile).exitCode()).isZero();

    assertThat(lines(archive, TRUTH))
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).startsWith("{\"kind\":\"DLQ\",\"level\":\"warning\""));
    assertThat(TestFolders.names(archive))
        .containsExactly(
            "acks-00000-of-00001.parquet",
            "constat.yaml",
            "events-00000-of-00001.parquet",
            "generated.json",
            "outbox-00000-of-00001.parquet",
            TRUTH);
  }

  @Test
  void aBrokenProfileIsRefused() throws IOException {
    Path profile = folder.resolve("mine.yaml");
    Files.writeString(profile, "profile: 1\nname: mine\nfaults:\n  dql: {one_in: 10}\n");

    Answer refused = generate(archive, "--events", 100, "--profile", profile);

    assertUsage(refused, "mine.yaml:4:3: Unknown key 'dql' in faults; the nearest known key is");
    assertThat(archive).doesNotExist();
  }

  @Test
  void packagedProfilesAndTheirSchemaArePrinted() {
    Answer standard = Answer.to("generate", "--print-profile");
    assertThat(standard.exitCode()).isZero();
    assertThat(standard.out()).contains("name: standard", "replay_partial: {one_in: ");
    assertThat(Answer.to("generate", "--print-profile", "--profile", "bench").out())
        .contains("name: bench");
    assertThat(Answer.to("generate", "--profile-schema").out())
        .contains("\"conflicting_duplicate\"");
    assertUsage(
        Answer.to("generate", "--print-profile", "--profile", "x"),
        "name one of [standard, bench]");
  }

  @Test
  void whatIsMissingOrOutOfRangeIsNamed() {
    assertUsage(Answer.to("generate", "--out", archive), "--events is missing");
    assertUsage(Answer.to("generate", "--events", 5), "--out is missing");
    assertUsage(generate(archive, "--events", 0), "--events 0 is not a number from 1 to");
    assertUsage(
        generate(archive, "--events", 5, "--events-per-file", 2_000_001),
        "--events-per-file 2000001");
    assertUsage(generate(archive, "--events", 5, "--parallelism", 0), "--parallelism 0");
    assertUsage(
        generate(archive, "--events", 5, "--profile", "nowhere.yaml"),
        "--profile nowhere.yaml is no file, nor one of the packaged profiles");
  }

  private static void assertUsage(Answer answer, String message) {
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(2);
    assertThat(answer.err()).contains(message);
    assertThat(answer.out().getBytes(UTF_8)).isEmpty();
  }
}
