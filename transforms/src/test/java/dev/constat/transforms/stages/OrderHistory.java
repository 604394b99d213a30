package dev.constat.transforms.stages;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.rules.envelope.Input;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Outbox rows of a few aggregates, delivered in any order, or not, given up, sent again, held back;
 * and what the rules say of them, worked out by comparing every row with every other.
 */
final class OrderHistory {

  private static final BigInteger ZERO = BigInteger.ZERO;

  static final Instant CUT = Instant.parse("2026-01-05T12:00:00Z");
  static final Instant FROM = Instant.parse("2026-01-05T09:30:00Z");

  private static final Duration GRACE = Duration.ofMinutes(10);
  private static final Duration PENDING_AFTER = Duration.ofMinutes(30);
  private static final int MINUTES = 180;
  private static final List<String> ORDERED = List.of("notify", "bill");

  private final Random chance;
  private final boolean integerIds;
  private final boolean fromGiven;
  private final List<ArchiveRecord> records = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  /** One outbox row as the oracle sees it; its times are null where nothing says them. */
  private static final class Row {
    private String id;
    private String type;
    private String aggregate;
    private boolean replayed;
    private boolean conflict;
    private String status;
    private Long attempts;
    private Long priority;
    private Instant created;
    private Instant visible;
    private Instant sent;
    private Instant acked;
    private Instant dead;
    private boolean sentUnknown;
    private boolean deadUnknown;

    boolean ordered() {
      return ORDERED.contains(type);
    }

    Instant delivery() {
      return acked != null ? acked : sent;
    }

    Instant due() {
      return visible != null && visible.isAfter(created) ? visible : created;
    }

    boolean open() {
      return "PENDING".equals(status) || "PROCESSING".equals(status);
    }

    boolean unknown() {
      return deadUnknown
          || delivery() == null && sentUnknown
          || delivery() == null && dead == null && !open();
    }

    /** When it lets go; {@link Instant#MAX} where it does not. */
    Instant released() {
      if (delivery() == null && dead == null) {
        return Instant.MAX;
      }
      return delivery() == null || dead != null && dead.isBefore(delivery()) ? dead : delivery();
    }

    boolean resubmitted() {
      return dead != null && delivery() != null && dead.isBefore(delivery());
    }
  }

  OrderHistory(long seed, boolean integerIds, boolean fromGiven) {
    this.chance = new Random(seed);
    this.integerIds = integerIds;
    this.fromGiven = fromGiven;
    int count = 1 + chance.nextInt(30);
    int wildness = chance.nextInt(4);
    HashSet<String> ids = new HashSet<>();
    while (rows.size() < count) {
      String digits = (chance.nextInt(8) == 0 ? "0" : "") + chance.nextInt(200);
      if (ids.add(digits)) {
        row(digits, wildness);
      }
    }
  }

  List<ArchiveRecord> records() {
    return records;
  }

  private Instant time(int from, int to) {
    return CUT.minus(Duration.ofMinutes(MINUTES - from - chance.nextInt(Math.max(1, to - from))));
  }

  private void row(String id, int wildness) {
    Row row = new Row();
    row.id = id;
    row.type = List.of("notify", "notify", "notify", "bill", "mail").get(chance.nextInt(5));
    row.aggregate = List.of("a1", "a1", "a1", "a2", "-").get(chance.nextInt(5));
    row.replayed = chance.nextInt(15) == 0;
    int minute = chance.nextInt(MINUTES - 5);
    row.created = time(minute, minute + 1);
    row.status =
        List.of("DISPATCHED", "DISPATCHED", "DISPATCHED", "PENDING", "PROCESSING", "DLQ")
            .get(chance.nextInt(wildness == 0 ? 3 : 6));
    row.attempts = chance.nextInt(6) == 0 ? null : Long.valueOf(chance.nextInt(3));
    row.priority = chance.nextInt(6) == 0 ? null : Long.valueOf(chance.nextInt(2));
    row.visible = chance.nextInt(3) == 0 ? time(minute, MINUTES) : null;
    boolean delivered = row.status.equals("DISPATCHED") ? chance.nextInt(9) > 0 : wildness > 2;
    if (delivered && chance.nextInt(4) > 0) {
      row.sent = time(minute, Math.min(MINUTES, minute + 20));
      row.sentUnknown = chance.nextInt(12) == 0;
    }
    if (row.status.equals("DLQ") || chance.nextInt(4) == 0) {
      row.dead = chance.nextInt(7) == 0 ? null : time(minute, Math.min(MINUTES, minute + 8));
      row.deadUnknown = row.dead != null && chance.nextInt(12) == 0;
    }
    ObjectNode columns = record(row);
    if (chance.nextInt(12) == 0) {
      ObjectNode other = columns.deepCopy();
      other.put("topic", "another");
      records.add(new ArchiveRecord(Input.OUTBOX, "rows", other));
      row.conflict = true;
    }
    if (delivered && !row.replayed && chance.nextInt(2) == 0) {
      for (int acks = 1 + chance.nextInt(3); acks > 0; acks--) {
        ack(row, time(minute, Math.min(MINUTES, minute + 25)));
      }
    }
    row.sent = row.sentUnknown ? null : row.sent;
    row.dead = row.deadUnknown ? null : row.dead;
    rows.add(row);
  }

