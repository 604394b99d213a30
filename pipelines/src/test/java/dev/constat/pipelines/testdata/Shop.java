package dev.constat.pipelines.testdata;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A small shop on three quiet days: a venue's trades and the orders of a few clients come in
 * through one gateway, each trade is settled and clients hear of what became of their orders.
 * Everything is in order until somebody changes what stands in the lists.
 */
final class Shop {

  static final String VENUE = "venue-a";
  static final String ORDERS = "orders";
  static final String SETTLE = "settle";
  static final String NOTIFY = "notify";

  /** What a source says happened. */
  static final class Event {
    final String source;
    final String id;
    final String topic;
    final String entity;
    final Instant occurredAt;
    final TreeMap<String, String> body;
    String schemaVersion;
    String supersedes;
    String supersedeReason;
    Reception first;
    Row row;

    /** Whether some incident has it already. */
    boolean taken;

    Event(
        String source,
        String id,
        String topic,
        String entity,
        Instant occurredAt,
        String schemaVersion,
        Map<String, String> body) {
      this.source = source;
      this.id = id;
      this.topic = topic;
      this.entity = entity;
      this.occurredAt = occurredAt;
      this.schemaVersion = schemaVersion;
      this.body = new TreeMap<>(body);
    }

    /** The effect it is expected to have, or null. */
    String effectType() {
      return switch (topic) {
        case "trade" -> SETTLE;
        case "order.partly-filled", "order.filled", "order.cancelled" -> NOTIFY;
        default -> null;
      };
    }
  }

  /** What the gateway received. */
  static final class Reception {
    final Event event;
    final String id;
    final Instant receivedAt;

    /** What ought to be decided about it. */
    String decision;

    /** What the live system decided, or null where it left no record. */
    String recorded;

    /** When it decided so. */
    Instant decidedAt;

    /** The content, where it is not the event's. */
    TreeMap<String, String> otherBody;

    /** The content that the declared hash is of, where it is not the one received. */
    TreeMap<String, String> hashedBody;

    /** Whether the sender wrote the members of the content in another order. */
    boolean reordered;

    String replayId;
    String replayedAs;

    Reception(Event event, String id, Instant receivedAt, String decision) {
      this.event = event;
      this.id = id;
      this.receivedAt = receivedAt;
      this.decision = decision;
      this.recorded = decision;
    }

    TreeMap<String, String> body() {
      return otherBody == null ? event.body : otherBody;
    }
  }

  /** An outbox row. */
  static final class Row {
    final String id;
    final String effectType;
    final String aggregateType;
    final String aggregateId;
    final Instant createdAt;
    String source;
    String sourceEventId;
    String status = "DISPATCHED";
    int priority;
    long attempts = 1;
    Instant visibleAt;
    Instant claimedAt;
    String owner;
    Instant leaseUntil;
    Instant dispatchedAt;
    Instant deadAt;
    String version = "3";
    final List<Ack> acks = new ArrayList<>();

    Row(
        String id,
        String effectType,
        String aggregateType,
        String aggregateId,
        Instant createdAt,
        String source,
        String sourceEventId) {
      this.id = id;
      this.effectType = effectType;
      this.aggregateType = aggregateType;
      this.aggregateId = aggregateId;
      this.createdAt = createdAt;
      this.source = source;
      this.sourceEventId = sourceEventId;
      this.priority = effectType.equals(SETTLE) ? 1 : 5;
    }

    /** The same row as it stood before. */
    Row copy() {
      Row copy =
          new Row(id, effectType, aggregateType, aggregateId, createdAt, source, sourceEventId);
      copy.status = status;
      copy.priority = priority;
      copy.attempts = attempts;
      copy.visibleAt = visibleAt;
      copy.claimedAt = claimedAt;
      copy.owner = owner;
      copy.leaseUntil = leaseUntil;
      copy.dispatchedAt = dispatchedAt;
      copy.deadAt = deadAt;
      copy.version = version;
      return copy;
    }

