package dev.constat.pipelines.testdata;

import static dev.constat.pipelines.testdata.Shop.NOTIFY;
import static dev.constat.pipelines.testdata.Shop.ORDERS;
import static dev.constat.pipelines.testdata.Shop.SETTLE;
import static dev.constat.pipelines.testdata.Shop.VENUE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import com.google.common.hash.Hashing;
import dev.constat.pipelines.testdata.Shop.Ack;
import dev.constat.pipelines.testdata.Shop.Event;
import dev.constat.pipelines.testdata.Shop.Reception;
import dev.constat.pipelines.testdata.Shop.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Makes the archive of {@code test-data/quickstart}: three days of {@link Shop} in which things
 * went wrong. Each incident says, next to what it does to the shop, what an audit has to find;
 * nothing of that is computed by Constat.
 */
public final class QuickstartArchive {

  // as declared in constat.yaml
  private static final Instant CUT_EVENTS = Instant.parse("2026-01-07T18:00:00Z");
  private static final Instant CUT_OUTBOX = Instant.parse("2026-01-07T17:52:00Z");
  private static final Instant CUT_ACKS = Instant.parse("2026-01-07T17:48:00Z");
  private static final Instant CUT_DECISIONS = Instant.parse("2026-01-07T18:00:00Z");
  private static final Instant START_OUTBOX = CUT_OUTBOX.minus(Duration.parse("P2DT6H"));
  private static final Instant START_ACKS = CUT_ACKS.minus(Duration.parse("P2DT7H"));
  private static final Instant START_DECISIONS = Instant.parse("2026-01-06T00:00:00Z");
  private static final Map<String, String> WORDS =
      Map.of(
          "ACCEPTED", "new",
          "CORRECTION", "amend",
          "EXACT_DUPLICATE", "dup",
          "CONFLICTING_DUPLICATE", "clash",
          "LATE", "late",
          "FUTURE", "ahead");

  private static final String COPIED_TWICE = "events/venue-a/2026-01-06-b.parquet";
  private static final Instant SECOND_PART = Instant.parse("2026-01-06T17:30:00Z");

  private final Random random = new Random(20260105);
  private final Shop shop = new Shop(random);
  private final Planted planted = new Planted();
  private final List<Row> olderVersions = new ArrayList<>();
  private final List<Ack> strayAcks = new ArrayList<>();
  private final Map<Reception, String> recordedFirst = new HashMap<>();
  private final Map<Reception, String> lateness = new HashMap<>();
  private final List<Map<String, Object>> strayDecisions = new ArrayList<>();
  private final Set<Event> contested = new HashSet<>();
  private final List<Event> withoutRisk = new ArrayList<>();
  private final ReplayMishaps replays =
      new ReplayMishaps(shop, planted, withoutRisk, strayAcks, this::first);

  private QuickstartArchive() {}

  /** Writes the archive and {@code planted.json} into the folder that is named. */
  public static void main(String[] args) throws IOException, SQLException {
    writeTo(Path.of(args[0]));
  }

  /** Writes the archive and {@code planted.json} into a folder. */
  static void writeTo(Path folder) throws IOException, SQLException {
    QuickstartArchive archive = new QuickstartArchive();
    archive.live();
    archive.suffer();
    archive.write(new Archive(folder));
    Files.writeString(folder.resolve("planted.json"), archive.planted.text());
  }

  private void live() {
    for (String day : List.of("2026-01-05", "2026-01-06", "2026-01-07")) {
      Instant opens = Instant.parse(day + "T08:00:00Z");
      Instant closes = Instant.parse(day + "T18:30:00Z");
      shop.day(opens, closes.isBefore(CUT_EVENTS) ? closes : CUT_EVENTS.minusMillis(200));
    }
  }

  private void suffer() {
    venueReconnects();
    answersAreLost();
    statusMessagesHaveNoId();
    venueCorrects();
    contentChangesUnderAnId();
    segmentIsRepaired();
    twoNodesShareANumber();
    proxyRewritesContent();
    memoryOfDuplicatesIsTooShort();
    duplicateKeyIsTooCoarse();
    writerCrashesBetweenTwoTransactions();
    twoNodesRace();
    switchIsOnTooEarly();
    transactionsAreRolledBack();
    queueIsNotPolled();
    workerDies();
    brokerIsAway();
    addressesAreWrong();
    relayRestartsBeforeItMarks();
    relayTriesForEver();
    leaseIsInTheWrongUnit();
    clockOfANodeIsBehind();
    riskIsDown();
    stagingAcknowledgesProduction();
    relayRestartsAfterItPublished();
    mailerMakesAKeyPerAttempt();
    riskLosesItsMemory();
    dumpSeesARowTwice();
    webhooksAreTriedOut();
    auditListens();
    decisionsAreLost();
    schemaChangesWithoutNotice();
    dayIsReplayed();
    historyIsKept();
    terminalLosesItsUplink();
    clockOfATerminalIsAhead();
    relaysAreBusyAtTheCut();
    decide();
    new OrderMishaps(shop, planted).suffer();
    new LeaseMishaps(shop, planted, olderVersions, this::first).suffer();
    salesMailPastTheOutbox();
    replays.suffer();
    decide();
  }

  /** The live system decides on what it has received, within milliseconds. */
  private void decide() {
    shop.receptions.sort(BY_ARRIVAL);
    for (Reception reception : shop.receptions) {
      if (reception.decidedAt == null) {
        reception.decidedAt = reception.receivedAt.plusMillis(between(2, 15));
      }
    }
  }

  // Incidents that leave nothing to find.

  private void venueReconnects() {
    for (String time :
        List.of("2026-01-05T15:10:00Z", "2026-01-06T11:40:00Z", "2026-01-07T12:50:00Z")) {
      Instant reconnect = Instant.parse(time);
      Instant at = reconnect;
      for (Event event : first(25, trades(), reconnect.minusSeconds(1_700), reconnect)) {
        at = at.plusMillis(between(5, 30));
        shop.receive(event, at, "EXACT_DUPLICATE").reordered = true;
      }
    }
  }

