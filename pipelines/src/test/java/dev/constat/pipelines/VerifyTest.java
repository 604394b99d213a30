package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import dev.constat.pipelines.output.ScratchFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code constat verify} says of a run, and that it leaves the run alone. */
final class VerifyTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SCENARIO = "replays-and-their-leave";

  @TempDir private Path temporary;

  @ParameterizedTest(name = "{0} by {2}, verified by {3}")
  @CsvSource({
    "reconcile, lost-response-after-commit, direct, embedded",
    "reconcile, replays-and-their-leave, embedded, direct",
    "rebuild, rebuild-two-versions, direct, embedded",
    "rebuild, rebuild-two-versions, embedded, direct",
    "plan-replay, replays-and-their-leave, embedded, direct"
  })
  void aRunComesOutAgainOnTheOtherRunner(
      String command, String archive, String runner, String other) throws Exception {
    List<Object> arguments =
        new ArrayList<>(
            List.of(
                command,
                TestFolders.copy(archive, temporary).resolve("constat.yaml"),
                "--out",
                temporary.resolve("out"),
                "--runner",
                runner));
    switch (command) {
      case "rebuild" -> arguments.addAll(List.of("--projection", "volume"));
      case "plan-replay" -> arguments.add("--pending-repair");
      default -> arguments.addAll(List.of("--run-id", "tonight", "--", "--parallelism=3"));
    }
    assertThat(Answer.to(arguments.toArray()).exitCode()).isLessThan(2);
    Path run = TestFolders.onlyRun(temporary.resolve("out"));
    Map<String, FileTime> before = times(temporary.resolve("out"));

    Answer answer = Answer.to("verify", run, "--runner", other, "--", "--parallelism=2");

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out())
        .contains(", made by " + command + "\n")
        .contains(
            other.equals("direct") ? "made again by DirectRunner" : "made again by FlinkRunner")
        .endsWith("\n\nSAME\n");
    assertThat(times(temporary.resolve("out"))).isEqualTo(before);
    assertThat(scratch()).isEmpty();
  }

  @Test
  void whatIsChangedMissingOrTooManyIsNamed() throws Exception {
    Path run = run();
    Path findings = run.resolve("findings.jsonl");
    byte[] bytes = Files.readAllBytes(findings);
    int at = new String(bytes, StandardCharsets.UTF_8).indexOf('\n') + 30; // in line 2
    bytes[at] ^= 1;
    Files.write(findings, bytes);
    Files.delete(run.resolve("metrics.prom"));
    Files.writeString(run.resolve("summary.json"), " ", StandardOpenOption.APPEND);
    Path table = run.resolve("effects/part-00000-of-00001.parquet");
    byte[] rows = Files.readAllBytes(table);
    rows[17] ^= 1;
    Files.write(table, rows);
    Files.writeString(run.resolve("effects/.hidden"), "mine");
    Map<String, FileTime> before = times(run);

    Answer answer = Answer.to("verify", run);

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    assertThat(answer.out())
        .contains("\n  effects/.hidden: is not listed in run.json\n")
        .contains(
            "\n  effects/part-00000-of-00001.parquet: does not come out again, from byte 17 on\n")
        .contains("\n  findings.jsonl: does not come out again, from byte " + at + " on (line 2)\n")
        .contains("\n  metrics.prom: is missing, says run.json\n")
        .contains("\n  summary.json: does not come out again, from byte ")
        .endsWith("\n\nDIFFERENT\n");
    assertThat(answer.out().lines().filter(line -> line.contains(": "))).hasSize(5);
    assertThat(times(run)).isEqualTo(before);
  }

  @Test
  void aChangedByteIsNamedEvenWhereTheRunCannotBeMadeAgain() throws Exception {
    Path run = run();
    Files.writeString(run.resolve("summary.json"), " ", StandardOpenOption.APPEND);
    Files.delete(archive().resolve("constat.yaml"));

    Answer answer = Answer.to("verify", run, "--format", "json");

    assertThat(answer.exitCode()).isEqualTo(1);
    JsonNode document = JSON.readTree(answer.out());
    assertThat(document.path("verdict").asText()).isEqualTo("DIFFERENT");
    assertThat(document.path("rerun").isNull()).isTrue();
    assertThat(document.path("differences")).hasSize(1);
    assertThat(document.path("differences").get(0).path("file").asText()).isEqualTo("summary.json");
    assertThat(document.path("obstacles")).hasSize(1);
    assertThat(document.path("obstacles").get(0).asText())
        .isEqualTo(
            "the run spec "
                + archive().resolve("constat.yaml")
                + " is not there; name it with --spec");
  }

  @Test
  void whatRunJsonSaysOfTheResultIsHeldAgainstTheRerun() throws Exception {
    Path run = run();
    edit(run, json -> json.put("verdict", "INCONCLUSIVE"));

    Answer answer = Answer.to("verify", run);

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out()).contains("\n  run.json: does not come out again at /verdict\n");
  }

  @Test
  void aListThatDoesNotFitItsDigestIsNamed() throws Exception {
    Path run = run();
    edit(run, json -> ((ObjectNode) json.path("files").get(0)).put("sha256", "00"));

    Answer answer = Answer.to("verify", run);

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out())
        .contains("\n  run.json: files_sha256 is not the digest of its list\n")
        .contains("comes out again as it is, and run.json says otherwise\n");
  }

  @Test
  void otherInputsAreNamedAndNothingIsMadeAgain() throws Exception {
    Path run = run();
    Path events;
    try (Stream<Path> files = Files.walk(archive())) {
      events = files.filter(file -> file.toString().contains("events")).sorted().toList().get(0);
    }
    if (Files.isDirectory(events)) {
      try (Stream<Path> files = Files.list(events)) {
        events = files.sorted().toList().get(0);
      }
    }
    Files.writeString(events, "\n", StandardOpenOption.APPEND);
    String name = archive().relativize(events).toString();

    Answer answer = Answer.to("verify", run);

    assertThat(answer.exitCode()).as(answer.out()).isEqualTo(3);
    assertThat(answer.out())
        .contains("\n  events: " + name + " has changed since the run was made\n")
        .contains("\n  not made again\n")
        .endsWith("\n\nNOT_RERUN\n");
    assertThat(answer.err()).isEmpty();
  }

  @Test
  void filesThatCameOrWentAreNamed() throws Exception {
    Path archive = Files.createDirectories(temporary.resolve("own"));
    String event =
        "{\"ingestion_id\":\"%s\",\"source\":\"s\",\"source_event_id\":\"%s\","
            + "\"occurred_at\":\"2026-01-05T10:00:00Z\",\"received_at\":\"2026-01-05T10:00:01Z\"}\n";
    for (String id : List.of("a", "b")) {
      Files.writeString(archive.resolve(id + ".jsonl"), event.formatted(id, id));
    }
    Path spec =
        Files.writeString(
            archive.resolve("constat.yaml"),
            "constat: 1\narchives:\n  events: {files: '*.jsonl'}\n");
    Path out = temporary.resolve("out");
    assertThat(Answer.to("reconcile", spec, "--out", out).exitCode()).isZero();
    Path run = TestFolders.onlyRun(out);
    Files.move(archive.resolve("b.jsonl"), archive.resolve("c.jsonl"));

    Answer answer = Answer.to("verify", run);

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.out())
        .contains("\n  events: c.jsonl was not there when the run was made\n")
        .contains("\n  events: b.jsonl is missing\n");

    // Back again, and all of it moved: the name of a run spec that gives none is that of the run.
    Files.move(archive.resolve("c.jsonl"), archive.resolve("b.jsonl"));
    Path moved = Files.move(archive, temporary.resolve("moved"));
    Path run2 = Files.move(out, temporary.resolve("out 2\nü")).resolve(run.getFileName());
    assertThat(Answer.to("verify", run2).exitCode()).isEqualTo(3);
    Answer found = Answer.to("verify", run2, "--spec", moved.resolve("constat.yaml"));
    assertThat(found.exitCode()).as(found.out() + found.err()).isZero();
  }

  @Test
  void anotherRunSpecOrVersionIsNamed() throws Exception {
    Path run = run();
    Path spec = archive().resolve("constat.yaml");
    Files.writeString(spec, "\n# a remark\n", StandardOpenOption.APPEND);
    edit(run, json -> ((ObjectNode) json.path("versions")).put("constat", "0.0.9"));

    Answer answer = Answer.to("verify", run);

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.out())
        .contains("\n  the run spec " + spec + " is not the one that the run had: its digest")
        .contains("\n  the run was made by version 0.0.9, this is version ");
  }

  @Test
  void withoutARunThereIsNothingToVerify() throws Exception {
    Answer answer = Answer.to("verify", temporary.resolve("none"));
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("none is no run, nor is ");

    Path run = run();
    assertThat(Answer.to("verify", run, "--spec", temporary.resolve("none")).exitCode())
        .isEqualTo(2);
    assertThat(Answer.to("verify", run, "--", "--noSuchOption=1").exitCode()).isEqualTo(2);
    assertThat(scratch()).isEmpty();
  }

  @Test
  void whatAKilledVerificationLeftIsRemovedAndNamed() throws Exception {
    Path run = run();
    Path dead =
        Files.createDirectories(
            Path.of(
                System.getProperty("java.io.tmpdir"),
                "constat-scratch-dead-" + temporary.hashCode()));
    Files.writeString(dead.resolve("half"), "half");
    try (ScratchFolder living = ScratchFolder.open()) {
      assertThat(dead).doesNotExist();
      assertThat(living.leftovers()).extracting(left -> left.path()).contains(dead);
      Files.createDirectories(dead);

      Answer answer = Answer.to("verify", run);

      assertThat(answer.exitCode()).isZero();
      assertThat(answer.err()).contains("did not end left " + dead + "; removed");
      assertThat(living.path()).exists();
    }
    assertThat(dead).doesNotExist();
  }

  @Test
  void digestsOfListsAreThoseOfSortedOutputOfSha256sum() throws Exception {
    Path run = run();
    JsonNode json = JSON.readTree(run.resolve("run.json").toFile());
    for (String list : List.of("files", "inputs")) {
      TreeMap<String, String> lines = new TreeMap<>();
      for (JsonNode file : json.path(list)) {
        String name = file.path("file").asText();
        byte[] bytes = Files.readAllBytes((list.equals("files") ? run : archive()).resolve(name));
        lines.put(name, Hashing.sha256().hashBytes(bytes) + "  " + name + "\n");
      }
      assertThat(lines).isNotEmpty();
      assertThat(json.path(list + "_sha256").asText())
          .isEqualTo(
              Hashing.sha256()
                  .hashString(String.join("", lines.values()), StandardCharsets.UTF_8)
                  .toString());
    }
  }

  private Path archive() {
    return temporary.resolve(SCENARIO);
  }

  /** A run over a scenario, which stands in {@link #archive}. */
  private Path run() throws IOException {
    Path spec = TestFolders.copy(SCENARIO, temporary).resolve("constat.yaml");
    Path out = temporary.resolve("out");
    assertThat(Answer.to("reconcile", spec, "--out", out, "--runner", "direct").exitCode())
        .isLessThan(2);
    return TestFolders.onlyRun(out);
  }

  private interface Edit {
    void of(ObjectNode json);
  }

  private static void edit(Path run, Edit edit) throws IOException {
    ObjectNode json = (ObjectNode) JSON.readTree(run.resolve("run.json").toFile());
    edit.of(json);
    JSON.writeValue(run.resolve("run.json").toFile(), json);
  }

  /** When everything below a folder was last written. */
  private static Map<String, FileTime> times(Path folder) throws IOException {
    Map<String, FileTime> times = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.toList()) {
        times.put(path.toString(), Files.getLastModifiedTime(path));
      }
    }
    return times;
  }

  private static List<String> scratch() {
    String[] names = Path.of(System.getProperty("java.io.tmpdir")).toFile().list();
    return Arrays.stream(names).filter(name -> name.startsWith("constat-scratch")).toList();
  }
}
