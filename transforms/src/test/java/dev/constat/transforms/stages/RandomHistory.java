package dev.constat.transforms.stages;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.rules.envelope.Input;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Small histories full of collisions: few sources, ids, contents and times, so that every kind of
 * repeat, conflict and contradiction comes up. Equal seeds give equal histories.
 */
final class RandomHistory {

  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
  private static final int MINUTES = 4 * 60;

  private final Random chance;
  private final List<ArchiveRecord> records = new ArrayList<>();

  private RandomHistory(long seed) {
    chance = new Random(seed);
  }

  /** Records that may contradict each other in any way. */
  static List<ArchiveRecord> wild(long seed) {
    return new RandomHistory(seed).wild();
  }

  /**
   * Events that came once, each with one row that was sent and one acknowledgement, long before the
   * cut.
   */
  static List<ArchiveRecord> clean(long seed) {
    return new RandomHistory(seed).clean();
  }

  private List<ArchiveRecord> wild() {
    int events = 1 + chance.nextInt(14);
    for (int i = 0; i < events; i++) {
      event();
    }
    int rows = chance.nextInt(12);
    for (int i = 0; i < rows; i++) {
      row();
    }
    int acks = chance.nextInt(14);
    for (int i = 0; i < acks; i++) {
      ack();
    }
    int decisions = chance.nextInt(8);
    for (int i = 0; i < decisions; i++) {
      decision();
    }
    return records;
  }

  private void event() {
    ObjectNode event = add(Input.EVENTS);
    event.put("ingestion_id", "i" + chance.nextInt(8));
    event.put("source", pick("S", "S", "T"));
    maybe(event, "source_event_id", 8, "e" + chance.nextInt(4));
    event.put("occurred_at", time());
    event.put("received_at", time());
    if (chance.nextInt(10) < 2) {
      event.put("schema_version", 1); // a number, which is read as text, and noted
    } else {
      maybe(event, "schema_version", 7, pick("1", "1", "2"));
    }
    maybe(event, "instrument", 7, pick("A", "B"));
    maybe(event, "business_key", 5, pick("b1", "b2"));
    maybe(event, "supersedes", 2, "e" + chance.nextInt(4));
    if (chance.nextInt(10) < 8) {
      event.putObject("payload").put("v", chance.nextInt(2)).put("rev", chance.nextInt(2));
    }
    maybe(event, "payload_hash", 3, pick("h", "h2", "jcs-exact/1:00", "md5:aa"));
    if (chance.nextInt(10) < 2) {
      event.put("replay_id", "r1");
      maybe(event, "original_event_id", 8, "e" + chance.nextInt(4));
    }
  }

  private void row() {
    ObjectNode row = add(Input.OUTBOX);
    row.put("outbox_id", "o" + chance.nextInt(7));
    if (chance.nextInt(10) < 9) {
      row.put("source", pick("S", "S", "T"));
      maybe(row, "source_event_id", 9, "e" + chance.nextInt(5));
    }
    maybe(row, "instrument", 5, pick("A", "B"));
    maybe(row, "effect_type", 9, pick("notify", "notify", "bill", "odd"));
    maybe(row, "status", 9, pick("PENDING", "PROCESSING", "DISPATCHED", "DISPATCHED", "DLQ"));
    if (chance.nextInt(10) < 8) {
      row.put("attempts", chance.nextInt(7));
    }
    row.put("created_at", time());
    maybe(row, "claimed_at", 4, time());
    maybe(row, "lease_until", 4, chance.nextBoolean() ? time() : "2026-01-05T11:00:00");
    maybe(row, "lease_owner", 4, pick("n1", "n2"));
    maybe(row, "dispatched_at", 4, time());
    maybe(row, "dlq_at", 1, time());
    maybe(row, "row_version", 4, pick("1", "2"));
    maybe(row, "replay_id", 1, "r1");
  }

  private void ack() {
    ObjectNode ack = add(Input.ACKNOWLEDGEMENTS);
    maybe(ack, "ack_id", 4, "a" + chance.nextInt(3));
    maybe(ack, "outbox_id", 9, "o" + chance.nextInt(8));
    maybe(ack, "consumer", 9, pick("c1", "c1", "c2"));
    ack.put("acked_at", time());
    maybe(ack, "effect_key", 8, pick("k1", "k1", "k2"));
    if (chance.nextInt(10) < 4) {
      ack.put("applied", chance.nextBoolean());
    }
    maybe(ack, "worker", 4, pick("n1", "n2"));
    maybe(ack, "replay_id", 1, "r1");
    if (chance.nextInt(10) < 2) {
      ack.put("source", "S");
      ack.put("source_event_id", "e" + chance.nextInt(4));
    }
  }

  private void decision() {
    ObjectNode decision = add(Input.DECISIONS);
    decision.put("ingestion_id", "i" + chance.nextInt(10));
    decision.put(
        "decision",
        pick("ACCEPTED", "ACCEPTED", "EXACT_DUPLICATE", "CONFLICTING_DUPLICATE", "CORRECTION"));
    maybe(decision, "decided_at", 8, time());
  }

  private List<ArchiveRecord> clean() {
    int events = 2 + chance.nextInt(6);
    for (int i = 0; i < events; i++) {
      Instant at = START.plusSeconds(60L * chance.nextInt(MINUTES / 2));
      ObjectNode event = add(Input.EVENTS);
      event.put("ingestion_id", "i" + i);
      event.put("source", "S");
      event.put("source_event_id", "e" + i);
      event.put("occurred_at", at.toString());
      event.put("received_at", at.plusSeconds(1).toString());
      event.put("schema_version", "1");
      event.putObject("payload").put("v", i);
      ObjectNode row = add(Input.OUTBOX);
      row.put("outbox_id", "o" + i);
      row.put("source", "S");
      row.put("source_event_id", "e" + i);
      row.put("effect_type", "notify");
      row.put("status", "DISPATCHED");
      row.put("attempts", 1);
      row.put("created_at", at.plusSeconds(2).toString());
      ObjectNode ack = add(Input.ACKNOWLEDGEMENTS);
      ack.put("outbox_id", "o" + i);
      ack.put("consumer", "c1");
      ack.put("acked_at", at.plusSeconds(3).toString());
      ack.put("effect_key", "k" + i);
      ObjectNode decision = add(Input.DECISIONS);
      decision.put("ingestion_id", "i" + i);
      decision.put("decision", "ACCEPTED");
      decision.put("decided_at", at.plusSeconds(4).toString());
    }
    return records;
  }

  private ObjectNode add(Input input) {
    ObjectNode columns = JsonNodeFactory.instance.objectNode();
    records.add(new ArchiveRecord(input, "rows", columns));
    return columns;
  }

  private void maybe(ObjectNode columns, String name, int ofTen, String value) {
    if (chance.nextInt(10) < ofTen) {
      columns.put(name, value);
    }
  }

  private String pick(String... values) {
    return values[chance.nextInt(values.length)];
  }

  /** A time of few, so that ties come up. */
  private String time() {
    return START.plusSeconds(600L * chance.nextInt(MINUTES / 10)).toString();
  }
}