  private void answersAreLost() {
    for (Event event : spread(24, event -> event.source.equals(ORDERS))) {
      Instant again = event.first.receivedAt.plusMillis(between(3_000, 30_000));
      shop.receive(event, again, "EXACT_DUPLICATE");
    }
  }

  private void statusMessagesHaveNoId() {
    for (String day : List.of("2026-01-05", "2026-01-06", "2026-01-07")) {
      for (String time : List.of("T13:00:00Z", "T13:05:00Z")) {
        Instant at = Instant.parse(day + time);
        Map<String, String> body = new TreeMap<>();
        body.put("state", time.equals("T13:00:00Z") ? "halted" : "resumed");
        Event status = new Event(VENUE, null, "status", "all", at, "2", body);
        status.taken = true;
        shop.happen(status, at.plusMillis(between(20, 90)));
        if (time.equals("T13:05:00Z") && day.equals("2026-01-06")) {
          shop.receive(status, at.plusMillis(700), "EXACT_DUPLICATE");
        }
      }
    }
  }

  private void venueCorrects() {
    for (Event event : spread(14, trades())) {
      Instant at = event.occurredAt.plusMillis(between(120_000, 600_000));
      Map<String, String> body = new TreeMap<>(event.body);
      body.put("px", withOtherCents(event.body.get("px")));
      Event correction = new Event(VENUE, shop.nextTradeId(), "trade", event.entity, at, "2", body);
      correction.supersedes = event.id;
      correction.supersedeReason = "price corrected by the venue";
      correction.taken = true;
      shop.happen(correction, at.plusMillis(between(20, 180)));
    }
  }

  /**
   * A dump that overlaps itself, acks collected twice, and rows that the outbox keeps versions of.
   */
  private void historyIsKept() {
    for (Event event : spread(20, event -> event.row != null)) {
      Row claimed = event.row.copy();
      claimed.neverFinished();
      olderVersions.add(claimed);
    }
    for (Event event : spread(10, event -> event.row != null)) {
      olderVersions.add(event.row.copy());
    }
    for (Event event : spread(8, event -> event.row != null)) {
      strayAcks.add(event.row.acks.get(0));
    }
    for (Event event : spread(2, trades(), Instant.parse("2026-01-06T09:00:00Z"))) {
      recordedFirst.put(event.first, "EXACT_DUPLICATE");
    }
  }

  /**
   * A terminal on the floor sends what it could not send: seconds later, well within the budget of
   * five minutes, or so much later that other trades of its shard have long come in.
   */
  private void terminalLosesItsUplink() {
    String story = "for a while the live system had a budget of one minute";
    for (String day : List.of("2026-01-05", "2026-01-06", "2026-01-07")) {
      Instant at = Instant.parse(day + "T09:10:00Z");
      for (int i = 0; i < 12; i++) {
        at = at.plusMillis(between(1_800_000, 2_400_000));
        boolean late = i % 3 > 0;
        int delay = late ? between(1_200_000, 3_300_000) : between(90_000, 120_000);
        Event event = trade(at);
        shop.happen(event, at.plusMillis(delay));
        if (late) {
          event.first.recorded = "LATE";
          lateness.put(event.first, "LATE");
        } else if (i == 0 && !at.isBefore(START_DECISIONS)) {
          recorded(event.first, "LATE", story);
        }
      }
    }
  }

  private void clockOfATerminalIsAhead() {
    Instant at = Instant.parse("2026-01-07T10:15:00Z");
    for (int i = 0; i < 5; i++) {
      at = at.plusMillis(between(30_000, 90_000));
      Event event = trade(at.plusSeconds(1_200));
      shop.happen(event, at.plusMillis(between(20, 180)));
      event.first.recorded = "FUTURE";
      lateness.put(event.first, "FUTURE");
    }
  }

  private Event trade(Instant at) {
    Map<String, String> body = new TreeMap<>();
    String instrument = List.of("ACME", "NORD", "SOLE").get(random.nextInt(3));
    body.put("instrument", instrument);
    body.put("px", between(20, 90) + "." + Shop.digits(2, between(0, 99)));
    body.put("qty", Integer.toString(100 * between(1, 9)));
    body.put("side", "buy");
    Event event = new Event(VENUE, shop.nextTradeId(), "trade", instrument, at, "2", body);
    event.taken = true;
    return event;
  }

  private void relaysAreBusyAtTheCut() {
    boolean leased = false;
    for (Row row : shop.rows) {
      if (row.createdAt.isAfter(CUT_OUTBOX.minusSeconds(150))
          && !row.createdAt.isAfter(CUT_OUTBOX)) {
        if (leased) {
          row.neverSent();
        } else {
          leased = true;
          row.neverFinished();
          row.claimedAt = CUT_OUTBOX.minusSeconds(20);
          row.leaseUntil = CUT_OUTBOX.plusSeconds(40);
          row.acks.clear();
        }
      }
    }
  }

  private void dayIsReplayed() {
    String batch = ReplayMishaps.REBUILD;
    Instant at = Instant.parse("2026-01-07T06:30:00Z");
    int number = 0;
    for (int i = 1; i <= 5; i++) {
      Map<String, String> body = new TreeMap<>();
      body.put("instrument", "ACME");
      body.put("px", "99." + Shop.digits(2, between(0, 99)));
      body.put("qty", "100");
      body.put("side", "buy");
      Instant occurred = Instant.parse("2026-01-02T17:0%s:00Z".formatted(i));
      Event event =
          new Event(VENUE, "T-F" + Shop.digits(5, i), "trade", "ACME", occurred, "2", body);
      event.taken = true;
      at = at.plusMillis(between(20, 60));
      Reception replayed = shop.receive(event, at, "ACCEPTED");
      replayed.replayId = batch;
      replayed.replayedAs = "rb-" + Shop.digits(5, ++number);
    }
    Instant from = Instant.parse("2026-01-06T08:00:00Z");
    for (Event event : first(40, trades(), from, from.plusSeconds(36_000))) {
      at = at.plusMillis(between(20, 60));
      Reception replayed = shop.receive(event, at, "EXACT_DUPLICATE");
      replayed.replayId = batch;
      replayed.replayedAs = "rb-" + Shop.digits(5, ++number);
    }
  }

  // Identity and decisions.

