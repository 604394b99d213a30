package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.StatedGraver;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;
import dev.constat.transforms.outputs.FindingSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FindingsTest {

  @TempDir private Path staging;

  @ParameterizedTest
  @CsvSource({"1, 256", "7, 256", "40, 2", "40, 3", "9, 9", "10, 9"})
  void mergesShardsLikeOneSortedMap(int shards, int openFiles) throws Exception {
    Random random = new Random(shards * 31L + openFiles);
    FindingShards sink = new FindingShards(staging.toString());
    TreeMap<byte[], Finding> oracle = new TreeMap<>(Arrays::compareUnsigned);
    List<FindingSink.Receipt> receipts = new ArrayList<>();
    for (int bucket = 0; bucket < shards; bucket++) {
      TreeMap<byte[], Finding> shard = new TreeMap<>(Arrays::compareUnsigned);
      for (int left = random.nextInt(60); left > 0; left--) {
        add(finding(random), shard);
      }
      shard.values().forEach(finding -> add(finding, oracle));
      write(sink, bucket, shard.values()).ifPresent(receipts::add);
    }
    List<Finding> merged = new ArrayList<>();
    sink.merge(receipts, openFiles, merged::add);

    assertThat(merged).containsExactlyElementsOf(oracle.values());
    assertThat(Folders.list(staging.resolve(".shards"))).hasSameSizeAs(receipts);
  }

  /** In whichever shards they stand, and over several passes. */
  @ParameterizedTest
  @ValueSource(ints = {2, 256})
  void whatWasStatedGraverIsNotStatedAgain(int openFiles) throws Exception {
    FindingShards sink = new FindingShards(staging.toString());
    List<FindingSink.Receipt> receipts = new ArrayList<>();
    List<Finding> stated =
        List.of(
            violation("o1", Level.WARNING),
            violation("o2", Level.WARNING),
            violation("o1", Level.ERROR),
            violation("o3", Level.ERROR));
    for (int i = 0; i < stated.size(); i++) {
      write(sink, i, List.of(stated.get(i))).ifPresent(receipts::add);
    }
    for (int repeat = 0; repeat < 2; repeat++) {
      List<Finding> merged = new ArrayList<>();
      sink.merge(receipts, openFiles, merged::add);
      assertThat(merged).containsExactly(stated.get(2), stated.get(3), stated.get(1));
    }
  }

  private static Finding violation(String outboxId, Level level) {
    return Statement.of(Kind.ORDER_VIOLATION, new JsonObject().put("outbox_id", outboxId))
        .as(level)
        .because("why")
        .under("order/1")
        .hint(true, StatedGraver.DLQ_RESUBMIT)
        .finding();
  }

  @Test
  void findingsOutOfOrderAreABug() throws Exception {
    FindingShards sink = new FindingShards(staging.toString());
    try (FindingSink.Shard shard = sink.open("events", 0)) {
      shard.add(simple("{\"outbox_id\":\"b\"}"));
      assertThatThrownBy(() -> shard.add(simple("{\"outbox_id\":\"a\"}")))
          .hasMessageStartingWith("[BUG] Findings of .shards/events-00000 out of order");
      assertThatThrownBy(() -> shard.add(simple("{\"outbox_id\":\"b\"}")))
          .hasMessageStartingWith("[BUG]");
    }
    assertThat(Folders.list(staging.resolve(".shards"))).isEmpty();
  }

  @Test
  void aShardThatIsNotWhatItsReceiptSaysIsNamed() throws Exception {
    FindingShards sink = new FindingShards(staging.toString());
    FindingSink.Receipt receipt = write(sink, 0, List.of(simple("{}"))).orElseThrow();
    Files.write(staging.resolve(receipt.file()), new byte[3]);
    assertThatThrownBy(() -> sink.merge(List.of(receipt), finding -> {}))
        .isInstanceOf(OutputException.class)
        .hasMessageContaining(".shards/events-00000");
  }

  @Test
  void aFindingIsOneLineWithEveryKey() throws Exception {
    Finding finding =
        new Finding(
            Kind.MISSING_OUTBOX,
            Level.ERROR,
            "{\"effect_type\":\"notify\",\"source\":\"venue-a\",\"source_event_id\":\"t-1\"}",
            Sentence.of("No outbox row for an accepted event."),
            "{\n  \"rows\": 1\n}",
            "{\"rows\":0}",
            "outbox/1",
            ImmutableList.of(new Place(0, 1, 2, 345, 6), new Place(1, 0, 0, 7, 0)),
            Instant.parse("2026-01-05T12:00:00.5Z"),
            null,
            ImmutableSortedSet.of("WRONG_SCOPE", "INPUT_INCOMPLETE"),
            1);
    assertThat(line(finding))
        .isEqualTo(
            "{\"fingerprint\":\""
                + finding.fingerprint()
                + "\","
                + "\"kind\":\"MISSING_OUTBOX\",\"level\":\"error\",\"state\":null,"
                + "\"subject\":{\"effect_type\":\"notify\",\"source\":\"venue-a\","
                + "\"source_event_id\":\"t-1\"},"
                + "\"reason\":\"No outbox row for an accepted event.\","
                + "\"expected\":{   \"rows\": 1 },\"actual\":{\"rows\":0},"
                + "\"rule\":\"outbox/1\","
                + "\"evidence\":[{\"file\":\"events.jsonl\",\"line\":7,\"byte_offset\":345},"
                + "{\"file\":\"outbox.parquet\",\"row_group\":0,\"row\":7}],"
                + "\"first_at\":\"2026-01-05T12:00:00.500Z\",\"last_at\":null,"
                + "\"hints\":[\"INPUT_INCOMPLETE\",\"WRONG_SCOPE\"],\"occurrences\":1}\n");
  }

  @Test
  void theFingerprintDigestsKindAndSubject() {
    // printf '{"kind":"MISSING_ACK","subject":{"outbox_id":"o-1"}}' | sha256sum
    assertThat(simple("{\"outbox_id\":\"o-1\"}").fingerprint())
        .isEqualTo("c2faee9bf82b04c934fca66e37fee13c");
  }

  @Test
  void hostileIdsStayHarmlessAndReadable() throws Exception {
    String id =
        "\u001b[2J\u0000\u0007\r\n\"\\\u007f\u009b31m\u202egnp.exe\u2066\u2028é\uD83D\uDE00";
    ObjectMapper json = new ObjectMapper();
    String subject = json.writeValueAsString(Map.of("outbox_id", id));
    Finding finding =
        new Finding(
            Kind.MISSING_ACK,
            Level.ERROR,
            subject,
            Sentence.of("Row ").value("outbox_id", id).and(" has no ack."),
            "{}",
            "{}",
            "ack/1",
            ImmutableList.of(new Place(0, 0, 0, 0, 0)),
            null,
            null,
            ImmutableSortedSet.of(),
            1);
    String line = line(finding);

    assertThat(line.substring(0, line.length() - 1).chars().noneMatch(JsonText::isObeyed)).isTrue();
    assertThat(line).contains("\\u001B[2J").contains("\\u009b31m").contains("\\u202egnp.exe");
    assertThat(line).contains("é\uD83D\uDE00");
    JsonNode read = json.readTree(line);
    assertThat(read.get("subject").get("outbox_id").textValue()).isEqualTo(id);
    assertThat(read.get("reason").textValue()).isEqualTo("Row " + id + " has no ack.");
  }

  private static String line(Finding finding) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (FindingLines lines = FindingLines.to(out, FindingsTest::evidence)) {
      lines.write(finding, null);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Evidence evidence(Place place) {
    return place.input() == 0
        ? new Evidence.Line("events.jsonl", place.line() + 1L, place.position())
        : new Evidence.Row("outbox.parquet", place.part(), place.position());
  }

  private static Optional<FindingSink.Receipt> write(
      FindingShards sink, int bucket, Collection<Finding> findings) throws Exception {
    try (FindingSink.Shard shard = sink.open("events", bucket)) {
      for (Finding finding : findings) {
        shard.add(finding);
      }
      return shard.finish();
    }
  }

  private static void add(Finding finding, TreeMap<byte[], Finding> findings) {
    findings.merge(FindingCodec.sortKey(finding), finding, Finding::merge);
  }

  private static Finding simple(String subject) {
    return new Finding(
        Kind.MISSING_ACK,
        Level.ERROR,
        subject,
        Sentence.of("No ack."),
        "{}",
        "{}",
        "ack/1",
        ImmutableList.of(),
        null,
        null,
        ImmutableSortedSet.of(),
        1);
  }

  private static Finding finding(Random random) {
    Kind[] kinds = {Kind.INPUT_NOTE, Kind.MISSING_ACK, Kind.DLQ};
    Kind kind = kinds[random.nextInt(kinds.length)];
    return new Finding(
        kind,
        kind.level(),
        "{\"outbox_id\":\"" + HexFormat.of().toHexDigits((byte) random.nextInt(120)) + "\"}",
        Sentence.of("reason ").and(random.nextInt(3)),
        "{}",
        "{}",
        "rule/1",
        ImmutableList.of(new Place(1, random.nextInt(3), 0, random.nextInt(50), 0)),
        random.nextBoolean() ? null : Instant.ofEpochSecond(random.nextInt(1000)),
        random.nextBoolean() ? null : Instant.ofEpochSecond(random.nextInt(1000)),
        ImmutableSortedSet.of("HINT_" + random.nextInt(3)),
        1 + random.nextInt(5));
  }
}