  private ObjectNode record(Row row) {
    ObjectNode columns = JsonNodeFactory.instance.objectNode();
    columns.put("outbox_id", row.id).put("effect_type", row.type).put("status", row.status);
    columns.put("created_at", row.created.toString());
    columns.put("source", "S").put("source_event_id", "e" + row.id);
    event(row);
    if (!row.aggregate.equals("-")) {
      columns.put("aggregate_id", row.aggregate);
    }
    if (row.aggregate.equals("a1")) {
      columns.put("aggregate_type", "acct");
    }
    if (row.replayed) {
      columns.put("replay_id", "r1");
    }
    if (row.attempts != null) {
      columns.put("attempts", row.attempts);
    }
    if (row.priority != null) {
      columns.put("priority", row.priority);
    }
    put(columns, "visible_at", row.visible, false);
    put(columns, "dispatched_at", row.sent, row.sentUnknown);
    put(columns, "dlq_at", row.dead, row.deadUnknown);
    records.add(new ArchiveRecord(Input.OUTBOX, "rows", columns));
    return columns;
  }

  /** Its event, which may have been late. */
  private void event(Row row) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("ingestion_id", "i" + row.id).put("source", "S").put("source_event_id", "e" + row.id);
    Instant late = row.created.minus(Duration.ofMinutes(chance.nextInt(20)));
    event.put("occurred_at", late.toString()).put("received_at", row.created.toString());
    records.add(new ArchiveRecord(Input.EVENTS, "rows", event));
  }

  private static void put(ObjectNode columns, String name, Instant time, boolean unzoned) {
    if (time != null) {
      columns.put(name, unzoned ? time.toString().replace("Z", "") : time.toString());
    }
  }

  private void ack(Row row, Instant at) {
    ObjectNode ack = JsonNodeFactory.instance.objectNode();
    ack.put("outbox_id", row.id).put("consumer", "c1").put("acked_at", at.toString());
    ack.put("effect_key", "k" + chance.nextInt(2));
    boolean counts = true;
    if (chance.nextInt(5) == 0) {
      ack.put("applied", false);
      counts = false;
    }
    if (chance.nextInt(5) == 0) {
      ack.put("replay_id", "r1");
      counts = false;
    }
    if (counts && (row.acked == null || at.isBefore(row.acked))) {
      row.acked = at;
    }
    records.add(new ArchiveRecord(Input.ACKNOWLEDGEMENTS, "rows", ack));
  }

  private boolean judged(Row row) {
    return !fromGiven || !row.created.isBefore(FROM);
  }

  /** Rows of one aggregate that keep order, or that do not, in the order of the contract. */
  private List<Row> inOrder(String aggregate, boolean ordered) {
    return rows.stream()
        .filter(row -> row.aggregate.equals(aggregate) && row.ordered() == ordered)
        .filter(row -> !row.replayed && !row.conflict)
        .sorted(
            Comparator.comparing((Row row) -> row.created)
                .thenComparing(row -> integerIds && padded(row))
                .thenComparing(row -> integerIds && !padded(row) ? new BigInteger(row.id) : ZERO)
                .thenComparing(row -> row.id))
        .toList();
  }

  /** With zeros before its digits it is no number, and stands behind those. */
  private static boolean padded(Row row) {
    return row.id.length() > 1 && row.id.startsWith("0");
  }

  /** What the rules say. */
  Map<String, List<String>> expected() {
    Map<String, List<String>> said = new TreeMap<>();
    List<String> findings = new ArrayList<>();
    List<String> heads = new ArrayList<>();
    Map<String, Long> counts = new LinkedHashMap<>();
    for (String aggregate : List.of("a1", "a2")) {
      for (boolean ordered : List.of(true, false)) {
        List<Row> inOrder = inOrder(aggregate, ordered);
        for (int i = 0; i < inOrder.size(); i++) {
          Row row = inOrder.get(i);
          List<Row> before = inOrder.subList(0, i);
          List<Row> behind = inOrder.subList(i + 1, inOrder.size());
          if (!ordered) {
            overtaking(row, before, new ArrayList<>(), counts);
            continue;
          }
          boolean error = overtaking(row, before, findings, counts);
          resubmission(row, behind, error, findings);
          waiting(row, before, findings);
          head(row, before, behind, heads);
        }
      }
    }
    for (Row row : rows) {
      boolean alone = row.aggregate.equals("-") || !row.ordered() || row.replayed;
      if (alone && !row.conflict && stuck(row) && judged(row)) {
        findings.add("error STUCK_PENDING " + row.id);
      }
    }
    findings.sort(null);
    heads.sort(null);
    said.put("findings", findings);
    said.put("heads", heads);
    List<String> lines = new ArrayList<>();
    counts.forEach((name, count) -> lines.add(name + " " + count));
    lines.sort(null);
    said.put("counts", lines);
    return said;
  }

  private boolean overtaking(
      Row row, List<Row> before, List<String> findings, Map<String, Long> counts) {
    if (row.delivery() == null || !judged(row)) {
      return false;
    }
    boolean settled = !row.delivery().isAfter(CUT.minus(GRACE));
    Row overtaken = null;
    boolean held = false;
    for (Row other : before) {
      if (other.unknown()) {
        continue;
      }
      boolean never = other.released().equals(Instant.MAX);
      held |= never;
      if (never && !settled || !other.released().isAfter(row.delivery())) {
        continue;
      }
      if (overtaken == null || other.released().isAfter(overtaken.released())) {
        overtaken = other;
      }
    }
    String unit = row.type;
    boolean provisional =
        row.acked == null
            && !settled
            && overtaken != null
            && !overtaken.released().equals(Instant.MAX);
    if (provisional) {
      overtaken = null;
    }
    if (overtaken == null && (held || provisional)) {
      count(counts, row.ordered() ? "IN_FLIGHT" : "");
    } else {
      count(counts, row.ordered() ? "judged" : "");
    }
    count(counts, unit + " delivered");
    if (overtaken == null) {
      return false;
    }
    String cause = cause(overtaken, row);
    count(counts, unit + " " + cause);
    if (row.priority != null && overtaken.priority != null && overtaken.priority > row.priority) {
      count(counts, unit + " inversions");
    }
    findings.add(
        "error ORDER_VIOLATION "
            + row.id
            + " "
            + cause
            + ": delivered before "
            + overtaken.id
            + (overtaken.released().equals(Instant.MAX) ? ", which still waits" : "")
            + (row.resubmitted() ? " [DLQ_RESUBMIT]" : ""));
    return true;
  }

  private static void count(Map<String, Long> counts, String name) {
    if (!name.isEmpty()) {
      counts.merge(name, 1L, Long::sum);
    }
  }

  private static String cause(Row overtaken, Row row) {
    if (overtaken.attempts != null && overtaken.attempts > 1) {
      return "RETRY_OVERTAKE";
    }
    if (overtaken.visible != null && overtaken.visible.isAfter(row.delivery())) {
      return "LATE_VISIBILITY";
    }
    return row.priority != null && overtaken.priority != null && row.priority > overtaken.priority
        ? "PRIORITY"
        : "UNKNOWN";
  }

  private void resubmission(Row row, List<Row> behind, boolean error, List<String> findings) {
    if (!row.resubmitted() || row.deadUnknown || !judged(row)) {
      return;
    }
    List<Row> ahead =
        behind.stream()
            .filter(other -> other.delivery() != null)
            .filter(other -> !other.delivery().isBefore(row.dead))
            .filter(other -> other.delivery().isBefore(row.delivery()))
            .toList();
    if (!ahead.isEmpty() && !error) {
      findings.add(
          "warning ORDER_VIOLATION "
              + row.id
              + " Given up, then delivered after all: "
              + ahead.get(0).id
              + " had gone ahead x"
              + ahead.size()
              + " [DLQ_RESUBMIT]");
    }
  }

  private static boolean stuck(Row row) {
    return row.status.equals("PENDING")
        && row.acked == null
        && row.due().isBefore(CUT.minus(PENDING_AFTER));
  }

  private void waiting(Row row, List<Row> before, List<String> findings) {
    if (!stuck(row) || !judged(row)) {
      return;
    }
    findings.add(
        before.stream()
            .filter(Row::open)
            .findFirst()
            .map(head -> "info BLOCKED_BY_HEAD " + row.id + " by " + head.id)
            .orElse("error STUCK_PENDING " + row.id));
  }

  private void head(Row row, List<Row> before, List<Row> behind, List<String> heads) {
    Instant freed =
        before.stream()
            .filter(other -> !other.unknown())
            .map(Row::released)
            .max(Comparator.naturalOrder())
            .orElse(Instant.MIN);
    if (row.unknown() || behind.isEmpty() || freed.equals(Instant.MAX) || !judged(row)) {
      return;
    }
    Instant due = behind.get(0).due();
    Instant since = freed.isAfter(due) ? freed : due;
    boolean still = row.released().equals(Instant.MAX);
    Instant until = still ? CUT : row.released();
    if (until.isAfter(since)) {
      boolean delivered = row.delivery() != null && row.released().equals(row.delivery());
      heads.add(
          (row.aggregate.equals("a1") ? "acct a1 " : "- a2 ")
              + row.id
              + " "
              + row.type
              + " "
              + row.status
              + " "
              + since
              + "/"
              + (still ? "-" : until)
              + " "
              + Duration.between(since, until).toMillis()
              + " ms"
              + (still ? "" : delivered ? " DELIVERY" : " DLQ"));
    }
  }
}