    /** Takes back all that happened to it after it was written. */
    void neverSent() {
      status = "PENDING";
      attempts = 0;
      claimedAt = null;
      owner = null;
      leaseUntil = null;
      dispatchedAt = null;
      version = "1";
      acks.clear();
    }

    /** Makes it one that a worker has claimed and not finished. */
    void neverFinished() {
      status = "PROCESSING";
      dispatchedAt = null;
      version = "2";
    }
  }

  /** An acknowledgement. */
  static final class Ack {
    final String id;
    final String outboxId;
    final String consumer;
    final Instant at;
    String effectKey;
    Boolean applied;
    String worker;
    String replayId;
    String source;
    String sourceEventId;

    Ack(String id, String outboxId, String consumer, Instant at, String effectKey) {
      this.id = id;
      this.outboxId = outboxId;
      this.consumer = consumer;
      this.at = at;
      this.effectKey = effectKey;
    }
  }

  private static final List<String> INSTRUMENTS = List.of("ACME", "EMCA", "NORD", "SOLE", "VERT");
  private static final Duration LEASE = Duration.ofSeconds(60);

  final List<Event> events = new ArrayList<>();
  final List<Reception> receptions = new ArrayList<>();
  final List<Row> rows = new ArrayList<>();

  private final Random random;
  private final Set<String> ids = new HashSet<>();
  private final long[] prices = {10125, 5510, 23040, 870, 4015};
  private int trades;
  private int orders;
  private int orderEvents;

  Shop(Random random) {
    this.random = random;
  }

  /** A day on which the venue opens and closes. */
  void day(Instant opens, Instant closes) {
    Instant at = opens.plusMillis(between(2_000, 20_000));
    while (at.isBefore(closes)) {
      trade(at);
      at = at.plusMillis(between(15_000, 95_000));
    }
    at = opens.plusMillis(between(60_000, 90_000));
    while (at.isBefore(closes)) {
      order(at, closes);
      at = at.plusMillis(between(60_000, 230_000));
    }
  }

  private void trade(Instant at) {
    int instrument = random.nextInt(INSTRUMENTS.size());
    prices[instrument] = Math.max(100, prices[instrument] + between(-12, 12));
    Map<String, String> body = new LinkedHashMap<>();
    body.put("instrument", INSTRUMENTS.get(instrument));
    body.put("px", price(instrument));
    body.put("qty", Integer.toString(100 * between(1, 9)));
    body.put("side", random.nextBoolean() ? "buy" : "sell");
    happen(
        new Event(VENUE, nextTradeId(), "trade", INSTRUMENTS.get(instrument), at, "2", body),
        at.plusMillis(between(20, 180)));
  }

  String nextTradeId() {
    return "T-" + digits(6, ++trades);
  }

  private void order(Instant at, Instant closes) {
    int instrument = random.nextInt(INSTRUMENTS.size());
    String order = nextOrderId();
    Map<String, String> body = new LinkedHashMap<>();
    body.put("order", order);
    body.put("client", "C-" + digits(2, between(1, 24)));
    body.put("instrument", INSTRUMENTS.get(instrument));
    body.put("qty", Integer.toString(100 * between(1, 9)));
    body.put("state", "placed");
    orderEvent("order.placed", order, at, body);
    Instant end = at.plusMillis(between(4_000, 600_000));
    if (end.isBefore(closes)) {
      boolean filled = random.nextInt(100) < 80;
      body.put("state", filled ? "filled" : "cancelled");
      if (filled) {
        body.put("px", price(instrument));
      }
      orderEvent(filled ? "order.filled" : "order.cancelled", order, end, body);
    }
  }

  String nextOrderId() {
    return "O-" + digits(5, 10_400 + ++orders);
  }

  /** Lets something become of an order. */
  Event orderEvent(String topic, String order, Instant at, Map<String, String> body) {
    String id = "OE-" + digits(6, ++orderEvents);
    Event event = new Event(ORDERS, id, topic, order, at, "1", body);
    return happen(event, at.plusMillis(between(15, 90)));
  }

