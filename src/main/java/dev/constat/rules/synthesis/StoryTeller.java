package dev.constat.rules.synthesis;

import static dev.constat.rules.synthesis.Everyday.MINUTE;
import static dev.constat.rules.synthesis.Everyday.SECOND;
import static dev.constat.rules.synthesis.Everyday.index;
import static dev.constat.rules.synthesis.Everyday.instant;
import static dev.constat.rules.synthesis.SyntheticTable.ACKS;
import static dev.constat.rules.synthesis.SyntheticTable.CELLS;
import static dev.constat.rules.synthesis.SyntheticTable.DECISIONS;
import static dev.constat.rules.synthesis.SyntheticTable.EVENTS;
import static dev.constat.rules.synthesis.SyntheticTable.OUTBOX;
import static dev.constat.rules.synthesis.SyntheticTable.REPLAYS;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;
import java.util.List;

/**
 * Tells what comes of events in which something is planted. Each story is complete in itself: its
 * events have ids, and where a fault asks for it sources, partitions, topics and aggregates of
 * their own, so that stories do not touch each other, and what they lead to is known. An instance
 * belongs to one thread.
 */
final class StoryTeller {

  /** Sources of some faults' own; the run spec has contracts for the first two. */
  static final String COUNTER = "counter";

  static final String AGILE = "agile";
  private static final String TILLS = "tills";
  private static final String METER = "meter";
  private static final String BOURSE = "bourse";

  /** The projection whose cells are recorded. */
  static final String TABS = "tabs";

  static final long TABS_WINDOW = 10 * MINUTE;

  private static final String UNKNOWN_VERSION = "9";
  private static final String NEXT_VERSION = "2";
  private static final String ORDER = "order";
  private static final String SETTLE = "settle";
  private static final long LEASE = 60 * SECOND;
  private static final long REPLAYED_AFTER = 10 * MINUTE;
  private static final int SPENT_ATTEMPTS = 5;
  private static final int ZONED_EVENTS = 20;

  private final Profile profile;
  private final Everyday everyday;
  private final boolean decided;

  // the story
  private Story story;
  private long number;
  private int events;
  private int ids;

  StoryTeller(Profile profile, Everyday everyday) {
    this.profile = profile;
    this.everyday = everyday;
    this.decided = DECISIONS.isIn(profile);
  }

  /** An event of a story, before it is received. */
  private final class Event {
    private final int n = events++;
    private final byte[] id = everyday.id(Everyday.EVENT_ID, index(number, n));
    private byte[] businessKey = everyday.businessKey(number);
    private byte[] payload =
        Everyday.payload(
            everyday.mix().below(999_999, Everyday.PRICE, index(number, n)),
            everyday.mix().below(77, Everyday.QUANTITY, index(number, n)),
            businessKey,
            null);
    private final long at;
    private byte[] source = everyday.source(number);
    private byte[] partition = everyday.partition(number);
    private long sequence = number;
    private long occurredAt;
    private byte[] schemaVersion = profile.schemaVersion().getBytes(UTF_8);
    private byte[] topic = Everyday.TRADES;
    private byte[] aggregateType = Everyday.ACCOUNT;
    private byte[] aggregateId = businessKey;
    private byte[] effect = Everyday.NOTIFY;
    private byte[] supersedes;

    /** When it is received for the first time; soon, so that stories can rely on it. */
    private long receivedAt;

    Event(long after) {
      at = everyday.happens(number) + after;
      occurredAt = at;
      receivedAt = at + 300_000;
    }

    Event from(String ownSource) {
      source = ownSource.getBytes(UTF_8);
      partition = (ownSource + "-" + number).getBytes(UTF_8);
      return this;
    }

    /** Of an aggregate of the story's own, whose order counts. */
    Event ordered() {
      aggregateType = ORDER.getBytes(UTF_8);
      aggregateId = ("O-" + number).getBytes(UTF_8);
      effect = SETTLE.getBytes(UTF_8);
      return this;
    }