  private void contentChangesUnderAnId() {
    String story = "the venue sends a trade again under its id, with another price";
    List<Event> changed = spread(4, trades());
    for (Event event : changed) {
      TreeMap<String, String> body = new TreeMap<>(event.body);
      body.put("px", withOtherCents(body.get("px")));
      conflict(event, body, story);
    }
    for (Event event : spread(2, order("order.placed"))) {
      TreeMap<String, String> body = new TreeMap<>(event.body);
      body.put("qty", body.get("qty") + "0");
      conflict(event, body, "an order is changed in place, under its old id");
    }
    Reception silent =
        shop.receptions.stream()
            .filter(reception -> reception.event == changed.get(3))
            .filter(reception -> reception.decision.equals("CONFLICTING_DUPLICATE"))
            .findFirst()
            .orElseThrow();
    recorded(silent, "EXACT_DUPLICATE", "the live system compared ids only");
  }

  private void conflict(Event event, TreeMap<String, String> body, String story) {
    Instant at = event.first.receivedAt.plusMillis(between(60_000, 300_000));
    shop.receive(event, at, "CONFLICTING_DUPLICATE").otherBody = body;
    planted.finding(
        "CONFLICTING_DUPLICATE",
        story,
        1,
        "source",
        event.source,
        "source_event_id",
        event.id,
        "deviating_hash",
        sha256(Json.of(body)));
  }

  private void segmentIsRepaired() {
    String story = "a segment was repaired after a disk error: one reception attempt, two contents";
    List<Event> repaired = spread(2, trades(), Instant.parse("2026-01-07T08:30:00Z"));
    Reception again =
        shop.receive(
            repaired.get(1),
            repaired.get(1).first.receivedAt.plusMillis(2_500),
            "ARCHIVE_CONFLICT");
    for (Reception damaged : List.of(repaired.get(0).first, again)) {
      Reception other =
          new Reception(damaged.event, damaged.id, damaged.receivedAt, "ARCHIVE_CONFLICT");
      other.otherBody = new TreeMap<>(damaged.event.body);
      other.otherBody.put("qty", "0");
      other.recorded = null;
      shop.receptions.add(other);
      damaged.recorded = damaged == again ? "EXACT_DUPLICATE" : "ACCEPTED";
      damaged.decision = "ARCHIVE_CONFLICT";
      contested.add(damaged.event);
      planted.finding("ARCHIVE_CONFLICT", story, 2, "ingestion_id", damaged.id);
    }
  }

  private void twoNodesShareANumber() {
    Instant from = Instant.parse("2026-01-07T08:20:00Z");
    List<Event> events = first(2, trades(), from, from.plusSeconds(600));
    Reception one = events.get(0).first;
    Event event = events.get(1);
    Reception other = new Reception(event, one.id, event.first.receivedAt, "ACCEPTED");
    shop.receptions.remove(event.first);
    shop.receptions.add(other);
    event.first = other;
    planted.finding(
        "INGESTION_ID_REUSED",
        "two gateway nodes were started under one number",
        1,
        "ingestion_id",
        one.id);
  }

  private void proxyRewritesContent() {
    for (Event event : spread(3, trades())) {
      event.first.hashedBody = new TreeMap<>(event.body);
      event.first.hashedBody.put("px", event.body.get("px") + "0");
      planted.finding(
          "PAYLOAD_HASH_MISMATCH",
          "a proxy rewrote the price; the hash is the venue's",
          1,
          "ingestion_id",
          event.first.id);
    }
  }

  private void memoryOfDuplicatesIsTooShort() {
    String story = "sent again after 40 hours; the live system remembers 36";
    Instant at = Instant.parse("2026-01-07T08:10:00Z");
    for (Event event :
        first(
            3,
            order("order.filled"),
            Instant.parse("2026-01-05T15:00:00Z"),
            Instant.parse("2026-01-05T18:00:00Z"))) {
      at = at.plusMillis(between(500, 4_000));
      recorded(shop.receive(event, at, "EXACT_DUPLICATE"), "ACCEPTED", story);
      Row second = surplus("DEDUP_EXPIRED", event, at, story);
      second.acks.forEach(ack -> ack.effectKey = second.id);
      planted.finding(
          "DOUBLE_EFFECT",
          story,
          1,
          "source",
          event.source,
          "source_event_id",
          event.id,
          "effect_type",
          NOTIFY,
          "consumer",
          "mailer");
    }
  }

  private void duplicateKeyIsTooCoarse() {
    String story = "the live system took a client's second message of a second for a repeat";
    for (Event event : spread(4, order("order.cancelled"), START_DECISIONS)) {
      recorded(event.first, "EXACT_DUPLICATE", story);
      neverAnnounced(event, story);
    }
  }

  private void recorded(Reception reception, String decision, String story) {
    reception.recorded = decision;
    planted.finding("DECISION_MISMATCH", story, 1, "ingestion_id", reception.id);
  }

  private void decisionsAreLost() {
    Instant from = Instant.parse("2026-01-06T13:20:00Z");
    for (Event event : first(7, event -> true, from, from.plusSeconds(3_600))) {
      event.first.recorded = null;
      planted.finding(
          "DECISION_MISSING",
          "the log of decisions was rotated before it was copied",
          1,
          "ingestion_id",
          event.first.id);
    }
    for (int i = 0; i < 3; i++) {
      Instant at = Instant.parse("2026-01-06T16:4%s:00Z".formatted(i)).plusMillis(between(0, 999));
      String lost = shop.id("rx", at);
      strayDecisions.add(decision(lost, "ACCEPTED", at.plusMillis(between(2, 15))));
      planted.finding(
          "DECISION_ORPHAN",
          "a segment of the gateway was never archived",
          1,
          "ingestion_id",
          lost);
    }
  }

  private void schemaChangesWithoutNotice() {
    Instant from = Instant.parse("2026-01-07T15:00:00Z");
    for (Event event : shop.events) {
      Instant at = event.occurredAt;
      if (event.topic.equals("trade")
          && !at.isBefore(from)
          && at.isBefore(from.plusSeconds(3_600))) {
        event.schemaVersion = "3";
      }
    }
    for (Event event : spread(6, order("order.placed"))) {
      event.schemaVersion = null;
    }
    unknownSchema(VENUE, "3", "version 3 of the venue's messages went live for an hour");
    unknownSchema(ORDERS, null, "an old desk tool sends no version");
  }

