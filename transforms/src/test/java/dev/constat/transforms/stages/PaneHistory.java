package dev.constat.transforms.stages;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A small history of one partition in whole milliseconds, as an archive and as a stream. Windows,
 * budget and allowed lateness are of a few milliseconds each, so that events meet every edge by
 * chance. Equal seeds give equal histories.
 *
 * <p>The archive also holds what no stream shows: repeats, contradictions, receptions whose clock
 * runs ahead, of an unknown schema version and of another partition.
 */
final class PaneHistory {

  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");
  private static final int TOLERANCE = 10;
  private static final int RECEPTIONS = 30;

  /**
   * How a projection divides time, in milliseconds; other members than its own are 0.
   *
   * @param lateness allowed
   */
  record Division(String name, int size, int every, int gap, int lateness) {

    private String yaml() {
      String window =
          switch (name) {
            case "fixed" -> "fixed: " + duration(size);
            case "sliding" -> "sliding: " + duration(size) + ", every: " + duration(every);
            default -> "session: " + duration(gap);
          };
      return "  - name: %s\n    versions:\n      - {version: '1', kind: windowed, key: %s,\n"
              .formatted(name, name.equals("session") ? "/payload/session" : "business_key")
          + "         window: {%s}, allowed_lateness: %s,\n".formatted(window, duration(lateness))
          + "         aggregates: {n: count, sum: {sum: /qty}}}\n";
    }
  }

  /**
   * An accepted event of the partition, as it arrives.
   *
   * @param watermark before it, in milliseconds, or null
   * @param at occurred_at in milliseconds
   * @param session its key in sessions, or null where it would overlap one that has expired
   */
  record Step(String id, Long watermark, long at, String key, String session, BigDecimal qty) {}

  private final Random chance;
  private final int budget;
  private final Division fixed;
  private final Division sliding;
  private final Division session;
  private final List<ArchiveRecord> records = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final Map<String, List<long[]>> sessions = new TreeMap<>();
  private Long largest;

  private PaneHistory(long seed) {
    chance = new Random(seed);
    budget = chance.nextInt(13);
    fixed = new Division("fixed", 1 + chance.nextInt(12), 0, 0, chance.nextInt(11));
    int size = 2 + chance.nextInt(14);
    sliding = new Division("sliding", size, 1 + chance.nextInt(size), 0, chance.nextInt(11));
    session = new Division("session", 0, 0, 1 + chance.nextInt(8), chance.nextInt(11));
    long received = START.toEpochMilli() + chance.nextInt(40);
    for (int i = 0; i < RECEPTIONS; i++) {
      received += chance.nextInt(6);
      receive(i, received);
    }
  }

  static PaneHistory of(long seed) {
    return new PaneHistory(seed);
  }

  Division fixed() {
    return fixed;
  }

  Division sliding() {
    return sliding;
  }

  Division session() {
    return session;
  }

  /** The run spec, with a projection for each division. */
  RunSpec spec() {
    String text =
        """
        constat: 1
        archives: {events: {files: e}}
        sources:
          - source: "*"
            lateness: {budget: %s, version: "1"}
            future_tolerance: %s
            schema_versions: ["1"]
        projections:
        """
            .formatted(duration(budget), duration(TOLERANCE));
    return RunSpecParser.parse(
        text + fixed.yaml() + sliding.yaml() + session.yaml(), "constat.yaml", "panes");
  }

  /** The archive. */
  List<ArchiveRecord> records() {
    return records;
  }

  /** What a stream shows of it. */
  List<Step> steps() {
    return steps;
  }

  private void receive(int number, long received) {
    String id = "i" + (10 + number);
    int kind = chance.nextInt(100);
    if (kind < 8 && !records.isEmpty()) {
      repeat(id, received);
      return;
    }
    ObjectNode event = event(id, received);
    if (kind < 14) { // its clock runs ahead: FUTURE
      occurred(event, received + TOLERANCE + 1 + chance.nextInt(30));
    } else if (kind < 20) {
      event.put("partition", "another");
      event.remove("business_key");
      occurred(event, received + TOLERANCE);
    } else {
      long at = received + TOLERANCE - chance.nextInt(45);
      occurred(event, at);
      if (kind < 26) { // moves the clock, and is not projected
        event.put("schema_version", "9");
      } else {
        accepted(id, at, event);
      }
      largest = largest == null ? at : Math.max(largest, at);
    }
    records.add(new ArchiveRecord(Input.EVENTS, "rows", event));
  }

  /** A reception of an event that is known: with equal content, or with another one. */
  private void repeat(String id, long received) {
    ObjectNode repeated = records.get(chance.nextInt(records.size())).copy().columns();
    repeated.put("ingestion_id", id);
    repeated.put("received_at", Instant.ofEpochMilli(received).toString());
    occurred(repeated, received + TOLERANCE);
    if (chance.nextBoolean()) {
      repeated.putObject("payload").put("qty", 1_000_000);
    }
    records.add(new ArchiveRecord(Input.EVENTS, "rows", repeated));
  }

  private void accepted(String id, long at, ObjectNode event) {
    String key = chance.nextInt(3) == 0 ? "a" : "b";
    BigDecimal qty = BigDecimal.valueOf(chance.nextInt(2_000) - 500, chance.nextInt(3));
    Long watermark = largest == null ? null : Long.valueOf(largest - budget);
    String sessionKey = joins(key, at, watermark) ? key : null;
    event.put("business_key", key);
    ObjectNode payload = event.putObject("payload").put("qty", qty);
    if (sessionKey != null) {
      payload.put("session", sessionKey);
    }
    steps.add(new Step(id, watermark, at, key, sessionKey, qty));
  }

  /** Whether an event overlaps no session that has expired; if so, it is taken in. */
  private boolean joins(String key, long at, Long watermark) {
    long start = at;
    long end = at + session.gap();
    if (watermark != null && watermark >= end + session.lateness()) {
      return true; // it comes too late, and is not taken in
    }
    List<long[]> open = sessions.computeIfAbsent(key, first -> new ArrayList<>());
    List<long[]> overlapping =
        open.stream().filter(s -> s[0] < at + session.gap() && at < s[1]).toList();
    for (long[] other : overlapping) {
      if (watermark != null && watermark >= other[1] + session.lateness()) {
        return false;
      }
      start = Math.min(start, other[0]);
      end = Math.max(end, other[1]);
    }
    open.removeAll(overlapping);
    open.add(new long[] {start, end});
    return true;
  }

  private ObjectNode event(String id, long received) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("ingestion_id", id)
        .put("source", "S")
        .put("source_event_id", "e" + id)
        .put("partition", "p")
        .put("received_at", Instant.ofEpochMilli(received).toString())
        .put("schema_version", "1")
        .put("business_key", "b");
  }

  private static void occurred(ObjectNode event, long at) {
    event.put("occurred_at", Instant.ofEpochMilli(at).toString());
  }

  private static String duration(int millis) {
    return Duration.ofMillis(millis).toString();
  }
}