    Event numbered(long ownSequence) {
      sequence = ownSequence;
      return this;
    }

    Event superseding(byte[] target) {
      supersedes = target;
      return this;
    }

    Event version(String version) {
      schemaVersion = version.getBytes(UTF_8);
      return this;
    }

    Event about(String ownTopic) {
      topic = ownTopic.getBytes(UTF_8);
      return this;
    }

    String text() {
      return string(id);
    }

    String sourceText() {
      return string(source);
    }

    JsonObject key() {
      return new JsonObject().put("source", sourceText()).put("source_event_id", text());
    }

    byte[] effectKey() {
      return everyday.effectKey(source, id, effect);
    }
  }

  /** Tells what comes of an event. */
  Story tell(Fault fault, long event) {
    story = new Story();
    number = event;
    events = 0;
    ids = 0;
    switch (fault.part()) {
      case EVENTS -> tellOfEvents(fault);
      case OUTBOX, VERSIONS -> tellOfRow(fault);
      case ORDER -> tellOfOrder(fault);
      case ACKS -> tellOfAcks(fault);
      case DECISIONS -> tellOfDecisions(fault);
      case CELLS -> tellOfCell(fault);
      case REPLAYS -> tellOfReplay(fault);
      case STRAYS -> tellOfStray(fault);
    }
    return story;
  }

  // Events