  private void unknownSchema(String source, String version, String story) {
    long accepted =
        shop.events.stream()
            .filter(event -> event.source.equals(source))
            .filter(
                event ->
                    version == null
                        ? event.schemaVersion == null
                        : version.equals(event.schemaVersion))
            .filter(event -> !event.first.decision.equals("ARCHIVE_CONFLICT"))
            .count();
    planted.finding(
        "UNKNOWN_SCHEMA_VERSION", story, accepted, "source", source, "schema_version", version);
  }

  // Events and outbox rows.

  private void writerCrashesBetweenTwoTransactions() {
    Instant from = Instant.parse("2026-01-06T10:15:00Z");
    for (Event event : first(5, trades(), from, from.plusSeconds(1_200))) {
      neverAnnounced(event, "a build wrote event and row in two transactions, and crashed between");
    }
  }

  private void neverAnnounced(Event event, String story) {
    shop.rows.remove(event.row);
    event.row = null;
    planted.finding(
        "MISSING_OUTBOX",
        story,
        1,
        "source",
        event.source,
        "source_event_id",
        event.id,
        "effect_type",
        event.effectType());
  }

  private void twoNodesRace() {
    String story = "two gateway nodes received one trade within 40 ms and both took it for new";
    for (Event event : spread(3, trades(), START_DECISIONS)) {
      Instant at = event.first.receivedAt.plusMillis(between(20, 40));
      recorded(shop.receive(event, at, "EXACT_DUPLICATE"), "ACCEPTED", story);
      Row second = surplus(null, event, at, story);
      second.acks.stream()
          .filter(ack -> ack.consumer.equals("risk"))
          .forEach(ack -> ack.applied = false);
      planted.redelivery("SURPLUS_ROW", story, 1, event, "positions");
    }
  }

  private Row surplus(String hint, Event event, Instant at, String story) {
    Row row = shop.deliver(shop.announce(event, event.effectType(), at.plusMillis(20)));
    planted.hinted(hint, "SURPLUS_OUTBOX", story, 1, "outbox_id", row.id);
    return row;
  }

  private void switchIsOnTooEarly() {
    for (Event event : spread(2, order("order.placed"))) {
      Row row = shop.deliver(shop.announce(event, NOTIFY, event.first.receivedAt));
      planted.finding(
          "SURPLUS_OUTBOX",
          "clients were told of a placed order, which nobody had asked for",
          1,
          "outbox_id",
          row.id);
    }
  }

  private void transactionsAreRolledBack() {
    String story = "the row was written on another connection, and its event rolled back";
    for (String time : List.of("2026-01-06T12:11:08Z", "2026-01-07T11:02:41Z")) {
      Instant at = Instant.parse(time).plusMillis(between(0, 999));
      Row row = shop.deliver(shop.row(NOTIFY, "order", "O-09999", at, ORDERS, shop.id("OE", at)));
      planted.finding("ORPHAN_OUTBOX", story, 1, "outbox_id", row.id);
    }
    Instant at = Instant.parse("2026-01-07T10:30:00.250Z");
    Row waiting = shop.row(SETTLE, "instrument", "SOLE", at, VENUE, shop.id("T", at));
    waiting.neverSent();
    planted.finding("ORPHAN_OUTBOX", story, 1, "outbox_id", waiting.id);
    planted.finding("STUCK_PENDING", story, 1, "outbox_id", waiting.id);

    at = Instant.parse("2026-01-06T19:00:00.004Z");
    Row nameless = shop.deliver(shop.row(SETTLE, "instrument", "NORD", at, VENUE, null));
    nameless.acks.forEach(ack -> ack.effectKey = "manual-1");
    planted.finding(
        "ORPHAN_OUTBOX",
        "a maintenance script wrote a row without an event",
        1,
        "outbox_id",
        nameless.id);
  }

  // States.

  private void queueIsNotPolled() {
    Instant from = Instant.parse("2026-01-07T13:00:00Z");
    for (Event event :
        first(
            5, trades().and(event -> event.entity.equals("VERT")), from, from.plusSeconds(9_000))) {
      event.row.neverSent();
      event.row.visibleAt = event.row.createdAt.plusSeconds(5);
      planted.finding(
          "STUCK_PENDING",
          "after a rollout no relay polls the shard of VERT",
          1,
          "outbox_id",
          event.row.id);
    }
  }

  private void workerDies() {
    Instant from = Instant.parse("2026-01-07T14:20:00Z");
    List<Event> claimed = first(5, trades(), from, from.plusSeconds(1_200));
    for (Event event : claimed) {
      event.row.neverFinished();
      event.row.owner = "relay-3";
      event.row.acks.clear();
      planted.finding(
          "STUCK_LEASE",
          "relay-3 died with its leases, and nobody recovers them",
          1,
          "outbox_id",
          event.row.id);
    }
    claimed.get(4).row.leaseUntil = null;
  }

  private void brokerIsAway() {
    Instant from = Instant.parse("2026-01-07T09:05:00Z");
    for (Event event : first(3, trades(), from, from.plusSeconds(900))) {
      event.row.neverSent();
      event.row.attempts = 5;
      planted.finding(
          "IMPLICIT_DLQ",
          "the broker was away; five attempts are spent and the poll skips the row",
          1,
          "outbox_id",
          event.row.id);
    }
  }

  private void addressesAreWrong() {
    for (Event event : spread(4, order("order.filled"))) {
      Row row = event.row;
      row.status = "DLQ";
      row.attempts = 3;
      row.deadAt = row.claimedAt.plusSeconds(180);
      row.dispatchedAt = null;
      row.acks.clear();
      planted.finding("DLQ", "the client's mail address is wrong", 1, "outbox_id", row.id);
    }
  }

  private void relayRestartsBeforeItMarks() {
    Instant from = Instant.parse("2026-01-07T11:45:00Z");
    for (Event event : first(3, trades(), from, from.plusSeconds(900))) {
      event.row.neverFinished();
      planted.finding(
          "ACKED_NOT_TERMINAL",
          "relay-1 was restarted between sending and marking",
          1,
          "outbox_id",
          event.row.id);
    }
  }

