package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the command line answers: exit codes, and messages that name what is wrong and what to do.
 */
final class CommandLineTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** In perfect order. */
  private static final String CLEAN = "same-timestamp-two-events";

  /** With errors, warnings and remarks. */
  private static final String CRASH = "crash-between-write-and-delivery";

  private static final String EVENT =
      "{\"ingestion_id\":\"i1\",\"source\":\"s\",\"source_event_id\":\"e1\","
          + "\"occurred_at\":\"2026-01-05T10:00:00Z\",\"received_at\":\"2026-01-05T10:00:01Z\","
          + "\"schema_version\":\"2\",\"payload\":{}%s}\n";

  @TempDir private Path folder;
  private Path out;

  @BeforeEach
  void chooseOut() {
    out = folder.resolve("out");
  }

  // --- 2: what was asked for cannot be understood ------------------------------------------------

  @Test
  void withoutACommandItSaysHowItIsUsed() {
    assertUsage(Answer.to(), "a command is missing", "Usage: constat");
  }

  @Test
  void anUnknownCommandIsNamed() {
    assertUsage(Answer.to("recncile"), "'recncile'", "Usage: constat");
  }

  @Test
  void anUnknownOptionIsNamed() {
    assertUsage(
        reconcile(TestFolders.TEST_DATA.resolve(CLEAN), "--as-off", "2026-01-05T10:00:00Z"),
        "'--as-off'",
        "Usage: constat reconcile");
  }

  @Test
  void reconcileNeedsARunSpec() {
    assertUsage(Answer.to("reconcile", "--out", out), "SPEC", "Usage: constat reconcile");
  }

  @ParameterizedTest
  @CsvSource({"reconcile, --fail-on=error", "rebuild, --projection=silence"})
  void aKindOfProjectionThatNobodyBringsIsNamed(String command, String option) throws IOException {
    Path spec = TestFolders.copy(CLEAN, folder).resolve("constat.yaml");
    Files.writeString(
        spec,
        "  - {name: silence, versions: [{version: \"1\", kind: longest-gap}]}\n",
        StandardOpenOption.APPEND);

    assertUsage(
        Answer.to(command, spec, option, "--out", out),
        "no projection of kind longest-gap",
        "windowed, current",
        "CONSTAT_CLASSPATH");
  }

  @ParameterizedTest
  @CsvSource({
    "received_at, soon, is no ISO 8601 time (soon)",
    "source_sequence, -1, is text that is not wholly of digits (-1)"
  })
  void aConstantThatFitsNoColumnIsNamedBeforeAnythingIsRead(
      String column, String value, String problem) throws IOException {
    Path spec =
        spec(
            "constat: 1\narchives: {events: {files: none.jsonl, constants: {%s: '%s'}}}\n"
                .formatted(column, value));

    assertUsage(
        Answer.to("reconcile", spec, "--out", out),
        spec + ": constants of events: " + column + " " + problem,
        "give it as");
  }

  @Test
  void aRunSpecThatDoesNotExistIsNamed() {
    Path spec = folder.resolve("none.yaml");
    assertUsage(
        Answer.to("reconcile", spec, "--out", out), spec + " does not exist", "name the run spec");
  }

  @Test
  void aFolderIsNoRunSpec() {
    assertUsage(
        Answer.to("reconcile", folder, "--out", out),
        folder + " cannot be read",
        "name a readable file");
  }

  @Test
  void aRunSpecIsUtf8() throws IOException {
    Path spec = folder.resolve("constat.yaml");
    Files.write(spec, "# Früher\nconstat: 1\n".getBytes(ISO_8859_1));
    assertUsage(
        Answer.to("reconcile", spec, "--out", out), spec + " is not UTF-8", "save it as UTF-8");
  }

  @Test
  void everyProblemOfARunSpecIsToldWithItsLineAndARemedy() throws IOException {
    Path spec =
        spec(
            """
            constat: 2
            nme: shop
            archives:
              events: {files: events.jsonl, cut: gestern}
            """);
    Answer answer = Answer.to("reconcile", spec, "--out", out);

    assertUsage(answer, spec + ":");
    assertThat(answer.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith(spec + ":1:10: ").contains("write 1"),
            line -> assertThat(line).startsWith(spec + ":2:1: ").contains("'name'"),
            line ->
                assertThat(line).startsWith(spec + ":4:38: ").contains("write it like 2026-01-05"));
  }

  @Test
  void argumentsAreHeldToTheSameRules() {
    Answer answer =
        reconcile(
            TestFolders.TEST_DATA.resolve(CLEAN),
            "--as-of",
            "gestern",
            "--from",
            "2026-01-05",
            "--fail-on",
            "never");

    assertUsage(answer, "--as-of: 'gestern'", "--from: '2026-01-05'", "--fail-on: 'never'");
    assertThat(answer.err()).contains("write it like", "info, warning, error or none");
  }

  @ParameterizedTest
  @CsvSource({"--runner, flink", "--format, xml"})
  void aChoiceThatIsNoneIsAnswered(String option, String value) {
    assertUsage(
        reconcile(TestFolders.TEST_DATA.resolve(CLEAN), option, value),
        option,
        "'" + value + "'",
        "expected one of");
  }

  @Test
  void whatIsNotThereYetIsRefused() {
    assertUsage(
        reconcile(TestFolders.TEST_DATA.resolve(CLEAN), "--history", folder),
        "--history is not supported",
        "leave it out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "", ".hidden", "a/b", "a b"})
  void aRunIdNamesAFolderOfOut(String id) {
    assertUsage(
        reconcile(TestFolders.TEST_DATA.resolve(CLEAN), "--run-id", id),
        "--run-id " + id,
        "use letters, digits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--nonsense=1", "--parallelism=many", "--runner=Bogus", "nonsense"})
  void whatBeamDoesNotKnowIsRefused(String argument) {
    assertUsage(
        reconcile(TestFolders.TEST_DATA.resolve(CLEAN), "--", argument), "an argument behind --");
  }

  @Test
  void aFileThatIsMissingIsToldBeforeAnythingIsRead() throws IOException {
    Path archive = TestFolders.copy(CLEAN, folder);
    Files.delete(archive.resolve("acks.jsonl"));

    assertUsage(
        reconcile(archive),
        "constat: acknowledgements: there is no file acks.jsonl in " + archive,
        "correct the path");
  }

  @Test
  void aPatternThatIsNoneIsTold() throws IOException {
    Path spec = spec("{constat: 1, archives: {events: {files: 'a/[.jsonl'}}}");

    assertUsage(
        Answer.to("reconcile", spec, "--out", out),
        "constat: events: a/[.jsonl is no glob",
        "write [[]");
  }

  // --- 3: there is no answer, or it is not the whole one
  // -------------------------------------------

  @Test
  void aPatternThatMatchesNothingLeavesNothingToSay() throws IOException {
    Path spec = spec("{constat: 1, archives: {events: {files: 'a/*.jsonl'}}}");

    Answer answer = Answer.to("reconcile", spec, "--out", out);

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    assertThat(answer.out())
        .contains("INCONCLUSIVE", "nothing was read from events")
        .doesNotContain("null");
    assertThat(findings()).extracting(finding -> finding.get("kind").asText()).contains("NO_INPUT");
    assertThat(summary().get("verdict").asText()).isEqualTo("INCONCLUSIVE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "embedded"})
  void aLineThatIsNoJsonIsNamedAndTheRestIsJudged(String runner) throws IOException {
    Path archive = TestFolders.copy(CRASH, folder);
    Files.writeString(archive.resolve("outbox.jsonl"), "no json\n", StandardOpenOption.APPEND);

    Answer answer = reconcile(archive, "--runner", runner);

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    assertThat(answer.out()).contains("1 records or files of outbox are unreadable");
    assertThat(only("INPUT_ERROR").get("subject").toString())
        .isEqualTo("{\"file\":\"outbox.jsonl\",\"input\":\"outbox\",\"place\":\"line 7\"}");
    assertThat(only("MISSING_OUTBOX").get("hints").toString()).contains("INPUT_INCOMPLETE");
    assertThat(only("STUCK_PENDING").get("subject").toString())
        .isEqualTo("{\"outbox_id\":\"ob-1\"}");
  }

  @Test
  void aFileThatIsCutOffIsNamedAndTheRestIsJudged() throws IOException {
    Path archive = TestFolders.copy("quickstart", folder);
    Path file = archive.resolve("events/venue-a/2026-01-06.parquet");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));

    Answer answer = reconcile(archive);

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    assertThat(only("INPUT_ERROR").get("subject").toString())
        .isEqualTo(
            "{\"file\":\"events/venue-a/2026-01-06.parquet\",\"input\":\"events\","
                + "\"place\":\"file\"}");
    assertThat(ofKind("CONFLICTING_DUPLICATE")).isNotEmpty();
    assertThat(ofKind("ORPHAN_OUTBOX"))
        .isNotEmpty()
        .allSatisfy(
            finding -> assertThat(finding.get("hints").toString()).contains("INPUT_INCOMPLETE"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "embedded"})
  void aFileThatChangesWhileItIsReadEndsTheRun(String runner) throws Exception {
    Path archive = TestFolders.copy("quickstart", folder);
    Path file = archive.resolve("decisions/2026-01-07.jsonl");
    Thread writer = new Thread(() -> touchUntilInterrupted(file));
    writer.start();
    Answer answer;
    try {
      answer = reconcile(archive, "--runner", runner);
    } finally {
      writer.interrupt();
      writer.join();
    }

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err())
        .contains("constat: decisions/2026-01-07.jsonl changed while it was read")
        .doesNotContain("\tat ");
    assertThat(TestFolders.runs(out)).isEmpty();
    assertThat(TestFolders.everything(out)).containsOnlyKeys(".constat-lock");
  }

  private static void touchUntilInterrupted(Path file) {
    try {
      for (long time = 0; ; time += 1000) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(time));
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the run has ended
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"out", "out/below"})
  void aFileInThePlaceOfOutIsNamed(String name) throws IOException {
    Files.writeString(out, "mine");

    Answer answer =
        Answer.to(
            "reconcile",
            TestFolders.TEST_DATA.resolve(CLEAN).resolve("constat.yaml"),
            "--out",
            folder.resolve(name));

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err().lines())
        .containsExactly(
            "constat: A file stands where a folder should be: "
                + folder.resolve(name)
                + ". Remove it or choose another --out.");
    assertThat(out).hasContent("mine");
  }

  @Test
  void whatIsNoRunIsNotReplaced() throws IOException {
    Path mine = Files.createDirectories(out.resolve("mine")).resolve("notes.txt");
    Files.writeString(mine, "mine");

    Answer answer = reconcile(TestFolders.TEST_DATA.resolve(CLEAN), "--run-id", "mine");

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).contains(mine.toString(), "choose another --out or --run-id");
    assertThat(mine).hasContent("mine");
    assertThat(TestFolders.everything(out))
        .containsOnlyKeys(".constat-lock", "mine", "mine/notes.txt");
  }

  // --- 0 and 1: the answer
  // --------------------------------------------------------------------------

  @Test
  void whatIsInOrderMatches() {
    Answer answer = reconcile(TestFolders.TEST_DATA.resolve(CLEAN));

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(0);
    assertThat(answer.out()).contains("\nMATCH\n", "no findings", "report: " + out);
  }

  /** The event alone, with a version that nobody declared, with a column that nobody knows. */
  @ParameterizedTest
  @CsvSource({
    "nothing, info, 0",
    "warning, none, 0",
    "warning, error, 0",
    "warning, warning, 1",
    "warning, info, 1",
    "warning, '', 0",
    "info, warning, 0",
    "info, info, 1",
    "info, '', 0"
  })
  void failOnDecidesFromWhichLevelOnARunFails(String worst, String failOn, int exitCode)
      throws IOException {
    String versions = worst.equals("warning") ? "1" : "2";
    Files.writeString(
        folder.resolve("events.jsonl"),
        EVENT.formatted(worst.equals("info") ? ",\"colour\":\"blue\"" : ""));
    Path spec =
        spec(
            """
            constat: 1
            archives:
              events: {files: events.jsonl}
            sources:
              - {source: s, schema_versions: ["%s"]}
            """
                .formatted(versions));

    Answer answer =
        failOn.isEmpty()
            ? Answer.to("reconcile", spec, "--out", out)
            : Answer.to("reconcile", spec, "--out", out, "--fail-on", failOn);

    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isEqualTo(exitCode);
    assertThat(summary().get("verdict").asText()).isEqualTo("MATCH");
    assertThat(findings()).hasSize(worst.equals("nothing") ? 0 : 1);
  }

  @Test
  void errorsFailUnlessNothingIsToFail() {
    Path archive = TestFolders.TEST_DATA.resolve(CRASH);

    assertThat(reconcile(archive).exitCode()).isEqualTo(1);
    assertThat(reconcile(archive, "--fail-on", "error").exitCode()).isEqualTo(1);
    Answer none = reconcile(archive, "--fail-on", "none");
    assertThat(none.exitCode()).isEqualTo(0);
    assertThat(none.out()).contains("\nDISCREPANCIES\n");
  }

  @Test
  void theAnswerIsOneDocumentWhereThatIsAskedFor() throws IOException {
    Answer answer = reconcile(TestFolders.TEST_DATA.resolve(CRASH), "--format", "json");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out())
        .isEqualTo(Files.readString(TestFolders.onlyRun(out).resolve("summary.json")));
    assertThat(JSON.readTree(answer.out()).get("verdict").asText()).isEqualTo("DISCREPANCIES");
  }

  @Test
  void messagesAndProgressStandApartFromTheAnswer() {
    Answer answer = reconcile(TestFolders.TEST_DATA.resolve(CRASH));

    assertThat(answer.out()).startsWith(CRASH + " as of 2026-01-05T12:00:00Z\n");
    assertThat(answer.out()).doesNotContain("constat: ");
    assertThat(answer.err().lines()).isNotEmpty().allMatch(line -> line.startsWith("constat: "));
  }

  @Test
  void nothingIsColouredWhereNobodyLooks() {
    for (Answer answer :
        List.of(
            reconcile(TestFolders.TEST_DATA.resolve(CRASH)),
            Answer.to("--help"),
            Answer.to("reconcile", "--help"),
            Answer.to("reconcile", "--nonsense"))) {
      assertThat(answer.out() + answer.err()).isNotEmpty().doesNotContain("\u001b", "\r");
    }
  }

  @Test
  void helpAndVersionAreAnswers() {
    for (Answer answer : List.of(Answer.to("--help"), Answer.to("reconcile", "--help"))) {
      assertThat(answer.exitCode()).isEqualTo(0);
      assertThat(answer.out()).contains("Usage: constat");
      assertThat(answer.err()).isEmpty();
    }
    assertThat(Answer.to("--version").out()).matches("constat \\d+\\.\\d+\\.\\d+\\S*\\R");
  }

  /** At eleven nothing is young enough to be in flight; at ten past ten all of it is. */
  @Test
  void asOfIsTheMomentOfJudgement() throws IOException {
    Path archive = TestFolders.TEST_DATA.resolve(CRASH);

    assertThat(reconcile(archive, "--as-of", "2026-01-05T10:00:30Z").exitCode()).isEqualTo(0);
    assertThat(summary().get("as_of").asText()).isEqualTo("2026-01-05T10:00:30Z");
  }

  @Test
  void fromAndToLimitWhatIsJudged() throws IOException {
    Path archive = TestFolders.TEST_DATA.resolve(CRASH);

    Answer answer =
        reconcile(archive, "--from", "2026-01-05T10:00:01Z", "--to", "2026-01-05T10:00:02Z");

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    assertThat(findings())
        .extracting(finding -> finding.get("kind").asText())
        .containsExactly("STUCK_LEASE");
  }

  // --------------------------------------------------------------------------------------------------

  private Answer reconcile(Path archive, Object... more) {
    List<Object> args = new ArrayList<>();
    args.addAll(List.of("reconcile", archive.resolve("constat.yaml"), "--out", out));
    args.addAll(Arrays.asList(more));
    return Answer.to(args.toArray());
  }

  private Path spec(String text) throws IOException {
    return Files.writeString(folder.resolve("constat.yaml"), text, UTF_8);
  }

  private void assertUsage(Answer answer, String... said) {
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).contains(said).doesNotContain("\tat ");
    assertThat(out).doesNotExist();
  }

  private JsonNode summary() throws IOException {
    return JSON.readTree(TestFolders.onlyRun(out).resolve("summary.json").toFile());
  }

  private List<JsonNode> findings() throws IOException {
    List<JsonNode> findings = new ArrayList<>();
    for (String line : Files.readAllLines(TestFolders.onlyRun(out).resolve("findings.jsonl"))) {
      findings.add(JSON.readTree(line));
    }
    return findings;
  }

  private List<JsonNode> ofKind(String kind) throws IOException {
    return findings().stream()
        .filter(finding -> finding.get("kind").asText().equals(kind))
        .toList();
  }

  private JsonNode only(String kind) throws IOException {
    List<JsonNode> findings = ofKind(kind);
    assertThat(findings).as(kind).hasSize(1);
    return findings.get(0);
  }
}