  private void tellOfEvents(Fault fault) {
    switch (fault) {
      case EXACT_DUPLICATE -> {
        Event event = new Event(0);
        happen(event);
        long again = event.receivedAt + 20 * SECOND + random(40_000 * SECOND);
        receive(event, again, event.payload, "EXACT_DUPLICATE");
      }
      case ARCHIVE_COPY -> {
        Event event = new Event(0);
        story.of(EVENTS).add(happen(event).copy());
      }
      case CLOCK_AHEAD -> {
        Event event = new Event(0);
        event.occurredAt = event.receivedAt + 10 * MINUTE;
        happen(event);
      }
      case CORRECTION -> {
        Event target = new Event(0);
        happen(target);
        happen(new Event(28 * SECOND).superseding(target.id));
      }
      case CONFLICTING_DUPLICATE -> {
        Event event = new Event(0);
        happen(event);
        byte[] other = otherPayload(event);
        receive(
            event,
            event.receivedAt + 5 * SECOND + random(4_000 * SECOND),
            other,
            "CONFLICTING_DUPLICATE");
        String hash = string(everyday.hash(other));
        truth(
            Kind.CONFLICTING_DUPLICATE,
            event.key().put("deviating_hash", hash.substring(hash.indexOf(':') + 1)));
      }
      case ARCHIVE_CONFLICT -> {
        Event event = new Event(0);
        SyntheticRecord first = happen(event);
        byte[] other = otherPayload(event);
        story.of(EVENTS).add(first.copy().set(8, other).set(9, everyday.hash(other)));
        truth(Kind.ARCHIVE_CONFLICT, ingestion(first));
      }
      case PAYLOAD_HASH_MISMATCH -> {
        Event event = new Event(0);
        SyntheticRecord first = happen(event);
        first.set(9, everyday.hash(otherPayload(event)));
        truth(Kind.PAYLOAD_HASH_MISMATCH, ingestion(first));
      }
      case IDENTITY_DRIFT -> {
        Event event = new Event(0);
        happen(event);
        Event twin = new Event(SECOND);
        twin.payload = event.payload;
        twin.occurredAt = event.occurredAt;
        happen(twin);
        truth(
            Kind.SUSPECTED_IDENTITY_DRIFT,
            new JsonObject()
                .put("source", event.sourceText())
                .put("business_key", string(event.businessKey))
                .put("occurred_at", instant(event.occurredAt)));
      }
      case UNKNOWN_SCHEMA_VERSION -> {
        Event event = new Event(0).version(UNKNOWN_VERSION);
        happen(event);
        shared(Kind.UNKNOWN_SCHEMA_VERSION, schema(event.sourceText(), UNKNOWN_VERSION));
      }
      case SCHEMA_VERSION_APPEARED -> {
        happen(new Event(0).from(AGILE));
        happen(new Event(10 * SECOND).from(AGILE).version(NEXT_VERSION));
        shared(Kind.SCHEMA_VERSION_APPEARED, schema(AGILE, NEXT_VERSION));
      }
      case CONTRACT_DRIFT -> {
        happen(new Event(0).from(TILLS));
        Event text = new Event(SECOND).from(TILLS);
        text.payload =
            string(text.payload).replaceFirst("\"qty\":(\\d+)", "\"qty\":\"$1\"").getBytes(UTF_8);
        happen(text);
        shared(Kind.CONTRACT_DRIFT, schema(TILLS, profile.schemaVersion()));
      }
      case UNIT_SUSPECT -> {
        Event event = new Event(0).from(METER);
        event.occurredAt = event.at / 1_000;
        happen(event);
        shared(Kind.UNIT_SUSPECT, schema(METER, profile.schemaVersion()).put("factor", "*1000"));
      }
      case ZONE_SUSPECT -> {
        for (int i = 0; i < ZONED_EVENTS; i++) {
          Event event = new Event(i * SECOND).from(BOURSE);
          event.occurredAt = event.at - 120 * MINUTE;
          happen(event);
        }
        shared(Kind.ZONE_SUSPECT, schema(BOURSE, profile.schemaVersion()));
      }
      case SEQUENCE_GAP -> {
        for (int n : new int[] {1, 2, 4, 5}) {
          happen(new Event(n * SECOND).from(COUNTER).numbered(n));
        }
        truth(Kind.SEQUENCE_GAP, sequence(0).put("first_missing", "3"));
      }
      case SEQUENCE_RESET -> {
        for (int n = 0; n < 3; n++) {
          happen(new Event(n * SECOND).from(COUNTER).numbered(101 + n));
        }
        SyntheticRecord anew = happen(new Event(4 * SECOND).from(COUNTER).numbered(1));
        happen(new Event(5 * SECOND).from(COUNTER).numbered(2));
        truth(Kind.SEQUENCE_RESET, sequence(1).put("ingestion_id", string(anew.text(0))));
      }
      case BROKEN_CHAIN -> {
        Event event = new Event(0).superseding(everyday.id(Everyday.UNKNOWN_ID, index(number, 0)));
        happen(event);
        truth(Kind.BROKEN_CHAIN, event.key());
      }
      case CORRECTION_BEFORE_TARGET -> {
        Event target = new Event(0);
        Event correction = new Event(SECOND).superseding(target.id);
        target.receivedAt = correction.receivedAt + 5 * SECOND;
        happen(correction);
        happen(target);
        truth(Kind.CORRECTION_BEFORE_TARGET, correction.key());
      }
      case CORRECTION_FORK -> {
        Event target = new Event(0);
        happen(target);
        happen(new Event(SECOND).superseding(target.id));
        happen(new Event(2 * SECOND).superseding(target.id));
        truth(Kind.CORRECTION_FORK, target.key());
      }
      case CORRECTION_CYCLE -> {
        Event one = new Event(0);
        Event other = new Event(SECOND).superseding(one.id);
        one.superseding(other.id);
        happen(one);
        happen(other);
        boolean oneFirst = one.text().compareTo(other.text()) < 0;
        truth(Kind.CORRECTION_CYCLE, (oneFirst ? one : other).key());
        // Each corrects the other, so one of the two came before what it corrects; in a cycle that
        // is not said.
      }
      default -> throw notTold(fault);
    }
  }

  // Outbox rows