  private void relayTriesForEver() {
    String story = "a row that no relay manages to mark is sent at every sweep";
    Event event = spread(1, trades(), Instant.parse("2026-01-07T08:00:00Z")).get(0);
    Row row = event.row;
    for (int i = 1; i <= 2; i++) {
      shop.ack(
          row, "positions", row.acks.get(0).at.plusSeconds(900L * i), row.acks.get(0).effectKey);
      shop.ack(row, "risk", row.acks.get(1).at.plusSeconds(900L * i), row.acks.get(1).effectKey);
    }
    row.status = "PENDING";
    row.attempts = 40;
    row.claimedAt = null;
    row.owner = null;
    row.leaseUntil = null;
    row.dispatchedAt = null;
    planted.finding("ACKED_NOT_TERMINAL", story, 1, "outbox_id", row.id);
    planted.finding("RETRY_LIMIT_EXCEEDED", story, 1, "outbox_id", row.id);
    planted.redelivery("PUBLISHED_BEFORE_MARK", story, 2, event, "positions");

    for (Event slow : spread(2, trades())) {
      slow.row.attempts = 9;
      planted.finding(
          "RETRY_LIMIT_EXCEEDED",
          "the limit of attempts was not read after a restart",
          1,
          "outbox_id",
          slow.row.id);
    }
  }

  private void leaseIsInTheWrongUnit() {
    for (Event event : spread(2, trades())) {
      event.row.leaseUntil = event.row.claimedAt.plusSeconds(60_000);
      planted.finding(
          "IMPLAUSIBLE_LEASE", "a relay took 60000 ms for seconds", 1, "outbox_id", event.row.id);
    }
  }

  private void clockOfANodeIsBehind() {
    for (Event event : spread(2, trades())) {
      Row row = event.row;
      row.claimedAt = row.createdAt.minusMillis(2_400);
      row.leaseUntil = row.claimedAt.plusSeconds(60);
      row.dispatchedAt = row.createdAt.minusMillis(2_350);
      planted.finding(
          "IMPOSSIBLE_STATE", "the clock of a relay's machine is behind", 1, "outbox_id", row.id);
    }
    Event byHand = spread(1, order("order.filled")).get(0);
    byHand.row.attempts = 0;
    planted.finding(
        "IMPOSSIBLE_STATE", "somebody marked the row by hand", 1, "outbox_id", byHand.row.id);

    Event confused = spread(1, order("order.filled")).get(0);
    confused.row.acks.get(0).sourceEventId = "OE-000001";
    planted.finding(
        "IMPOSSIBLE_STATE",
        "the mailer acknowledged another order's event",
        1,
        "outbox_id",
        confused.row.id);
  }

  private void dumpSeesARowTwice() {
    Event event = spread(1, trades()).get(0);
    Row other = event.row.copy();
    other.status = "PROCESSING";
    other.dispatchedAt = null;
    olderVersions.add(other);
    planted.finding(
        "STATE_CONFLICT",
        "the row was dumped twice, and a relay wrote without raising its version",
        1,
        "outbox_id",
        event.row.id);
  }

  // Acknowledgements.

  private void riskIsDown() {
    Instant from = Instant.parse("2026-01-06T14:00:00Z");
    withoutRisk.addAll(first(6, trades(), from, from.plusSeconds(1_800)));
    for (Event event : withoutRisk) {
      event.row.acks.removeIf(ack -> ack.consumer.equals("risk"));
      planted.finding(
          "MISSING_ACK",
          "risk was down, and its queue purged on restart",
          1,
          "outbox_id",
          event.row.id,
          "consumer",
          "risk");
    }
    Event refused = spread(1, order("order.filled")).get(0);
    refused.row.acks.get(0).applied = false;
    planted.finding(
        "MISSING_ACK",
        "the mailer answered and sent nothing: quota used up",
        1,
        "outbox_id",
        refused.row.id,
        "consumer",
        "mailer");
  }

  private void stagingAcknowledgesProduction() {
    for (int i = 0; i < 3; i++) {
      Instant at = Instant.parse("2026-01-07T12:0%s:30Z".formatted(i)).plusMillis(between(0, 999));
      Ack ack =
          new Ack(shop.id("ak", at), shop.id("stg", at), "positions", at, "stg-" + i + ":settle");
      strayAcks.add(ack);
      planted.finding(
          "ORPHAN_ACK",
          "a staging consumer was connected to the queue of production",
          1,
          "ack_id",
          ack.id);
    }
    Instant at = Instant.parse("2026-01-07T12:10:00.400Z");
    strayAcks.add(new Ack(null, null, "mailer", at, "test-mail"));
    planted.finding(
        "ORPHAN_ACK",
        "a test mail was acknowledged like a real one",
        1,
        "outbox_id",
        null,
        "consumer",
        "mailer",
        "effect_key",
        "test-mail");
  }

  private void relayRestartsAfterItPublished() {
    String story = "relay-1 was restarted between sending and marking; relay-2 sent again";
    Instant from = Instant.parse("2026-01-06T15:30:00Z");
    for (Event event : first(6, trades(), from, from.plusSeconds(900))) {
      Row row = event.row;
      row.owner = "relay-1";
      row.acks.forEach(ack -> ack.worker = "relay-1");
      Row published = row.copy();
      published.neverFinished();
      olderVersions.add(published);
      row.attempts = 2;
      row.owner = "relay-2";
      row.claimedAt = row.claimedAt.plusSeconds(75);
      row.leaseUntil = row.claimedAt.plusSeconds(60);
      row.dispatchedAt = row.dispatchedAt.plusSeconds(75);
      for (Ack ack : List.copyOf(row.acks)) {
        shop.ack(row, ack.consumer, ack.at.plusSeconds(75), ack.effectKey);
      }
      planted.redelivery("PUBLISHED_BEFORE_MARK", story, 1, event, "positions");
    }
  }

