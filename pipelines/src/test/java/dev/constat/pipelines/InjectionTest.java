package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Splitter;
import dev.constat.pipelines.output.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever stands in records and in names of files, terminals, log readers, scrapers and readers of
 * JSON take it for text.
 */
final class InjectionTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What markup, terminals, spreadsheets, lines and labels would obey. */
  private static final String HOSTILE =
      "=cmd|'/c x'!A0+-@<script>alert(1)</script>\u001b[2J\u001b]0;x\u0007\u009b31m\r\n\t\u0000"
          + "\u202e\u2066\u2028\u2029\u0085\ufeff\"'\\%0a`$(x)\",le=\"1\"} 1\nconstat_verdict 9\n# ";

  private static final String FILE = "=a\u001b[31m<b>'\"%0a\nb";

  private static final Pattern SAMPLE =
      Pattern.compile(
          "[a-zA-Z_:][a-zA-Z0-9_:]*"
              + "(\\{[a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\\\\n]|\\\\[\\\\\"n])*\""
              + "(,[a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\\\\n]|\\\\[\\\\\"n])*\")*\\})?"
              + " [-+0-9.eEInfNa]+");

  private static final Pattern COMMENT =
      Pattern.compile("# (HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* [ -~]*");

  @TempDir private Path temporary;

  @Test
  void everyOutputIsHarmless() throws Exception {
    Path hostile = archive("hostile", HOSTILE, FILE);
    Path tame = archive("tame", "tame", "tame");
    Path out = temporary.resolve("out");
    Answer answer = Answer.to("reconcile", hostile, "--out", out);
    Answer expected = Answer.to("reconcile", tame, "--out", temporary.resolve("tame-out"));
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(expected.exitCode()).isLessThan(4);
    assertHarmless(answer);
    assertThat(answer.out().lines()).hasSameSizeAs(expected.out().lines().toList());

    Path run = TestFolders.onlyRun(out);
    Path tameRun = TestFolders.onlyRun(temporary.resolve("tame-out"));
    List<String> findings = lines(run.resolve("findings.jsonl"));
    assertThat(findings).isNotEmpty().hasSameSizeAs(lines(tameRun.resolve("findings.jsonl")));
    boolean shown = false;
    for (String line : findings) {
      assertHarmless(line);
      shown |= texts(JSON.readTree(line)).anyMatch(text -> text.contains("<script>"));
    }
    assertThat(shown).isTrue();
    for (String document : List.of("summary.json", "run.json")) {
      String text = Files.readString(run.resolve(document));
      assertHarmless(text);
      JSON.readTree(text);
    }
    List<String> samples = lines(run.resolve("metrics.prom"));
    assertThat(samples).hasSameSizeAs(lines(tameRun.resolve("metrics.prom")));
    for (String sample : samples) {
      assertHarmless(sample);
      assertThat(SAMPLE.matcher(sample).matches() || COMMENT.matcher(sample).matches())
          .as(sample)
          .isTrue();
    }
    assertThat(sources(run)).containsOnly(HOSTILE);

    for (String format : List.of("text", "json")) {
      Answer explained = Answer.to("explain", HOSTILE, HOSTILE, "--run", run, "--format", format);
      assertThat(explained.exitCode()).as(explained.err()).isZero();
      assertHarmless(explained);
    }
    Answer unknown = Answer.to("explain", HOSTILE, HOSTILE + "x", "--run", run);
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertHarmless(unknown);
  }

  @Test
  void plansAndMessagesAreHarmless() throws Exception {
    Path spec = archive("hostile", HOSTILE, FILE);
    Path plan = temporary.resolve("plan");
    Answer replay = Answer.to("plan-replay", spec, "--topic", HOSTILE, "--out", plan);
    assertHarmless(replay);
    Answer repair = Answer.to("plan-replay", spec, "--pending-repair", "--out", plan);
    assertHarmless(repair);
    for (Path run : TestFolders.runs(plan)) {
      for (String table : List.of("replay-plan", "repair-plan", "withheld")) {
        Path file = run.resolve(table + ".jsonl");
        if (Files.exists(file)) {
          for (String line : lines(file)) {
            assertHarmless(line);
            assertThat(JSON.readTree(line).isObject()).isTrue();
          }
        }
      }
    }
    Answer unreadable = Answer.to("reconcile", temporary.resolve("no\u001b[31m\nspec.yaml"));
    assertThat(unreadable.exitCode()).isEqualTo(2);
    assertHarmless(unreadable);
    assertThat(unreadable.err().lines()).hasSize(1);
    assertHarmless(Answer.to("reconcile", spec, "--run-id", "\u001b[31m\n"));
    assertHarmless(Answer.to("recon\u001b[31m\ncile"));
    assertHarmless(Answer.to("reconcile", spec, "--un\u001b[31mknown"));
  }

  @Test
  void messagesAboutTheRunSpecEchoNoCredential() throws IOException {
    Path spec = temporary.resolve("constat.yaml");
    String secret = "hunter2-secret";
    for (String text :
        List.of(
            "outbox: {files: o.jsonl, password: " + secret + "}",
            "outbox:\n    files: o.jsonl\n    password: " + secret,
            "outbox: {files: o.jsonl, password_env: " + secret + "}",
            "outbox: {jdbc: 'jdbc:postgresql://db/shop?password=" + secret + "', table: t}",
            "outbox: {jdbc: 'jdbc:oracle://me:" + secret + "@db/shop', table: t}",
            "outbox: {files: o.jsonl, user: admin, password: '" + secret + "}",
            "outbox: {files: o.jsonl}\npassword: " + secret,
            "outbox: {files: o.jsonl, password: [" + secret + "]}",
            "outbox: {files: o.jsonl, password: " + secret + ": x}",
            "outbox: {files: o.jsonl, password: \"" + secret + "\\q\"}")) {
      Files.writeString(
          spec, "constat: 1\narchives:\n  events: {files: e.jsonl}\n  " + text + "\n");
      Answer answer = Answer.to("reconcile", spec, "--out", temporary.resolve("never"));
      assertThat(answer.exitCode()).as(text).isEqualTo(2);
      assertThat(answer.out() + answer.err()).as(text).doesNotContain(secret);
    }
  }

  // --- the archive ----------------------------------------------------------------------------

  private Path archive(String name, String text, String file) throws IOException {
    Path folder = Files.createDirectories(temporary.resolve(name));
    ObjectNode event =
        record(
            text,
            "ingestion_id",
            "source",
            "source_event_id",
            "partition",
            "schema_version",
            "business_key",
            "topic",
            "aggregate_type",
            "aggregate_id");
    event.put("occurred_at", "2026-01-05T10:00:00Z").put("received_at", "2026-01-05T10:00:01Z");
    event.putObject("payload").put(text, text);
    ObjectNode conflict = event.deepCopy();
    conflict.put("ingestion_id", text + "2").put("received_at", "2026-01-05T10:00:02Z");
    conflict.putObject("payload").put("x", text);
    ObjectNode replayed = event.deepCopy();
    replayed.put("ingestion_id", text + "3").put("replay_id", text).put("original_event_id", text);
    replayed.put("received_at", "2026-01-05T11:00:00Z");
    ObjectNode correction = event.deepCopy();
    correction.put("ingestion_id", text + "4").put("source_event_id", text + "4");
    correction.put("supersedes", text + "gone").put("supersede_reason", text);
    ObjectNode unreadable = event.deepCopy();
    unreadable.put("ingestion_id", text + "5").put("occurred_at", text);
    write(folder, "events", file, event, conflict, replayed, correction, unreadable);

    ObjectNode row =
        record(
            text,
            "outbox_id",
            "source",
            "source_event_id",
            "effect_type",
            "topic",
            "aggregate_type",
            "aggregate_id",
            "lease_owner");
    row.put("status", "PROCESSING").put("created_at", "2026-01-05T10:00:02Z").put("attempts", 9);
    ObjectNode orphan = row.deepCopy();
    orphan.put("outbox_id", text + "2").put("source_event_id", text + "nobody");
    write(folder, "outbox", file, row, orphan);

    ObjectNode ack = record(text, "ack_id", "outbox_id", "consumer", "effect_key", "worker");
    ack.put("acked_at", "2026-01-05T10:00:03Z");
    ObjectNode second = ack.deepCopy();
    second.put("ack_id", text + "2").put("effect_key", text + "2");
    ObjectNode loose = ack.deepCopy();
    loose.put("ack_id", text + "3").put("outbox_id", text + "nowhere");
    ObjectNode ofReplay = ack.deepCopy();
    ofReplay.put("ack_id", text + "4").put("replay_id", text + "unknown");
    write(folder, "acknowledgements", file, ack, second, loose, ofReplay);

    ObjectNode decision = record(text, "ingestion_id", "reason", "rule_version");
    decision.put("decision", "FUTURE").put("decided_at", "2026-01-05T10:00:04Z");
    ObjectNode ofNobody = decision.deepCopy();
    ofNobody.put("ingestion_id", text + "nobody");
    write(folder, "decisions", file, decision, ofNobody);

    ObjectNode cell = record(text, "business_key", "replay_id");
    cell.put("projection", "last").put("projection_version", "1");
    cell.put("computed_at", "2026-01-05T10:00:05Z").putObject("values").put("value", text + "?");
    write(folder, "projections", file, cell);

    ObjectNode replay = record(text, "replay_id", "topic", "projection_version");
    replay.put("from", "2026-01-05T09:00:00Z").put("to", "2026-01-05T11:00:00Z");
    replay.put("effects_authorised", false).put("started_at", "2026-01-05T11:00:00Z");
    write(folder, "replays", file, replay);

    Path spec = folder.resolve("constat.yaml");
    Files.writeString(
        spec,
        """
        constat: 1
        name: %s
        archives:
          events: {files: events/*, cut: 2026-01-06T00:00:00Z}
          outbox: {files: outbox/*, cut: 2026-01-06T00:00:00Z}
          acknowledgements: {files: acknowledgements/*, cut: 2026-01-06T00:00:00Z}
          decisions: {files: decisions/*, cut: 2026-01-06T00:00:00Z}
          projections: {files: projections/*, cut: 2026-01-06T00:00:00Z}
          replays: {files: replays/*}
        effects:
          - {type: %s, consumers: [%s, other], order: aggregate}
        projections:
          - name: last
            versions:
              - {version: "1", kind: current, key: business_key, value: /x}
        """
            .formatted(quoted(printable(text)), quoted(printable(text)), quoted(printable(text))));
    return spec;
  }

  /** YAML takes no control characters, escaped or not, in what this says. */
  private static String printable(String text) {
    return text.equals("tame") ? "named" : "<script>=1\u202e\"'%0a";
  }

  private static String quoted(String text) throws IOException {
    return JSON.writeValueAsString(text);
  }

  private static ObjectNode record(String text, String... columns) {
    ObjectNode record = JSON.createObjectNode();
    for (String column : columns) {
      record.put(column, text);
    }
    return record;
  }

  private static void write(Path folder, String input, String file, ObjectNode... records)
      throws IOException {
    List<String> lines = new ArrayList<>();
    for (ObjectNode record : records) {
      lines.add(JSON.writeValueAsString(record));
    }
    Path target = Files.createDirectories(folder.resolve(input)).resolve(file + ".jsonl");
    Files.write(target, (String.join("\n", lines) + "\n").getBytes(UTF_8));
  }

  // --- what is held against it ------------------------------------------------------------------

  private static void assertHarmless(Answer answer) {
    assertHarmless(answer.out());
    assertHarmless(answer.err());
  }

  private static void assertHarmless(String text) {
    assertThat(text.codePoints().filter(c -> c != '\n' && JsonText.isObeyed(c)).boxed())
        .as(text)
        .isEmpty();
  }

  private static List<String> lines(Path file) throws IOException {
    String text = Files.readString(file);
    return text.isEmpty() ? List.of() : Splitter.on('\n').splitToList(text.strip());
  }

  private static Stream<String> texts(JsonNode node) {
    if (node.isTextual()) {
      return Stream.of(node.textValue());
    }
    List<String> below = new ArrayList<>();
    node.forEach(child -> texts(child).forEach(below::add));
    return below.stream();
  }

  private static List<String> sources(Path run) throws Exception {
    List<String> sources = new ArrayList<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement();
        ResultSet rows =
            sql.executeQuery(
                "SELECT source FROM read_parquet('" + run.resolve("decisions") + "/*.parquet')")) {
      while (rows.next()) {
        sources.add(rows.getString(1));
      }
    }
    return sources;
  }
}