  private String price(int instrument) {
    return prices[instrument] / 100 + "." + digits(2, prices[instrument] % 100);
  }

  /** Lets an event happen, be received and, if it is to have an effect, have it. */
  Event happen(Event event, Instant receivedAt) {
    events.add(event);
    event.first = receive(event, receivedAt, event.supersedes == null ? "ACCEPTED" : "CORRECTION");
    if (event.effectType() != null) {
      event.row = deliver(announce(event, event.effectType(), receivedAt));
    }
    return event;
  }

  /** Receives an event, for the first time or again. */
  Reception receive(Event event, Instant at, String decision) {
    Reception reception = new Reception(event, id("rx", at), at, decision);
    receptions.add(reception);
    return reception;
  }

  /** Writes an outbox row of an event. */
  Row announce(Event event, String effectType, Instant receivedAt) {
    Row row =
        row(
            effectType,
            event.source.equals(VENUE) ? "instrument" : "order",
            event.entity,
            receivedAt.plusMillis(between(3, 9)),
            event.source,
            event.id);
    return row;
  }

  /** Writes an outbox row. */
  Row row(
      String effectType,
      String aggregateType,
      String aggregateId,
      Instant createdAt,
      String source,
      String sourceEventId) {
    Row row =
        new Row(
            id("ob", createdAt),
            effectType,
            aggregateType,
            aggregateId,
            createdAt,
            source,
            sourceEventId);
    rows.add(row);
    return row;
  }

  /** Lets a relay send a row and its consumers acknowledge it. */
  Row deliver(Row row) {
    boolean again = random.nextInt(100) < 2;
    row.attempts = again ? 2 : 1;
    row.claimedAt = row.createdAt.plusMillis(between(200, 1_800)).plusSeconds(again ? 31 : 0);
    row.owner = random.nextBoolean() ? "relay-1" : "relay-2";
    row.leaseUntil = row.claimedAt.plus(LEASE);
    row.dispatchedAt = row.claimedAt.plusMillis(between(5, 60));
    String key = row.sourceEventId + ":" + row.effectType;
    switch (row.effectType) {
      case SETTLE -> {
        ack(row, "positions", row.dispatchedAt.plusMillis(between(10, 120)), key);
        ack(row, "risk", row.dispatchedAt.plusMillis(between(10, 200)), key);
      }
      case NOTIFY -> ack(row, "mailer", row.dispatchedAt.plusMillis(between(200, 2_500)), key);
      default -> ack(row, "crm", row.dispatchedAt.plusMillis(between(50, 400)), key);
    }
    return row;
  }

  /**
   * Lets a consumer acknowledge a row, as each of them does it: risk says whether it acted, the
   * mailer numbers nothing and names the event.
   */
  Ack ack(Row row, String consumer, Instant at, String key) {
    Ack ack = new Ack(consumer.equals("mailer") ? null : id("ak", at), row.id, consumer, at, key);
    ack.worker = row.owner;
    if (consumer.equals("risk")) {
      ack.applied = row.acks.stream().noneMatch(before -> before.consumer.equals("risk"));
    }
    if (consumer.equals("mailer")) {
      ack.source = row.source;
      ack.sourceEventId = row.sourceEventId;
    }
    row.acks.add(ack);
    return ack;
  }

  /** A new id that sorts by time. */
  String id(String prefix, Instant at) {
    String id;
    do {
      id = prefix + "-" + hex(11, at.toEpochMilli()) + hex(3, random.nextInt(0x1000));
    } while (!ids.add(id));
    return id;
  }

  private static String hex(int width, long number) {
    return String.format(Locale.ROOT, "%0" + width + "x", number);
  }

  /** An integer with zeros in front. */
  static String digits(int width, long number) {
    return String.format(Locale.ROOT, "%0" + width + "d", number);
  }

  /** An integer between two, both included. */
  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }
}