  private void mailerMakesAKeyPerAttempt() {
    String story = "the mailer's new build makes a key per attempt";
    Instant from = Instant.parse("2026-01-07T10:00:00Z");
    Instant to = from.plusSeconds(3_600);
    List<Event> twice = first(4, order("order.filled"), from.plusSeconds(600), to);
    for (Event event : twice) {
      Ack sent = event.row.acks.get(0);
      event.row.attempts = 2;
      shop.ack(event.row, "mailer", sent.at.plusSeconds(40), sent.effectKey);
      planted.finding(
          "DOUBLE_EFFECT",
          story,
          1,
          "source",
          event.source,
          "source_event_id",
          event.id,
          "effect_type",
          NOTIFY,
          "consumer",
          "mailer");
    }
    for (Event event : shop.events) {
      if (event.row != null
          && event.row.effectType.equals(NOTIFY)
          && within(event, from, to)
          && (!event.taken || twice.contains(event))) {
        event.row.acks.forEach(ack -> ack.effectKey = shop.id("mail", ack.at));
      }
    }
  }

  private void riskLosesItsMemory() {
    for (Event event : spread(2, trades())) {
      Ack first = event.row.acks.get(1);
      event.row.attempts = 2;
      shop.ack(event.row, "risk", first.at.plusSeconds(31), first.effectKey).applied = true;
      planted.finding(
          "DOUBLE_EFFECT",
          "risk lost its table of keys in a failover and acted twice",
          1,
          "source",
          event.source,
          "source_event_id",
          event.id,
          "effect_type",
          SETTLE,
          "consumer",
          "risk");
    }
  }

  private void salesMailPastTheOutbox() {
    String story = "sales mail offers past the outbox, under ids of their own";
    for (int i = 0; i < 3; i++) {
      Instant at = Instant.parse("2026-01-07T09:3%s:10Z".formatted(i)).plusMillis(between(0, 999));
      Ack ack = new Ack(shop.id("ak", at), shop.id("nl", at), "newsletter", at, "offer-" + i);
      strayAcks.add(ack);
      planted.finding("ORPHAN_ACK", story, 1, "ack_id", ack.id);
    }
    planted.finding("UNEXPECTED_CONSUMER", story, 3, "effect_type", null, "consumer", "newsletter");
  }

  // What no entry of constat.yaml names.

  private void webhooksAreTriedOut() {
    for (Event event : spread(3, order("order.filled"))) {
      shop.deliver(shop.announce(event, "webhook", event.first.receivedAt));
    }
    planted.finding(
        "UNDECLARED_EFFECT",
        "webhooks were tried out on three orders",
        3,
        "effect_type",
        "webhook");
  }

  private void auditListens() {
    Instant from = Instant.parse("2026-01-07T16:10:00Z");
    for (Event event : first(12, trades(), from, from.plusSeconds(1_800))) {
      Row row = event.row;
      shop.ack(row, "audit", row.dispatchedAt.plusMillis(between(50, 90)), event.id + ":settle");
    }
    planted.finding(
        "UNEXPECTED_CONSUMER",
        "audit listens in without being declared",
        12,
        "effect_type",
        SETTLE,
        "consumer",
        "audit");
  }

  // Whom an incident happens to.

  private static final Instant CALM_FROM = Instant.parse("2026-01-05T13:30:00Z");
  private static final Instant CALM_TO = Instant.parse("2026-01-07T17:00:00Z");

  private static Predicate<Event> trades() {
    return event -> event.topic.equals("trade");
  }

  private static Predicate<Event> order(String topic) {
    return event -> event.topic.equals(topic);
  }

  /** Some of the events that nothing has happened to yet, as even in time as it gets. */
  private List<Event> spread(int count, Predicate<Event> which) {
    return spread(count, which, CALM_FROM);
  }

