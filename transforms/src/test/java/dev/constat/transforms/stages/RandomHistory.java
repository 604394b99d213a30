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
    int links = chance.nextInt(3) == 0 ? 2 + chance.nextInt(5) : 0;
    for (int i = 0; i < links; i++) {
      link(i, links);
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
    int cells = chance.nextInt(12);
    for (int i = 0; i < cells; i++) {
      if (i > 0 && chance.nextInt(10) < 4) {
        cellAgain();
      } else {
        cell();
      }
    }
    int replays = chance.nextInt(4);
    for (int i = 0; i < replays; i++) {
      replay();
    }
    return records;
  }

  /** A row of the registry of replays. */
  private void replay() {
    ObjectNode replay = add(Input.REPLAYS);
    replay.put("replay_id", pick("r1", "r1", "r2", "r3"));
    maybe(replay, "topic", 2, "t");
    maybe(replay, "from", 5, pick(time().toString(), time().toString(), "2026-01-05T09:00:00"));
    maybe(replay, "to", 5, time().toString());
    maybe(replay, "projection_version", 4, pick("1", "2"));
    if (chance.nextInt(10) < 7) {
      replay.put("effects_authorised", chance.nextInt(4) > 0);
    }
    maybe(replay, "effect_keys", 5, pick("original", "own"));
    maybe(replay, "started_at", 5, time().toString());
  }

  private void event() {
    ObjectNode event = add(Input.EVENTS);
    event.put("ingestion_id", "i" + chance.nextInt(8));
    event.put("source", pick("S", "S", "T"));
    maybe(event, "source_event_id", 8, "e" + chance.nextInt(4));
    Instant occurred = time();
    event.put("occurred_at", occurred.toString());
    boolean soon = chance.nextInt(10) < 6;
    event.put("received_at", (soon ? soonAfter(occurred) : time()).toString());
    maybe(event, "partition", 8, pick("p0", "p0", "p1"));
    if (chance.nextInt(10) < 7) {
      event.put("source_sequence", pick("1", "2", "3", "5", "6", "40", "18446744073709551615"));
    }
    if (chance.nextInt(10) < 2) {
      event.put("schema_version", 1); // a number, which is read as text, and noted
    } else {
      maybe(event, "schema_version", 7, pick("1", "1", "2"));
    }
    maybe(event, "instrument", 7, pick("A", "B"));
    maybe(event, "business_key", 7, pick("b1", "b2"));
    if (chance.nextInt(10) < 3) {
      supersedes(event, "e" + chance.nextInt(5));
    }
    if (chance.nextInt(10) < 8) {
      payload(event);
    }
    maybe(event, "payload_hash", 3, pick("h", "h2", "jcs-exact/1:00", "md5:aa"));
    if (chance.nextInt(10) < 2) {
      event.put("replay_id", "r1");
      maybe(event, "original_event_id", 8, "e" + chance.nextInt(4));
    }
  }

  private void payload(ObjectNode event) {
    ObjectNode payload = event.putObject("payload");
    payload.put("v", chance.nextInt(2)).put("rev", chance.nextInt(2));
    switch (chance.nextInt(6)) {
      case 0 -> payload.put("q", "no number");
      case 1 -> payload.put("q", "2.50");
      case 2 -> payload.putObject("q").put("nested", true);
      case 3 -> {
        // there is none
      }
      default -> payload.put("q", chance.nextInt(100) - 50);
    }
    if (chance.nextInt(10) < 2) {
      payload.put("removed", true);
    }
  }

  private void supersedes(ObjectNode event, String id) {
    event.put("supersedes", id);
    maybe(event, "supersede_reason", 5, "r");
    maybe(event, "supersedes_occurred_at", 3, time().toString());
  }

  /**
   * A link of a chain that may end in a ring or in a fork, a later one seldom before its target.
   */
  private void link(int i, int links) {
    ObjectNode event = add(Input.EVENTS);
    event.put("ingestion_id", "c" + i);
    event.put("source", "S");
    event.put("source_event_id", "c" + i);
    Instant occurred = START.plusSeconds(300L * (i + chance.nextInt(4)));
    event.put("occurred_at", occurred.toString());
    event.put("received_at", soonAfter(occurred).toString());
    event.put("schema_version", "1");
    event.put("business_key", pick("b1", "b1", "b2"));
    payload(event);
    if (i > 0) {
      supersedes(event, "c" + (chance.nextInt(4) == 0 ? chance.nextInt(links) : i - 1));
    } else if (chance.nextInt(5) == 0) {
      supersedes(event, "c" + chance.nextInt(links));
    }
  }

  /** A recorded cell. */
  private void cell() {
    ObjectNode cell = add(Input.PROJECTIONS);
    maybe(cell, "projection", 9, pick("volume", "volume", "order", "order", "unknown"));
    maybe(cell, "projection_version", 9, pick("1", "1", "2", "3", "4"));
    maybe(cell, "business_key", 9, pick("b1", "b1", "b2"));
    maybe(cell, "window_start", 9, pick(time().toString(), "2026-01-05T09:00:00"));
    maybe(cell, "window_end", 2, time().toString());
    if (chance.nextInt(10) < 5) {
      cell.put("n", pick("1", "2"));
    }
    if (chance.nextInt(10) < 5) {
      cell.putObject("values").put("q", chance.nextInt(3)).put("value", chance.nextInt(2));
    }
    if (chance.nextInt(10) < 6) {
      cell.putArray("event_ids").add("e" + chance.nextInt(2));
      maybe(cell, "output_hash", 5, pick("q1", "q2"));
    }
    maybe(cell, "replay_id", 2, "r1");
    maybe(cell, "computed_at", 8, pick("2026-01-05T11:00:00Z", "2026-01-05T11:30:00Z"));
  }

  /** Another computation of the last recorded cell, or a copy of it. */
  private void cellAgain() {
    ObjectNode last = records.get(records.size() - 1).columns();
    ObjectNode cell = add(Input.PROJECTIONS).setAll(last);
    switch (chance.nextInt(5)) {
      case 0 -> cell.put("output_hash", pick("q1", "q2"));
      case 1 -> cell.putObject("values").put("q", chance.nextInt(3)).put("value", 1);
      case 2 -> cell.put("computed_at", "2026-01-05T11:15:00Z");
      case 3 -> cell.put("replay_id", "r1");
      default -> {
        // a copy
      }
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
    row.put("created_at", time().toString());
    maybe(row, "claimed_at", 4, time().toString());
    maybe(row, "lease_until", 4, chance.nextBoolean() ? time().toString() : "2026-01-05T11:00:00");
    maybe(row, "lease_owner", 4, pick("n1", "n2"));
    maybe(row, "dispatched_at", 4, time().toString());
    maybe(row, "dlq_at", 1, time().toString());
    maybe(row, "row_version", 4, pick("1", "2"));
    maybe(row, "replay_id", 1, "r1");
  }

  private void ack() {
    ObjectNode ack = add(Input.ACKNOWLEDGEMENTS);
    maybe(ack, "ack_id", 4, "a" + chance.nextInt(3));
    maybe(ack, "outbox_id", 9, "o" + chance.nextInt(8));
    maybe(ack, "consumer", 9, pick("c1", "c1", "c2"));
    ack.put("acked_at", time().toString());
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
        pick(
            "ACCEPTED",
            "ACCEPTED",
            "EXACT_DUPLICATE",
            "CONFLICTING_DUPLICATE",
            "CORRECTION",
            "LATE",
            "FUTURE"));
    maybe(decision, "decided_at", 8, time().toString());
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
      event.put("business_key", pick("b1", "b2"));
      event.put("partition", pick("p0", "p1"));
      event.putObject("payload").put("v", i).put("q", chance.nextInt(9));
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
  private Instant time() {
    return START.plusSeconds(600L * chance.nextInt(MINUTES / 10));
  }

  /** A time at which something may have been received, late or early by the contract perhaps. */
  private Instant soonAfter(Instant occurred) {
    return occurred.plusSeconds(chance.nextInt(8) * 150L - 150);
  }
}
