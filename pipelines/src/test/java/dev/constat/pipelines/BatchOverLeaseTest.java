package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A worker claims forty rows at once and sends one every two seconds: behind its lease of a minute
 * another worker takes the rest over, and both send them.
 */
class BatchOverLeaseTest {

  private static final Instant START = Instant.parse("2026-01-05T10:00:00Z");
  private static final int ROWS = 40;
  private static final int PACE = 2;
  private static final int TTL = 60;

  @TempDir private Path folder;

  private final List<String> events = new ArrayList<>();
  private final List<String> outbox = new ArrayList<>();
  private final List<String> acks = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"direct", "embedded"})
  void theBatchIsNamed(String runner) throws IOException {
    for (int row = 1; row <= ROWS; row++) {
      deliver(row);
    }
    Files.write(folder.resolve("events.jsonl"), events);
    Files.write(folder.resolve("outbox.jsonl"), outbox);
    Files.write(folder.resolve("acks.jsonl"), acks);
    Files.writeString(
        folder.resolve("constat.yaml"),
        """
        constat: 1
        archives:
          events: {files: events.jsonl, cut: 2026-01-05T12:00:00Z, retention: P30D}
          outbox: {files: outbox.jsonl, cut: 2026-01-05T12:00:00Z, retention: P30D}
          acknowledgements: {files: acks.jsonl, cut: 2026-01-05T12:00:00Z, retention: P30D}
        effects:
          - {type: notify, consumers: [c1]}
        layout: {buckets: 16}
        """);

    Answer answer =
        Answer.to(
            "reconcile",
            folder.resolve("constat.yaml"),
            "--out",
            folder.resolve("out"),
            "--format",
            "json",
            "--runner",
            runner);

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    JsonNode summary = new ObjectMapper().readTree(answer.out());
    JsonNode leases = summary.get("leases").get(0);
    assertThat(leases.get("redeliveries").toString()).isEqualTo("{\"BATCH_OVER_LEASE\":10}");
    assertThat(leases.get("lease_ttl").get("declared").asText()).isEqualTo("PT1M");
    assertThat(leases.get("lease_ttl").get("enough").asText()).isEqualTo("PT1M20S");
    assertThat(leases.get("lease_ttl").get("claims_beyond").asInt()).isEqualTo(10);
    assertThat(leases.get("claims").get("outbox_id").asText()).isEqualTo("o40");
    List<String> found = findings();
    assertThat(found).hasSize(10);
    assertThat(found)
        .allMatch(line -> line.contains("\"hints\":[\"BATCH_OVER_LEASE\",\"LAPSED_LEASE\"]"));
  }

  /** One row: within the lease by n1 alone, behind it by n2, then by n1 too. */
  private void deliver(int row) {
    int sent = row * PACE;
    events.add(
        "{\"ingestion_id\":\"i"
            + row
            + "\",\"source\":\"S\",\"source_event_id\":\"e"
            + row
            + "\",\"occurred_at\":\""
            + START
            + "\",\"received_at\":\""
            + START
            + "\"}");
    if (sent <= TTL) {
      outbox.add(row(row, 1, "DISPATCHED", "n1", 0, sent));
      acks.add(ack(row, sent, "n1"));
    } else {
      int taken = TTL + 1;
      outbox.add(row(row, 1, "PROCESSING", "n1", 0, null));
      outbox.add(row(row, 2, "DISPATCHED", "n2", taken, taken + 1));
      acks.add(ack(row, taken, "n2"));
      acks.add(ack(row, sent, "n1"));
    }
  }

  private static String row(
      int row, int version, String status, String owner, int claimed, Integer dispatched) {
    return "{\"outbox_id\":\"o"
        + row
        + "\",\"source\":\"S\",\"source_event_id\":\"e"
        + row
        + "\",\"effect_type\":\"notify\",\"row_version\":\""
        + version
        + "\",\"status\":\""
        + status
        + "\",\"attempts\":"
        + version
        + ",\"created_at\":\""
        + START
        + "\",\"lease_owner\":\""
        + owner
        + "\",\"claimed_at\":\""
        + START.plusSeconds(claimed)
        + "\",\"lease_until\":\""
        + START.plusSeconds(claimed + TTL)
        + "\""
        + (dispatched == null ? "" : ",\"dispatched_at\":\"" + START.plusSeconds(dispatched) + "\"")
        + "}";
  }

  private static String ack(int row, int second, String worker) {
    return "{\"outbox_id\":\"o"
        + row
        + "\",\"consumer\":\"c1\",\"acked_at\":\""
        + START.plusSeconds(second)
        + "\",\"effect_key\":\"e"
        + row
        + "\",\"worker\":\""
        + worker
        + "\"}";
  }

  private List<String> findings() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("out"))) {
      Path lines = files.filter(file -> file.endsWith("findings.jsonl")).findFirst().orElseThrow();
      return Files.readAllLines(lines);
    }
  }
}
