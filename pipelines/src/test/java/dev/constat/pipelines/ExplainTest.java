package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.constat.pipelines.explain.FinishedRun;
import dev.constat.pipelines.explain.NoRunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told about one event, of a run of the quickstart and of small ones. */
final class ExplainTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path shared;
  private static Path spec;
  private static Path run;

  @BeforeAll
  static void reconcile() throws IOException {
    spec = TestFolders.copy("quickstart", shared).resolve("constat.yaml");
    Answer answer =
        Answer.to("reconcile", spec, "--out", shared.resolve("out"), "--runner", "direct");
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    run = TestFolders.onlyRun(shared.resolve("out"));
  }

  private static Answer explain(String source, String id, Object... more) {
    List<Object> arguments = new ArrayList<>(List.of("explain", source, id, "--run", run));
    arguments.addAll(List.of(more));
    return Answer.to(arguments.toArray());
  }

  // --- planted problems of the quickstart --------------------------------------------------------

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a trade that came late
        "venue-a|T-002017|late by PT30M35.389S: it happened at 2026-01-05T10:18:56.839Z",
        "venue-a|T-002017|> It would have been on time with a budget of PT35M35.389S.",
        // too late for its window
        "venue-a|T-002044|It came too late for volume version 1 in [2026-01-07T11:00:00Z,",
        "venue-a|T-002044|> It would have refined the window with an allowed lateness of more than",
        // ahead of its time
        "venue-a|T-002052|> It would have been on time with a future tolerance of PT",
        "venue-a|T-002052|It stands in no projection: it is ahead of its time.",
        // a repeat
        "orders|OE-000299|decision: EXACT_DUPLICATE",
        "orders|OE-000299|A repeat of rx-19b8e8000d2d8b, which came PT",
        // another content
        "venue-a|T-001257|decision: CONFLICTING_DUPLICATE",
        "venue-a|T-001257|error CONFLICTING_DUPLICATE",
        "venue-a|T-001257|flags: [CONTESTED]",
        "venue-a|T-001257|payload: {\"instrument\":\"ACME\",\"px\":\"102.85\"",
        // no outbox row
        "venue-a|T-000820|settle: It had no effect: no outbox row announces it",
        "venue-a|T-000820|> A row was due by 2026-01-06T10:25:42.965Z (grace PT10M).",
        "venue-a|T-000820|notify: Not expected: source is venue-a and topic is trade.",
        // one consumer never answered
        "venue-a|T-001063|settle: It had its effect in part: ",
        "venue-a|T-001063|and risk never acknowledged it",
        "venue-a|T-001063|error MISSING_ACK",
        // it happened twice
        "venue-a|T-001004|error DOUBLE_EFFECT",
        "venue-a|T-001004|under key T-001004:settle, and once more",
        "orders|OE-001150|at mailer it happened under 2 effect keys",
        // two rows
        "venue-a|T-000943|is in force",
        // nobody polls it
        "venue-a|T-001696|settle: It had no effect: row ob-19b9893f60b711 is PENDING since",
        "venue-a|T-001696|error STUCK_PENDING",
        // its owner died
        "venue-a|T-001774|is claimed by relay-3, whose lease ended at",
        // given up
        "orders|OE-000284|notify: It had no effect: row ob-19b8e7346f6bcf was given up at",
        "orders|OE-000284|warning DLQ",
        // corrected, and correcting
        "venue-a|T-000427|corrections: other events of its chain",
        "venue-a|T-000427|received T-002002",
        "venue-a|T-002002|Accepted as a correction of T-000427, on time",
        "venue-a|T-002002|received T-000427",
        // recorded as something else
        "venue-a|T-002028|recorded: LATE",
        "venue-a|T-002028|error DECISION_MISMATCH",
        // its client heard of it before the part that was filled earlier
        "orders|OE-001544|RETRY_OVERTAKE: delivered before ob-",
        // given up, and sent after all
        "orders|OE-001561|outbox row given up ob-",
        "orders|OE-001561|warning ORDER_VIOLATION",
        // behind another
        "orders|OE-001566|info BLOCKED_BY_HEAD",
        // one consumer had it, the other never got it
        "venue-a|T-001540|warning DLQ",
        // replayed: at one consumer for the first time, at the other once more
        "venue-a|T-001066|replay_id: mend-risk-1",
        "venue-a|T-001066|warning REPLAY_OVERLAP",
        "venue-a|T-001066|info REDELIVERY",
        "venue-a|T-001069|error REPLAY_OUT_OF_SCOPE",
        "venue-a|T-000680|error UNAUTHORISED_REPLAY_EFFECT"
      })
  void aPlantedProblemIsExplained(String source, String id, String words) {
    Answer answer = explain(source, id);

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out()).contains(words);
  }

  @Test
  void momentsStandInOrderOfTime() throws IOException {
    JsonNode part = json(explain("venue-a", "T-001257", "--format", "json")).at("/keys/0");

    List<String> times = new ArrayList<>();
    List<String> whats = new ArrayList<>();
    for (JsonNode moment : part.get("moments")) {
      times.add(moment.get("at").textValue());
      whats.add(moment.get("what").textValue());
    }
    assertThat(times).isSorted();
    assertThat(whats)
        .containsExactly(
            "received",
            "outbox row created",
            "outbox row claimed",
            "outbox row dispatched",
            "acknowledged",
            "acknowledged",
            "received");
    assertThat(part.at("/effects/0/effect_type").textValue()).isEqualTo("settle");
    assertThat(part.at("/effects/0/had").textValue()).isEqualTo("YES");
    assertThat(part.at("/effects/1/had").textValue()).isEqualTo("NOT_EXPECTED");
    assertThat(part.at("/key/source_event_id").textValue()).isEqualTo("T-001257");
  }

  @Test
  void theSameQuestionHasTheSameAnswer() {
    assertThat(explain("venue-a", "T-001257").out())
        .isEqualTo(explain("venue-a", "T-001257").out());
  }

  // --- what is not there -------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "venue-a|T-00082|the nearest ids of venue-a are T-000819, T-000820",
        "orders|T-000820|another source has the id: {\"source\":\"venue-a\"",
        "venue-b|T-000820|the run has no source venue-b; it has ",
        "venue-a|rx-19b943bcd2a501|it is the ingestion_id of a reception of {\"source\":\"venue-a\"",
        "venue-a|ob-19b939c2052bae|it is the outbox_id of a row of {\"source\":\"venue-a\""
      })
  void anEventThatIsNotThereIsHintedAt(String source, String id, String hint) {
    Answer answer = explain(source, id);

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).contains("has no event " + source + " " + id).contains(hint);
  }

  @Test
  void withoutARunItSaysHowToMakeOne(@TempDir Path folder) {
    Answer answer = Answer.to("explain", "s", "e", "--run", folder.resolve("none"));

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("is no run").contains("name a run's folder");
  }

  @Test
  void theRunThatEndedLastIsTaken(@TempDir Path folder) throws IOException {
    assertThat(FinishedRun.open(shared.resolve("out"), null).id())
        .isEqualTo(run.getFileName().toString());
    assertThat(FinishedRun.open(shared.resolve("out"), run.getFileName().toString()).path())
        .isEqualTo(run);
    assertThatThrownBy(() -> FinishedRun.open(folder.resolve("none"), null))
        .isInstanceOf(NoRunException.class)
        .hasMessageContaining("constat reconcile");
  }

  @Test
  void aRebuildDecidesNothing(@TempDir Path folder) throws IOException {
    Path of = TestFolders.TEST_DATA.resolve("rebuild-two-versions").resolve("constat.yaml");
    Answer rebuilt =
        Answer.to("rebuild", of, "--projection", "volume", "--out", folder, "--runner", "direct");
    assertThat(rebuilt.exitCode()).as(rebuilt.err()).isZero();

    Answer answer = Answer.to("explain", "s", "e1", "--run", TestFolders.onlyRun(folder));

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("is a rebuild").contains("constat reconcile");
  }

  @Test
  void aBrokenRunIsNotReadFrom(@TempDir Path folder) throws IOException {
    Path broken = copy(folder);
    Path part;
    try (var files = Files.list(broken.resolve("decisions"))) {
      part = files.findFirst().orElseThrow();
    }
    Files.write(part, new byte[] {1}, StandardOpenOption.APPEND);

    Answer answer = Answer.to("explain", "venue-a", "T-000820", "--run", broken);

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err()).contains(part.toString()).contains("run again");
  }

  @Test
  void bytesThatAreWrongAreFoundToo(@TempDir Path folder) throws IOException {
    Path broken = copy(folder);
    Path part;
    try (var files = Files.list(broken.resolve("effects"))) {
      part = files.findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(part);
    Arrays.fill(bytes, 4, bytes.length - 8, (byte) 7);
    Files.write(part, bytes);

    Answer answer = Answer.to("explain", "venue-a", "T-000820", "--run", broken);

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err()).contains("run again");
  }

  private static Path copy(Path folder) throws IOException {
    Path copy = folder.resolve("copy");
    try (var files = Files.walk(run)) {
      for (Path file : files.toList()) {
        Path to = copy.resolve(run.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to);
        }
      }
    }
    return copy;
  }

  // --- what has changed since, and what a terminal would obey ------------------------------------

  private static final String EVENT =
      "{\"ingestion_id\":\"i1\",\"source\":\"s\",\"source_event_id\":\"%s\","
          + "\"occurred_at\":\"2026-01-05T10:00:00Z\",\"received_at\":\"2026-01-05T10:00:01Z\","
          + "\"schema_version\":\"2\",\"payload\":{\"a\":\"%s\"}}\n";

  private static Path small(Path folder, String id, String value) throws IOException {
    Files.writeString(
        folder.resolve("constat.yaml"), "constat: 1\narchives:\n  events: {files: e.jsonl}\n");
    Files.writeString(folder.resolve("e.jsonl"), EVENT.formatted(id, value), UTF_8);
    Answer answer =
        Answer.to(
            "reconcile",
            folder.resolve("constat.yaml"),
            "--out",
            folder.resolve("out"),
            "--runner",
            "direct");
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    return TestFolders.onlyRun(folder.resolve("out"));
  }

  @ParameterizedTest
  @CsvSource({"other, another digest", "longer than it was, bytes", ", is gone since the run"})
  void aFileThatHasChangedIsNotShown(String now, String why, @TempDir Path folder)
      throws IOException {
    Path made = small(folder, "e1", "first");
    if (now == null) {
      Files.delete(folder.resolve("e.jsonl"));
    } else {
      Files.writeString(folder.resolve("e.jsonl"), EVENT.formatted("e1", now), UTF_8);
    }

    Answer answer = Answer.to("explain", "s", "e1", "--run", made);

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out())
        .contains("Accepted as the first reception")
        .contains("not shown")
        .contains("e.jsonl")
        .contains(why)
        .doesNotContain("payload: ");
  }

  @Test
  void aRunSpecThatHasChangedOrMovedIsAskedFor(@TempDir Path folder) throws IOException {
    Path made = small(folder, "e1", "first");
    Path kept = folder.resolve("kept.yaml");
    Files.copy(folder.resolve("constat.yaml"), kept);
    Files.writeString(folder.resolve("constat.yaml"), "# x\n", StandardOpenOption.APPEND);

    Answer changed = Answer.to("explain", "s", "e1", "--run", made);
    assertThat(changed.exitCode()).isZero();
    assertThat(changed.err()).contains("has changed since the run").contains("--spec");
    assertThat(changed.out()).contains("Accepted").doesNotContain("payload: ");

    Answer named = Answer.to("explain", "s", "e1", "--run", made, "--spec", kept);
    assertThat(named.err()).isEmpty();
    assertThat(named.out()).contains("payload: {\"a\":\"first\"}");

    Answer wrong =
        Answer.to("explain", "s", "e1", "--run", made, "--spec", folder.resolve("constat.yaml"));
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("its digest is another");

    Files.delete(folder.resolve("constat.yaml"));
    assertThat(Answer.to("explain", "s", "e1", "--run", made).err()).contains("is not here");
  }

  @Test
  void whatATerminalWouldObeyIsShown(@TempDir Path folder) throws IOException {
    Path made = small(folder, "e\\u001b[31m\\u202e", "\\u001b]0;x\\u0007");

    Answer text = Answer.to("explain", "s", "e\u001b[31m\u202e", "--run", made);
    Answer json = Answer.to("explain", "s", "e\u001b[31m\u202e", "--run", made, "--format", "json");
    Answer none = Answer.to("explain", "s", "\u001b[31m", "--run", made);

    assertThat(text.exitCode()).isZero();
    assertThat(text.out() + json.out() + none.err()).doesNotContain("\u001b", "\u202e", "\u0007");
    assertThat(text.out()).contains("e\\u001b[31m\\u202e");
    assertThat(json(json).get("source_event_id").textValue()).isEqualTo("e\u001b[31m\u202e");
  }

  private static JsonNode json(Answer answer) throws IOException {
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    return JSON.readTree(answer.out());
  }
}
