package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Ordering;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans on the quickstart, as somebody at a terminal asks for them. */
final class PlanReplayTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path SPEC =
      TestFolders.TEST_DATA.resolve("quickstart").resolve("constat.yaml");
  private static final String FROM = "2026-01-06T08:00:00Z";
  private static final String TO = "2026-01-06T10:00:00Z";

  @TempDir private Path folder;
  private Path out;

  @BeforeEach
  void chooseOut() {
    out = folder.resolve("out");
  }

  private Answer plan(Path spec, Object... more) {
    List<Object> arguments = new ArrayList<>(List.of("plan-replay", spec, "--out", out));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--runner")) {
      arguments.addAll(List.of("--runner", "direct"));
    }
    return Answer.to(arguments.toArray());
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  @Test
  void aReplayIsListedAndNothingIsSent() throws IOException {
    Answer answer = plan(SPEC, "--topic", "order.filled", "--from", FROM, "--to", TO);

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    Path run = TestFolders.onlyRun(out);
    assertThat(TestFolders.names(run))
        .containsExactly(
            "findings.jsonl",
            "replay-plan.jsonl",
            "report.html",
            "run.json",
            "summary.json",
            "withheld.jsonl");
    List<JsonNode> lines = lines(run.resolve("replay-plan.jsonl"));
    assertThat(lines).hasSize(39);
    String batch = lines.get(0).at("/headers/x-replay-batch-id").textValue();
    assertThat(batch).matches("replay-[0-9a-f]{16}");
    List<String> order = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      JsonNode line = lines.get(i);
      assertThat(line.get("position").longValue()).isEqualTo(i + 1);
      assertThat(line.get("topic").textValue()).isEqualTo("order.filled");
      assertThat(line.get("created_at").textValue()).isBetween(FROM, TO);
      assertThat(line.at("/headers/x-replay").textValue()).isEqualTo("true");
      assertThat(line.at("/headers/x-replay-batch-id").textValue()).isEqualTo(batch);
      assertThat(line.at("/headers/x-original-event-id")).isEqualTo(line.get("source_event_id"));
      assertThat(line.get("withheld").toString()).isEqualTo("[\"notify\"]");
      assertThat(line.at("/evidence/file").textValue()).startsWith("events/orders/");
      order.add(line.get("created_at").textValue() + " " + line.get("source_event_id"));
    }
    assertThat(Ordering.natural().isStrictlyOrdered(order)).isTrue();
    assertThat(run.resolve("withheld.jsonl")).isEmptyFile();
    assertThat(answer.out())
        .isEqualTo(
            """
            replay of order.filled, quickstart, as %s
            created from 2026-01-06T08:00:00Z to 2026-01-06T10:00:00Z, both included

              39 events would be published

              effect type              events    effects   acknowledged   withheld
              notify                        0          0              0         39  not replayable
              settle                        0          0              0          0

            nothing was published
            report: %s
            """
                .formatted(batch, run));
    JsonNode summary = JSON.readTree(run.resolve("summary.json").toFile());
    assertThat(summary.at("/replay/events").longValue()).isEqualTo(39);
    assertThat(summary.at("/replay/batch_id").textValue()).isEqualTo(batch);
    assertThat(summary.at("/replay/effects/0/withheld").longValue()).isEqualTo(39);
    assertThat(summary.has("timeliness")).isFalse();
    JsonNode document = JSON.readTree(run.resolve("run.json").toFile());
    assertThat(document.get("command").textValue()).isEqualTo("plan-replay");
    assertThat(document.get("files").toString()).contains("replay-plan.jsonl", "withheld.jsonl");
  }

  @Test
  void effectsOfReplayableTypesArePredicted() throws IOException {
    Answer answer =
        plan(SPEC, "--topic", "trade", "--from", FROM, "--to", TO, "--replay-id", "r-7");

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    Path run = TestFolders.onlyRun(out);
    List<JsonNode> lines = lines(run.resolve("replay-plan.jsonl"));
    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(line.at("/headers/x-replay-batch-id").textValue()).isEqualTo("r-7");
              assertThat(line.at("/effects/0/consumers").toString())
                  .isEqualTo("[\"positions\",\"risk\"]");
              assertThat(line.get("withheld")).isEmpty();
            });
    long acknowledged =
        lines.stream().mapToLong(line -> line.at("/effects/0/already_acknowledged").size()).sum();
    JsonNode settle = JSON.readTree(run.resolve("summary.json").toFile()).at("/replay/effects/1");
    assertThat(settle.get("events").longValue()).isEqualTo(135);
    assertThat(settle.get("predicted").longValue()).isEqualTo(270);
    assertThat(settle.get("already_acknowledged").longValue()).isEqualTo(acknowledged);
    assertThat(acknowledged).isBetween(1L, 270L);
  }

  @Test
  void aRepairSendsWhatNobodyAcknowledged() throws IOException {
    Answer answer = plan(SPEC, "--pending-repair");

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    Path run = TestFolders.onlyRun(out);
    assertThat(TestFolders.names(run))
        .containsExactly(
            "findings.jsonl",
            "repair-plan.jsonl",
            "report.html",
            "run.json",
            "summary.json",
            "withheld.jsonl");
    TreeSet<String> mended = new TreeSet<>();
    List<String> created = new ArrayList<>();
    Map<String, Integer> kinds = new TreeMap<>();
    for (JsonNode line : lines(run.resolve("repair-plan.jsonl"))) {
      line.get("findings").forEach(finding -> mended.add(finding.textValue()));
      kinds.merge(line.get("kind").textValue(), 1, Integer::sum);
      created.add(line.get("created_at").textValue());
      assertThat(line.at("/proof/acks").longValue()).isZero();
      assertThat(line.at("/proof/complete").booleanValue()).isTrue();
      assertThat(line.get("idempotency_key").textValue()).isNotEmpty();
      assertThat(line.get("consumers")).isNotEmpty();
    }
    Map<String, Integer> withheld = new TreeMap<>();
    for (JsonNode line : lines(run.resolve("withheld.jsonl"))) {
      String reason = line.get("reason").textValue();
      withheld.merge(reason, 1, Integer::sum);
      line.get("findings").forEach(finding -> mended.add(finding.textValue()));
    }
    assertThat(withheld)
        .isEqualTo(
            Map.of(
                "AGGREGATE_UNKNOWN",
                4,
                "BLOCKED_BY_HEAD",
                2,
                "DELIVERED_BY_REPLAY",
                6,
                "ORPHAN",
                1));
    assertThat(Ordering.natural().isOrdered(created)).isTrue();
    TreeSet<String> found = new TreeSet<>();
    for (JsonNode finding : lines(run.resolve("findings.jsonl"))) {
      if (List.of(
              "MISSING_OUTBOX",
              "STUCK_PENDING",
              "STUCK_LEASE",
              "IMPLICIT_DLQ",
              "MISSING_ACK",
              "BLOCKED_BY_HEAD")
          .contains(finding.get("kind").textValue())) {
        found.add(finding.get("fingerprint").textValue());
      }
    }
    assertThat(mended).isEqualTo(found);
    JsonNode summary = JSON.readTree(run.resolve("summary.json").toFile());
    assertThat(summary.at("/repair/planned").intValue()).isEqualTo(created.size());
    assertThat(summary.at("/repair/withheld/ORPHAN").intValue()).isEqualTo(1);
    assertThat(answer.out())
        .contains(
            "repair of quickstart\n",
            "settle               STUCK_PENDING ",
            "2 BLOCKED_BY_HEAD: an earlier row of its aggregate holds it back",
            "1 ORPHAN: no event is known for the row",
            "errors that no message mends:",
            "nothing was published\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--topic=trade", "--pending-repair"})
  void bothRunnersGiveTheSameBytes(String what) throws IOException {
    plan(SPEC, what, "--run-id", "one");
    Path other = folder.resolve("elsewhere");
    Answer answer =
        Answer.to(
            "plan-replay",
            SPEC,
            what,
            "--out",
            other,
            "--run-id",
            "one",
            "--runner",
            "embedded",
            "--",
            "--parallelism=2");
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(TestFolders.digests(other.resolve("one")))
        .isEqualTo(TestFolders.digests(out.resolve("one")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--topic=trade", "--pending-repair"})
  void anyNumberOfBucketsGivesTheSameBytes(String what) throws IOException {
    Path spec = TestFolders.copy("quickstart", folder).resolve("constat.yaml");
    Files.writeString(spec, "\nlayout: {buckets: 16}\n", StandardOpenOption.APPEND);
    plan(spec, what, "--run-id", "sixteen");
    Files.writeString(
        spec, Files.readString(spec).replace("layout: {buckets: 16}", "layout: {buckets: 1}"));
    plan(spec, what, "--run-id", "one");
    assertThat(TestFolders.digests(out.resolve("sixteen")))
        .isEqualTo(TestFolders.digests(out.resolve("one")));
  }

  @Test
  void theSummaryIsTheAnswerInJson() throws IOException {
    Answer answer = plan(SPEC, "--pending-repair", "--format", "json");
    assertThat(JSON.readTree(answer.out()).at("/repair/planned").isNumber()).isTrue();
    assertThat(answer.err()).contains("report: " + TestFolders.onlyRun(out));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --from 2026-01-06T08:00:00Z | --topic is missing; name the topic to replay
          --pending-repair --topic trade | leave out --topic, --from, --to and --replay-id
          --topic trade --from noon | 'noon' is not a time
          --topic trade --from 2026-01-06T08:00:01Z --to 2026-01-06T08:00:00Z | is after --to
          --topic trade --replay-id= | --replay-id is empty
          --topic= | --topic is empty
          """)
  void whatCannotBePlannedIsRefused(String arguments, String message) {
    Answer answer = plan(SPEC, (Object[]) arguments.strip().split(" "));
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains(message);
    assertThat(out).doesNotExist();
  }

  private Path small(String archives) throws IOException {
    Files.writeString(
        folder.resolve("events.jsonl"),
        "{\"ingestion_id\":\"1\",\"source\":\"s\",\"source_event_id\":\"a\",\"topic\":\"t\","
            + "\"occurred_at\":\"2026-01-05T10:00:00Z\",\"received_at\":\"2026-01-05T10:00:01Z\","
            + "\"payload\":{\"n\":1}}\n");
    return Files.writeString(
        folder.resolve("constat.yaml"),
        "constat: 1\nname: small\narchives: {events: {files: events.jsonl}"
            + archives
            + "}\neffects: {type: notify}\n");
  }

  @Test
  void aRepairNeedsAnOutbox() throws IOException {
    Answer answer = plan(small(""), "--pending-repair");
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("the run spec has no archives: outbox; configure it");
    assertThat(out).doesNotExist();
  }

  @Test
  void aReplayNeedsEventsAlone() throws IOException {
    Answer answer = plan(small(""), "--topic", "t");
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    JsonNode line = lines(TestFolders.onlyRun(out).resolve("replay-plan.jsonl")).get(0);
    assertThat(line.at("/evidence").toString())
        .isEqualTo("{\"file\":\"events.jsonl\",\"line\":1,\"byte_offset\":0}");
    assertThat(line.get("created_at").textValue()).isEqualTo("2026-01-05T10:00:01Z");
    assertThat(answer.out()).contains("created from the beginning to the end, both included");
  }

  @Test
  void withoutAllAcknowledgementsNothingIsSent() throws IOException {
    Path spec =
        small(
            ", outbox: {files: outbox.jsonl, cut: 2026-01-05T12:00:00Z},"
                + " acknowledgements: {files: acks.jsonl, cut: 2026-01-05T12:00:00Z}");
    Files.writeString(
        folder.resolve("outbox.jsonl"),
        "{\"outbox_id\":\"o1\",\"source\":\"s\",\"source_event_id\":\"a\","
            + "\"effect_type\":\"notify\",\"status\":\"PENDING\",\"attempts\":0,"
            + "\"created_at\":\"2026-01-05T10:00:02Z\"}\n");
    Files.writeString(
        folder.resolve("acks.jsonl"),
        "{\"ack_id\":\"a\",\"outbox_id\":\"o9\",\"acked_at\":\"2026-01-05T09:00:00Z\"}\n{\"ack");
    Answer answer = plan(spec, "--pending-repair");
    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.out())
        .contains(
            "1 ACKNOWLEDGEMENTS_INCOMPLETE: some acknowledgements could not be read",
            "INCONCLUSIVE\n  1 records or files of acknowledgements are unreadable");
    Path run = TestFolders.onlyRun(out);
    assertThat(run.resolve("repair-plan.jsonl")).isEmptyFile();
    assertThat(lines(run.resolve("withheld.jsonl"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h"})
  void helpSaysThatNothingIsSent(String option) {
    Answer answer = Answer.to("plan-replay", option);
    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out())
        .contains(
            "Usage: constat plan-replay",
            "--pending-repair",
            "--topic=TOPIC",
            "A dry run always: nothing is sent.");
  }
}