  private void tellOfRow(Fault fault) {
    Event event = new Event(0);
    receive(event);
    if (fault == Fault.MISSING_OUTBOX) {
      truth(Kind.MISSING_OUTBOX, event.key().put("effect_type", string(event.effect)));
      return;
    }
    SyntheticRecord row = announce(event);
    long created = row.number(10);
    switch (fault) {
      case ORPHAN_OUTBOX -> {
        acknowledge(event, row);
        SyntheticRecord orphan = announce(event);
        byte[] unknown = everyday.id(Everyday.UNKNOWN_ID, index(number, 0));
        orphan.set(2, unknown);
        acknowledge(event, orphan).set(4, everyday.effectKey(event.source, unknown, event.effect));
        truth(Kind.ORPHAN_OUTBOX, row(orphan));
      }
      case SURPLUS_OUTBOX -> {
        acknowledge(event, row);
        SyntheticRecord second = announce(event);
        second.set(10, created + SECOND).set(14, created + 2 * SECOND);
        acknowledge(event, second);
        truth(Kind.SURPLUS_OUTBOX, row(second));
        truth(Kind.REDELIVERY, unit(event).put("effect_key", string(event.effectKey())));
      }
      case STATE_CONFLICT -> {
        acknowledge(event, row);
        story.of(OUTBOX).add(claimed(row.copy(), created + SECOND, "w1").unset(14));
        truth(Kind.STATE_CONFLICT, row(row));
      }
      case IMPOSSIBLE_STATE -> {
        acknowledge(event, row);
        row.set(14, created - 2 * SECOND);
        truth(Kind.IMPOSSIBLE_STATE, row(row));
      }
      case STUCK_PENDING -> {
        pending(row, 0);
        truth(Kind.STUCK_PENDING, row(row));
      }
      case STUCK_LEASE -> {
        claimed(row, created + 2 * SECOND, "w" + number % 7).unset(14);
        truth(Kind.STUCK_LEASE, row(row));
      }
      case IMPLICIT_DLQ -> {
        pending(row, SPENT_ATTEMPTS);
        truth(Kind.IMPLICIT_DLQ, row(row));
      }
      case ACKED_NOT_TERMINAL -> {
        acknowledge(event, row);
        pending(row, 1);
        truth(Kind.ACKED_NOT_TERMINAL, row(row));
      }
      case DLQ -> {
        row.set(8, "DLQ").set(9, SPENT_ATTEMPTS).set(15, created + 90 * SECOND).unset(14);
        truth(Kind.DLQ, row(row));
      }
      case RETRY_LIMIT_EXCEEDED -> {
        acknowledge(event, row);
        row.set(9, SPENT_ATTEMPTS + 4);
        truth(Kind.RETRY_LIMIT_EXCEEDED, row(row));
      }
      case IMPLAUSIBLE_LEASE -> {
        acknowledge(event, row);
        row.set(11, created + 50_000).set(12, "w1").set(13, created + 50_000 + 1_000 * LEASE);
        truth(Kind.IMPLAUSIBLE_LEASE, row(row));
      }
      case UNDECLARED_EFFECT -> {
        acknowledge(event, row);
        announce(event).set(3, "webhook");
        shared(Kind.UNDECLARED_EFFECT, new JsonObject().put("effect_type", "webhook"));
      }
      case LEASE_OVERLAP -> {
        SyntheticRecord running = claimed(row.copy(), created + SECOND, "w1").unset(14);
        SyntheticRecord stolen =
            claimed(row.copy(), created + 17 * SECOND, "w2").set(9, 2).unset(14);
        claimed(row, created + 17 * SECOND, "w2").set(8, "DISPATCHED").set(9, 2);
        row.set(14, created + 18 * SECOND).set(16, "4");
        story.of(OUTBOX).add(running.set(16, "2"));
        story.of(OUTBOX).add(stolen.set(16, "3"));
        acknowledge(event, row).set(3, created + 20 * SECOND);
        truth(Kind.LEASE_OVERLAP, row(row));
      }
      default -> throw notTold(fault);
    }
  }

  private static SyntheticRecord pending(SyntheticRecord row, int attempts) {
    return row.set(8, "PENDING").set(9, attempts).unset(14);
  }

  private static SyntheticRecord claimed(SyntheticRecord row, long at, String owner) {
    return row.set(8, "PROCESSING").set(11, at).set(12, owner).set(13, at + LEASE);
  }