  private List<Event> spread(int count, Predicate<Event> which, Instant from) {
    List<Event> free = free(which, from, CALM_TO);
    List<Event> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int width = free.size() / count;
      chosen.add(free.get(i * width + random.nextInt(width)));
    }
    chosen.forEach(event -> event.taken = true);
    return chosen;
  }

  /** The first events of a time that nothing has happened to yet. */
  private List<Event> first(int count, Predicate<Event> which, Instant from, Instant to) {
    List<Event> free = free(which, from, to);
    if (free.size() < count) {
      throw new IllegalStateException(
          "Only %s of %s events from %s".formatted(free.size(), count, from));
    }
    List<Event> chosen = List.copyOf(free.subList(0, count));
    chosen.forEach(event -> event.taken = true);
    return chosen;
  }

  private List<Event> free(Predicate<Event> which, Instant from, Instant to) {
    return shop.events.stream()
        .filter(event -> !event.taken && within(event, from, to) && which.test(event))
        .filter(event -> !isCopied(event.first))
        .sorted(comparing(event -> event.occurredAt))
        .toList();
  }

  private static boolean within(Event event, Instant from, Instant to) {
    return !event.occurredAt.isBefore(from) && event.occurredAt.isBefore(to);
  }

  private int between(int least, int most) {
    return shop.between(least, most);
  }

  private String withOtherCents(String price) {
    int cents = Integer.parseInt(price.substring(price.length() - 2));
    int other = (cents + between(1, 98)) % 100;
    return price.substring(0, price.length() - 2) + Shop.digits(2, other);
  }

  // Files.

  private static final Comparator<Reception> BY_ARRIVAL =
      Comparator.<Reception, Instant>comparing(reception -> reception.receivedAt)
          .thenComparing(reception -> reception.id);

  private void write(Archive archive) throws IOException, SQLException {
    writeEvents(archive);
    writeDecisions(archive);
    writeOutbox(archive);
    writeAcknowledgements(archive);
    writeStates(archive);
    archive.jsonLines("replays/replays.jsonl", replays.registry());
  }

  private void writeEvents(Archive archive) throws IOException, SQLException {
    Map<String, List<Map<String, Object>>> files = new TreeMap<>();
    shop.receptions.sort(BY_ARRIVAL);
    for (Reception reception : shop.receptions) {
      if (reception.receivedAt.isAfter(CUT_EVENTS)) {
        throw new IllegalStateException("Received after the cut: " + reception.id);
      }
      planted.decision(reception.decision);
      if (reception.replayId == null
          && List.of("ACCEPTED", "CORRECTION").contains(reception.decision)) {
        planted.timeliness(lateness.getOrDefault(reception, "ON_TIME"));
      }
      if (isCopied(reception)) {
        planted.decision("ARCHIVE_COPY");
      }
      String day = reception.receivedAt.toString().substring(0, 10);
      String file =
          isCopied(reception)
              ? COPIED_TWICE
              : reception.event.source.equals(VENUE)
                  ? "events/venue-a/%s.parquet".formatted(day)
                  : "events/orders/%s.jsonl%s"
                      .formatted(day, day.equals("2026-01-07") ? "" : ".gz");
      files.computeIfAbsent(file, key -> new ArrayList<>()).add(record(reception));
    }
    // The upload of a part was retried after a timeout, and the part is there twice.
    files.put(COPIED_TWICE.replace("-b", "-b-retry"), files.get(COPIED_TWICE));

    Map<String, String> columns = new LinkedHashMap<>();
    for (String column :
        List.of(
            "rx_id",
            "feed",
            "msg_id",
            "shard",
            "event_ms",
            "rx_ms",
            "schema",
            "topic",
            "entity",
            "replaces",
            "replaces_why",
            "replay_batch",
            "original_msg_id",
            "body",
            "body_hash")) {
      columns.put(column, column.endsWith("_ms") ? "BIGINT" : "VARCHAR");
    }
    for (Map.Entry<String, List<Map<String, Object>>> file : files.entrySet()) {
      if (file.getKey().endsWith(".parquet")) {
        archive.parquet(file.getKey(), columns, file.getValue());
      } else {
        archive.jsonLines(file.getKey(), file.getValue());
      }
    }
  }

  private static boolean isCopied(Reception reception) {
    return reception.event.source.equals(VENUE)
        && !reception.receivedAt.isBefore(SECOND_PART)
        && reception.receivedAt.isBefore(Instant.parse("2026-01-07T00:00:00Z"));
  }

  private static Map<String, Object> record(Reception reception) {
    Event event = reception.event;
    boolean venue = event.source.equals(VENUE);
    TreeMap<String, String> hashed =
        reception.hashedBody == null ? reception.body() : reception.hashedBody;
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("rx_id", reception.id);
    record.put("feed", event.source);
    record.put("msg_id", reception.replayedAs == null ? event.id : reception.replayedAs);
    record.put("shard", venue ? "va-" + (event.entity.charAt(0) < 'N' ? 1 : 2) : "oms");
    record.put("event_ms", event.occurredAt.toEpochMilli());
    record.put("rx_ms", reception.receivedAt.toEpochMilli());
    record.put("schema", event.schemaVersion);
    record.put("topic", event.topic);
    record.put("entity", event.entity);
    record.put("replaces", event.supersedes);
    record.put("replaces_why", event.supersedeReason);
    record.put("replay_batch", reception.replayId);
    record.put("original_msg_id", reception.replayId == null ? null : event.id);
    record.put("body", venue ? text(reception.body(), reception.reordered) : reception.body());
    record.put(
        "body_hash",
        venue
            ? "raw-bytes/1:" + sha256(text(hashed, reception.reordered))
            : sha256(Json.of(hashed)));
    return record;
  }

  private static String text(TreeMap<String, String> body, boolean reordered) {
    return Json.of(reordered ? body.descendingMap() : body);
  }

  private void writeDecisions(Archive archive) throws IOException {
    List<Map<String, Object>> decisions = new ArrayList<>(strayDecisions);
    Set<String> conflicting = new HashSet<>();
    for (Reception reception : shop.receptions) {
      if (reception.decision.equals("ARCHIVE_CONFLICT")) {
        conflicting.add(reception.id);
      }
    }
    for (Reception reception : shop.receptions) {
      Instant at = reception.decidedAt;
      boolean kept = !at.isBefore(START_DECISIONS) && !at.isAfter(CUT_DECISIONS);
      if (kept && reception.recorded != null) {
        decisions.add(decision(reception.id, reception.recorded, at));
        if (recordedFirst.containsKey(reception)) {
          Instant before = at.minusMillis(1);
          decisions.add(decision(reception.id, recordedFirst.get(reception), before));
        }
      } else if (!kept && !conflicting.contains(reception.id)) {
        boolean old = reception.receivedAt.isBefore(START_DECISIONS);
        planted.silent("DECISION_MISSING", old ? "OUT_OF_HORIZON" : "IN_FLIGHT");
      }
    }
    decisions.sort(comparing(decision -> (String) decision.get("at")));
    writeByDay("decisions/%s.jsonl", "at", decisions, archive);
  }

  private static Map<String, Object> decision(String ingestionId, String decision, Instant at) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("rx_id", ingestionId);
    record.put("verdict", WORDS.get(decision));
    record.put("build", "intake 4.2");
    record.put("at", iso(at));
    return record;
  }

  private void writeOutbox(Archive archive) throws IOException, SQLException {
    Set<String> purged = new HashSet<>();
    List<Row> kept = new ArrayList<>();
    for (Row row : shop.rows) {
      if (row.createdAt.isBefore(START_OUTBOX)) {
        purged.add(row.id);
      } else if (!row.createdAt.isAfter(CUT_OUTBOX)) {
        if (row.dispatchedAt != null && row.dispatchedAt.isAfter(CUT_OUTBOX)) {
          row.neverSent();
        }
        boolean young = row.createdAt.isAfter(CUT_OUTBOX.minusSeconds(600));
        if (row.status.equals("PENDING") && young) {
          planted.silent("STUCK_PENDING", "IN_FLIGHT");
        }
        kept.add(row);
      }
    }
    for (Event event : shop.events) {
      boolean expected = event.effectType() != null && !contested.contains(event);
      if (expected && event.row != null && !kept.contains(event.row)) {
        boolean old = event.first.receivedAt.isBefore(START_OUTBOX);
        planted.silent("MISSING_OUTBOX", old ? "OUT_OF_HORIZON" : "IN_FLIGHT");
      }
    }
    for (Row row : shop.rows) {
      for (Ack ack : row.acks) {
        boolean read = !ack.at.isBefore(START_ACKS) && !ack.at.isAfter(CUT_ACKS);
        if (read && purged.contains(row.id)) {
          planted.silent("ORPHAN_ACK", "OUT_OF_HORIZON");
        } else if (!read && kept.contains(row)) {
          planted.silent("MISSING_ACK", "IN_FLIGHT");
        }
      }
    }
    kept.addAll(olderVersions);
    kept.sort(
        Comparator.<Row, Instant>comparing(row -> row.createdAt)
            .thenComparing(row -> row.id)
            .thenComparing(row -> row.version));

    Map<String, String> columns = new LinkedHashMap<>();
    for (String column :
        List.of(
            "id",
            "feed",
            "msg_id",
            "effect",
            "aggregate_type",
            "aggregate_id",
            "priority",
            "status",
            "attempts",
            "created_at",
            "visible_at",
            "claimed_at",
            "lease_owner",
            "lease_until",
            "dispatched_at",
            "dlq_at",
            "row_version")) {
      boolean time = column.endsWith("_at") || column.equals("lease_until");
      boolean integer = column.equals("priority") || column.equals("attempts");
      columns.put(column, time ? "TIMESTAMPTZ" : integer ? "INTEGER" : "VARCHAR");
    }
    List<Map<String, Object>> records = kept.stream().map(QuickstartArchive::record).toList();
    archive.parquet("outbox/outbox-2026-01-07.parquet", columns, records);
  }

  private static Map<String, Object> record(Row row) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("id", row.id);
    record.put("feed", row.source);
    record.put("msg_id", row.sourceEventId);
    record.put("effect", row.effectType);
    record.put("aggregate_type", row.aggregateType);
    record.put("aggregate_id", row.aggregateId);
    record.put("priority", row.priority);
    record.put("status", row.status);
    record.put("attempts", row.attempts);
    record.put("created_at", iso(row.createdAt));
    record.put("visible_at", iso(row.visibleAt));
    record.put("claimed_at", iso(row.claimedAt));
    record.put("lease_owner", row.owner);
    record.put("lease_until", iso(row.leaseUntil));
    record.put("dispatched_at", iso(row.dispatchedAt));
    record.put("dlq_at", iso(row.deadAt));
    record.put("row_version", row.version);
    return record;
  }

  private void writeAcknowledgements(Archive archive) throws IOException {
    List<Ack> acks = new ArrayList<>(strayAcks);
    shop.rows.forEach(row -> acks.addAll(row.acks));
    acks.removeIf(ack -> ack.at.isBefore(START_ACKS) || ack.at.isAfter(CUT_ACKS));
    acks.sort(
        Comparator.<Ack, Instant>comparing(ack -> ack.at)
            .thenComparing(ack -> String.valueOf(ack.outboxId))
            .thenComparing(ack -> ack.consumer));
    List<Map<String, Object>> records = acks.stream().map(QuickstartArchive::record).toList();
    writeByDay("acks/%s.jsonl", "acked_at", records, archive);
  }

  private static Map<String, Object> record(Ack ack) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("ack_id", ack.id);
    record.put("outbox_id", ack.outboxId);
    record.put("consumer", ack.consumer);
    record.put("acked_at", iso(ack.at));
    record.put("effect_key", ack.effectKey);
    record.put("applied", ack.applied);
    record.put("worker", ack.worker);
    record.put("replay_id", ack.replayId);
    record.put("source", ack.source);
    record.put("source_event_id", ack.sourceEventId);
    return record;
  }

  /** The state of each order as a consumer keeps it, which is what its last event says. */
  private void writeStates(Archive archive) throws IOException {
    Map<String, Event> last = new TreeMap<>();
    for (Event event : shop.events) {
      if (event.source.equals(ORDERS) && event.schemaVersion != null) {
        last.merge(event.entity, event, (a, b) -> a.occurredAt.isBefore(b.occurredAt) ? b : a);
      }
    }
    List<Map<String, Object>> records = new ArrayList<>();
    for (Event event : last.values()) {
      String order = event.entity;
      if (order.equals("O-10500") || order.equals("O-10777")) {
        state("MISSING_WINDOW", order, "an order was deleted from the table of states by hand");
        continue;
      }
      boolean lost = List.of("O-10443", "O-10600", "O-10850").contains(order);
      if (lost) {
        state("PROJECTION_DRIFT", order, "the consumer was moved ahead and missed an event");
      }
      String state = lost ? "placed" : event.body.get("state");
      records.add(state(order, state, event.first.receivedAt.plusMillis(850)));
    }
    state("UNEXPECTED_WINDOW", "O-99001", "a test order was written into the table of states");
    records.add(state("O-99001", "placed", Instant.parse("2026-01-06T19:02:11Z")));
    archive.jsonLines("projections/states-2026-01-07.jsonl.gz", records);
  }

  private void state(String kind, String order, String story) {
    planted.finding(
        kind,
        story,
        1,
        "projection",
        "state",
        "version",
        "1",
        "business_key",
        order,
        "window_start",
        null);
  }

  private static Map<String, Object> state(String order, String state, Instant at) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("table", "state");
    record.put("build", "1");
    record.put("order", order);
    record.put("value", state);
    record.put("at", iso(at));
    return record;
  }

  /** One file per day; those of closed days are compressed. */
  private static void writeByDay(
      String name, String time, List<Map<String, Object>> records, Archive archive)
      throws IOException {
    Map<String, List<Map<String, Object>>> days = new TreeMap<>();
    for (Map<String, Object> record : records) {
      String day = ((String) record.get(time)).substring(0, 10);
      days.computeIfAbsent(day, key -> new ArrayList<>()).add(record);
    }
    for (Map.Entry<String, List<Map<String, Object>>> day : days.entrySet()) {
      String ending = day.getKey().equals("2026-01-07") ? "" : ".gz";
      archive.jsonLines(name.formatted(day.getKey()) + ending, day.getValue());
    }
  }

  /** With three digits behind the second, always: texts then sort like the times they stand for. */
  static String iso(Instant instant) {
    if (instant == null) {
      return null;
    }
    String text = instant.toString();
    return text.length() == 20 ? text.replace("Z", ".000Z") : text;
  }

  private static String sha256(String text) {
    return Hashing.sha256().hashString(text, UTF_8).toString();
  }
}
