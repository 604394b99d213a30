package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How {@code constat score} counts what was planted and what was found. */
final class ScoreTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path shared;
  private static Path out;
  private static Path truth;

  @TempDir private Path folder;

  @BeforeAll
  static void runOnce() throws IOException {
    Path profile = shared.resolve("mine.yaml");
    Files.writeString(
        profile,
        "{profile: 1, name: mine, faults: {dlq: {one_in: 50}, redelivery: {one_in: 50},"
            + " broken_chain: {one_in: 100}}}");
    Path archive = shared.resolve("archive");
    Answer.to("generate", "--events", 200, "--profile", profile, "--out", archive);
    out = shared.resolve("out");
    truth = archive.resolve("truth.jsonl");
    Answer.to("reconcile", archive.resolve("constat.yaml"), "--out", out, "--runner", "direct");
  }

  @Test
  void allIsRight() {
    Answer answer = Answer.to("score", out, truth);

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out())
        .isEqualTo(
            """
            kind                             planted     found  precision   recall
            BROKEN_CHAIN                           2         2        1.0      1.0
            DLQ                                    4         4        1.0      1.0
            REDELIVERY                             4         4        1.0      1.0
            """);
  }

  @Test
  void aFindingNobodyPlantedLowersPrecision() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(truth));
    String gone = take(lines, "DLQ");

    JsonNode dlq = score(lines, "DLQ");

    assertThat(dlq.path("planted").longValue()).isEqualTo(3);
    assertThat(dlq.path("precision").doubleValue()).isEqualTo(0.75);
    assertThat(dlq.path("recall").doubleValue()).isEqualTo(1.0);
    assertThat(dlq.path("unexpected")).hasSize(1);
    assertThat(gone).contains(dlq.path("unexpected").get(0).textValue());
    assertThat(score(lines, "REDELIVERY").path("precision").doubleValue()).isEqualTo(1.0);
  }

  @Test
  void oneThatIsNotFoundLowersRecall() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(truth));
    lines.add("{\"kind\":\"DLQ\",\"level\":\"warning\",\"subject\":{\"outbox_id\":\"none\"}}");

    JsonNode dlq = score(lines, "DLQ");

    assertThat(dlq.path("recall").doubleValue()).isEqualTo(0.8);
    assertThat(dlq.path("precision").doubleValue()).isEqualTo(1.0);
    assertThat(dlq.path("missed").get(0).textValue()).isEqualTo("{\"outbox_id\":\"none\"}");
  }

  @Test
  void aKindNobodyPlantedHasPrecisionNought() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(truth));
    lines.removeIf(line -> line.contains("BROKEN_CHAIN"));

    JsonNode broken = score(lines, "BROKEN_CHAIN");

    assertThat(broken.path("precision").doubleValue()).isZero();
    assertThat(broken.path("recall").doubleValue()).isEqualTo(1.0);
    assertThat(broken.path("unexpected")).hasSize(2);
  }

  @Test
  void theWholeSubjectCountsAndTheOrderOfItsMembersDoesNot() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(truth));
    String line = take(lines, "BROKEN_CHAIN");
    JsonNode subject = JSON.readTree(line).path("subject");
    String turned =
        "{\"subject\": {\"source_event_id\": %s, \"source\": %s}, \"kind\": \"BROKEN_CHAIN\"}"
            .formatted(subject.path("source_event_id"), subject.path("source"));
    lines.add(turned);
    assertThat(score(lines, "BROKEN_CHAIN").path("right").longValue()).isEqualTo(2);

    lines.remove(turned);
    lines.add(turned.replace("\"source_event_id\": \"", "\"source_event_id\": \"0"));
    assertThat(score(lines, "BROKEN_CHAIN").path("right").longValue()).isEqualTo(1);
  }

  @Test
  void aLineThatStandsTwiceCountsOnce() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(truth));
    lines.add(lines.get(0));
    lines.add("");

    assertThat(answer(lines).exitCode()).isZero();
  }

  @Test
  void whatIsNotThereIsNamed() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(truth));
    take(lines, "DLQ");
    lines.add("{\"kind\":\"MISSING_ACK\",\"subject\":{\"outbox_id\":\"none\"}}");
    Path changed = folder.resolve("truth.jsonl");
    Files.write(changed, lines);

    Answer answer = Answer.to("score", out, changed);

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out())
        .contains(
            "MISSING_ACK                            1         0        1.0      0.0",
            "MISSING_ACK missed: {\"outbox_id\":\"none\"}",
            "DLQ unexpected: {\"outbox_id\":\"");
  }

  @Test
  void aRunIsNamedByItsFolderToo() throws IOException {
    assertThat(Answer.to("score", TestFolders.onlyRun(out), truth).exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{\"kind\":\"DLQ\"} | :1: this line is no finding: it lacks a subject",
        "{\"subject\":{}} | :1: this line is no finding: it lacks a kind",
        "{\"kind\" | :1: this line is no finding: it is not JSON",
      })
  void aTruthThatIsNoneIsRefused(String line, String message) throws IOException {
    Answer answer = answer(List.of(line));

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains(message, "truth.jsonl as 'constat generate' writes it");
  }

  @Test
  void aRunOrATruthThatIsNotThereIsNamed() {
    Answer noRun = Answer.to("score", folder, truth);
    assertThat(noRun.exitCode()).isEqualTo(2);
    assertThat(noRun.err()).contains("there is no run in " + folder);

    Answer noTruth = Answer.to("score", out, folder.resolve("nowhere"));
    assertThat(noTruth.exitCode()).isEqualTo(2);
    assertThat(noTruth.err()).contains("nowhere does not exist; name the truth.jsonl");
  }

  @Test
  void aBrokenRunIsToldApart() throws IOException {
    Path run = folder.resolve("run");
    Files.createDirectories(run);
    Files.copy(TestFolders.onlyRun(out).resolve("run.json"), run.resolve("run.json"));

    Answer answer = Answer.to("score", run, truth);

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err()).contains("is not what run.json says");
  }

  private static String take(List<String> lines, String kind) {
    String line = lines.stream().filter(each -> each.contains(kind)).findFirst().orElseThrow();
    lines.remove(line);
    return line;
  }

  private Answer answer(List<String> lines) throws IOException {
    Path changed = folder.resolve("truth.jsonl");
    Files.write(changed, lines);
    return Answer.to("score", out, changed, "--format", "json");
  }

  private JsonNode score(List<String> lines, String kind) throws IOException {
    Answer answer = answer(lines);
    for (JsonNode each : JSON.readTree(answer.out()).path("kinds")) {
      if (each.path("kind").textValue().equals(kind)) {
        return each;
      }
    }
    throw new AssertionError("No score of " + kind + " in " + answer.out());
  }
}