  private void tellOfOrder(Fault fault) {
    Event one = new Event(0).ordered();
    Event other = new Event(5 * SECOND).ordered();
    receive(one);
    receive(other);
    SyntheticRecord first = announce(one);
    SyntheticRecord second = announce(other);
    long created = first.number(10);
    switch (fault) {
      case BLOCKED_BY_HEAD -> {
        claimed(first, created + 2 * SECOND, "w1").unset(14);
        pending(second, 0);
        truth(Kind.STUCK_LEASE, row(first));
        truth(Kind.BLOCKED_BY_HEAD, row(second));
      }
      case ORDER_VIOLATION -> {
        first.set(9, 2).set(14, created + 60 * SECOND);
        acknowledge(one, first).set(3, created + 61 * SECOND);
        acknowledge(other, second);
        truth(Kind.ORDER_VIOLATION, row(second));
      }
      case DEAD_LETTER_RESUBMITTED -> {
        first.set(9, 3).set(15, created + 120 * SECOND).set(14, created + 15 * MINUTE);
        acknowledge(one, first).set(3, created + 15 * MINUTE + SECOND);
        second.set(14, created + 130 * SECOND);
        acknowledge(other, second).set(3, created + 131 * SECOND);
        story
            .truth()
            .add(new TruthLine(Kind.ORDER_VIOLATION, Level.WARNING, row(first).toString(), false));
      }
      default -> throw notTold(fault);
    }
  }

  // Acknowledgements

  private void tellOfAcks(Fault fault) {
    Event event = new Event(0);
    receive(event);
    SyntheticRecord row = announce(event);
    if (fault == Fault.MISSING_ACK) {
      truth(Kind.MISSING_ACK, row(row).put("consumer", string(Everyday.CONSUMER)));
      return;
    }
    SyntheticRecord ack = acknowledge(event, row);
    SyntheticRecord more = acknowledge(event, row);
    switch (fault) {
      case ORPHAN_ACK -> {
        more.set(1, everyday.id(Everyday.UNKNOWN_ID, index(number, 0)));
        more.set(4, everyday.id(Everyday.UNKNOWN_ID, index(number, 1)));
        truth(Kind.ORPHAN_ACK, new JsonObject().put("ack_id", string(more.text(0))));
      }
      case REDELIVERY -> {
        more.set(3, ack.number(3) + 30 * SECOND);
        truth(Kind.REDELIVERY, unit(event).put("effect_key", string(event.effectKey())));
      }
      case DOUBLE_EFFECT -> {
        more.set(3, ack.number(3) + 40 * SECOND).set(4, string(event.effectKey()) + "#2");
        truth(Kind.DOUBLE_EFFECT, unit(event));
      }
      case UNEXPECTED_CONSUMER -> {
        more.set(2, "audit");
        shared(
            Kind.UNEXPECTED_CONSUMER,
            new JsonObject().put("effect_type", string(event.effect)).put("consumer", "audit"));
      }
      default -> throw notTold(fault);
    }
  }

  // Recorded decisions

  private void tellOfDecisions(Fault fault) {
    Event event = new Event(0);
    SyntheticRecord first = happen(event);
    switch (fault) {
      case INGESTION_ID_REUSED -> {
        Event other = new Event(SECOND);
        happen(other).set(0, first.text(0));
        story.of(DECISIONS).remove(1);
        truth(Kind.INGESTION_ID_REUSED, ingestion(first));
      }
      case DECISION_MISMATCH -> {
        SyntheticRecord again =
            receive(event, event.receivedAt + 2 * SECOND, event.payload, "ACCEPTED");
        truth(Kind.DECISION_MISMATCH, ingestion(again));
      }
      case DECISION_MISSING -> {
        story.of(DECISIONS).clear();
        truth(Kind.DECISION_MISSING, ingestion(first));
      }
      case DECISION_ORPHAN -> {
        SyntheticRecord lost = new SyntheticRecord();
        lost.set(0, everyday.id(Everyday.UNKNOWN_ID, index(number, 0)))
            .set(1, Everyday.ACCEPTED)
            .set(2, event.receivedAt + SECOND);
        story.of(DECISIONS).add(lost);
        truth(Kind.DECISION_ORPHAN, ingestion(lost));
      }
      default -> throw notTold(fault);
    }
  }

  // Recorded cells

  private void tellOfCell(Fault fault) {
    String tab = "T-" + number;
    Event one = new Event(0);
    Event other = new Event(0);
    long quantity = everyday.mix().below(77, Everyday.QUANTITY, index(number, 0));
    one.payload = Everyday.payload(10_000, quantity, one.businessKey, tab(tab));
    other.payload = Everyday.payload(10_000, quantity + 100, one.businessKey, tab(tab));
    other.receivedAt = one.receivedAt + SECOND;
    long total = 2 * quantity + 100;
    long windowStart = Math.floorDiv(one.occurredAt, TABS_WINDOW) * TABS_WINDOW;
    SyntheticRecord cell =
        new SyntheticRecord()
            .set(0, TABS)
            .set(1, "1")
            .set(2, tab)
            .set(3, windowStart)
            .set(4, windowStart + TABS_WINDOW)
            .set(5, values(total))
            .set(6, "[\"" + one.text() + "\",\"" + other.text() + "\"]")
            .set(7, one.receivedAt + 30 * SECOND);
    JsonObject subject =
        new JsonObject()
            .put("projection", TABS)
            .put("version", "1")
            .put("business_key", tab)
            .put("window_start", instant(windowStart));
    if (fault == Fault.UNEXPECTED_WINDOW) {
      one.payload = Everyday.payload(10_000, quantity, one.businessKey, null);
      happen(one);
      story.of(CELLS).add(cell.unset(6));
      truth(Kind.UNEXPECTED_WINDOW, subject);
      return;
    }
    happen(one);
    happen(other);
    switch (fault) {
      case RECORDED_CELL -> story.of(CELLS).add(cell);
      case PROJECTION_DRIFT -> {
        story.of(CELLS).add(cell.set(5, values(total + 1)));
        truth(Kind.PROJECTION_DRIFT, subject);
      }
      case MISSING_WINDOW -> truth(Kind.MISSING_WINDOW, subject);
      case NON_DETERMINISTIC_PROJECTION -> {
        story.of(CELLS).add(cell);
        story
            .of(CELLS)
            .add(cell.copy().set(5, values(total - 1)).set(7, cell.number(7) - 10 * SECOND));
        truth(Kind.NON_DETERMINISTIC_PROJECTION, subject);
      }
      default -> throw notTold(fault);
    }
  }

  private static String tab(String tab) {
    return "\"tab\":\"" + tab + "\"";
  }

  private static String values(long total) {
    return "{\"n\":2,\"qty\":" + total + "}";
  }

  // Replays

  private void tellOfReplay(Fault fault) {
    String topic = "t-" + number;
    Event one = new Event(0).about(topic);
    happen(one);
    Event two = new Event(5 * SECOND).about(topic);
    Event three = new Event(10 * SECOND).about(topic);
    String replay = "rp-" + number;
    SyntheticRecord first = lastRow();
    switch (fault) {
      case UNAUTHORISED_REPLAY_EFFECT -> {
        register(replay, topic, first, first, false);
        emitted(one, first, replay, replayed(one, 0, replay));
        truth(Kind.UNAUTHORISED_REPLAY_EFFECT, emission(replay, first, one));
      }
      case REPLAY_OUT_OF_SCOPE -> {
        happen(two);
        SyntheticRecord beyond = lastRow();
        register(replay, topic, first, first, true);
        replayed(one, 0, replay);
        emitted(two, beyond, replay, replayed(two, 1, replay));
        truth(Kind.REPLAY_OUT_OF_SCOPE, emission(replay, beyond, two));
        truth(Kind.REDELIVERY, unit(two).put("effect_key", string(two.effectKey())));
      }
      case REPLAY_OVERLAP -> {
        happen(two);
        SyntheticRecord seam = lastRow();
        happen(three);
        String next = replay + "-2";
        register(replay, topic, first, seam, true);
        register(next, topic, seam, lastRow(), true);
        replayed(one, 0, replay);
        replayed(two, 1, replay);
        replayed(two, 2, next);
        replayed(three, 3, next);
        truth(
            Kind.REPLAY_OVERLAP,
            new JsonObject().put("replay_ids", ImmutableList.of(replay, next)));
      }
      case REPLAY_ORDER -> {
        happen(two);
        register(replay, topic, first, lastRow(), false);
        replayed(two, 0, replay);
        replayed(one, 1, replay);
        truth(Kind.REPLAY_ORDER, new JsonObject().put("replay_id", replay));
      }
      case REPLAY_PARTIAL -> {
        happen(two);
        happen(three);
        register(replay, topic, first, lastRow(), false);
        replayed(one, 0, replay);
        truth(Kind.REPLAY_PARTIAL, new JsonObject().put("replay_id", replay));
      }
      default -> throw notTold(fault);
    }
  }

  private SyntheticRecord lastRow() {
    List<SyntheticRecord> rows = story.of(OUTBOX);
    return rows.get(rows.size() - 1);
  }

  /** Writes a replay down that goes from one row to another, both included. */
  private void register(
      String replay, String topic, SyntheticRecord from, SyntheticRecord to, boolean authorised) {
    story
        .of(REPLAYS)
        .add(
            new SyntheticRecord()
                .set(0, replay)
                .set(1, topic)
                .set(2, from.number(10))
                .set(3, to.number(10))
                .set(4, authorised ? 1 : 0)
                .set(5, everyday.happens(number) + REPLAYED_AFTER - SECOND));
  }

  /** Receives an event from a replay, as the n-th of the story; when that was. */
  private long replayed(Event event, int n, String replay) {
    long at = everyday.happens(number) + REPLAYED_AFTER + n * SECOND;
    receive(event, at, event.payload, "EXACT_DUPLICATE")
        .set(2, everyday.id(Everyday.UNKNOWN_ID, index(number, n)))
        .set(15, replay)
        .set(16, event.id);
    return at;
  }

  private void emitted(Event event, SyntheticRecord row, String replay, long at) {
    acknowledge(event, row).set(3, at + SECOND).set(5, replay);
  }

  private static JsonObject emission(String replay, SyntheticRecord row, Event event) {
    return row(row)
        .put("replay_id", replay)
        .put("consumer", string(Everyday.CONSUMER))
        .put("effect_key", string(event.effectKey()));
  }

  // Strays

  private void tellOfStray(Fault fault) {
    Event event = new Event(0);
    SyntheticRecord record = fault == Fault.UNREADABLE_RECORD ? receive(event) : happen(event);
    story.of(EVENTS).clear();
    JsonObject subject =
        new JsonObject().put("input", EVENTS.input().key()).put("file", Stray.FILE);
    switch (fault) {
      case UNZONED_TIMESTAMP -> {
        String unzoned = instant(event.at / SECOND * SECOND).toString().replace("Z", "");
        story.stray(new Stray(record, "supersedes_occurred_at", unzoned, false));
        shared(Kind.UNZONED_TIMESTAMP, subject.put("column", "supersedes_occurred_at"));
      }
      case UNKNOWN_COLUMN -> {
        story.stray(new Stray(record, "gateway", "gw-" + number % 7, false));
        shared(Kind.INPUT_NOTE, subject.put("note", "unknown columns"));
      }
      case UNREADABLE_RECORD -> {
        story.of(DECISIONS).clear();
        story.stray(new Stray(record, null, null, true));
        // Which line it is on, and with it what is found, is known once strays stand in a row.
      }
      default -> throw notTold(fault);
    }
  }

  // What stories are made of

  /** An event as it should be: received, announced and acknowledged. */
  private SyntheticRecord happen(Event event) {
    SyntheticRecord first = receive(event);
    acknowledge(event, announce(event));
    return first;
  }

  private SyntheticRecord receive(Event event) {
    return receive(
        event,
        event.receivedAt,
        event.payload,
        event.supersedes == null ? "ACCEPTED" : "CORRECTION");
  }

  private SyntheticRecord receive(Event event, long at, byte[] payload, String decision) {
    SyntheticRecord record =
        new SyntheticRecord()
            .set(0, everyday.id(Everyday.INGESTION_ID, index(number, ids++)))
            .set(1, event.source)
            .set(2, event.id)
            .set(3, event.sequence)
            .set(4, event.partition)
            .set(5, event.occurredAt)
            .set(6, at)
            .set(7, event.schemaVersion)
            .set(8, payload)
            .set(9, everyday.hash(payload))
            .set(10, event.businessKey)
            .set(11, event.topic)
            .set(12, event.aggregateType)
            .set(13, event.aggregateId)
            .set(14, event.supersedes);
    story.of(EVENTS).add(record);
    if (decided) {
      story
          .of(DECISIONS)
          .add(
              new SyntheticRecord()
                  .set(0, record.text(0))
                  .set(1, decision)
                  .set(2, at + everyday.decidedAfter(index(number, ids))));
    }
    return record;
  }

  private SyntheticRecord announce(Event event) {
    long index = index(number, ids++);
    long created = event.receivedAt + everyday.createdAfter(index);
    SyntheticRecord row =
        new SyntheticRecord()
            .set(0, everyday.id(Everyday.OUTBOX_ID, index))
            .set(1, event.source)
            .set(2, event.id)
            .set(3, event.effect)
            .set(4, event.topic)
            .set(5, event.aggregateType)
            .set(6, event.aggregateId)
            .set(7, 0)
            .set(8, Everyday.DONE)
            .set(9, 1)
            .set(10, created)
            .set(14, created + everyday.dispatchedAfter(index));
    story.of(OUTBOX).add(row);
    return row;
  }

  private SyntheticRecord acknowledge(Event event, SyntheticRecord row) {
    long index = index(number, ids++);
    SyntheticRecord ack =
        new SyntheticRecord()
            .set(0, everyday.id(Everyday.ACK_ID, index))
            .set(1, row.text(0))
            .set(2, Everyday.CONSUMER)
            .set(3, row.number(10) + everyday.ackedAfter(index))
            .set(4, event.effectKey());
    story.of(ACKS).add(ack);
    return ack;
  }

  private byte[] otherPayload(Event event) {
    return string(event.payload).replace("\"qty\":", "\"qty\":1").getBytes(UTF_8);
  }

  private long random(long bound) {
    return everyday.mix().below(bound, Everyday.OFFSET, number);
  }

  private void truth(Kind kind, JsonObject subject) {
    story.truth().add(TruthLine.of(kind, subject));
  }

  private void shared(Kind kind, JsonObject subject) {
    story.truth().add(TruthLine.shared(kind, subject));
  }

  private static JsonObject ingestion(SyntheticRecord reception) {
    return new JsonObject().put("ingestion_id", string(reception.text(0)));
  }

  private static JsonObject row(SyntheticRecord row) {
    return new JsonObject().put("outbox_id", string(row.text(0)));
  }

  private static JsonObject unit(Event event) {
    return event
        .key()
        .put("effect_type", string(event.effect))
        .put("consumer", string(Everyday.CONSUMER));
  }

  private static JsonObject schema(String source, String version) {
    return new JsonObject().put("source", source).put("schema_version", version);
  }

  private JsonObject sequence(long epoch) {
    return new JsonObject()
        .put("source", COUNTER)
        .put("partition", COUNTER + "-" + number)
        .put("epoch", epoch);
  }

  private static String string(byte[] text) {
    return new String(text, UTF_8);
  }

  private static IllegalStateException notTold(Fault fault) {
    return new IllegalStateException("[BUG] No story of " + fault);
  }
}
