package dev.constat.pipelines.testdata;

import static java.util.Comparator.comparing;

import dev.constat.pipelines.testdata.Shop.Ack;
import dev.constat.pipelines.testdata.Shop.Event;
import dev.constat.pipelines.testdata.Shop.Reception;
import dev.constat.pipelines.testdata.Shop.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Replays and the list that the desk keeps of them. A replay that is let have effects reaches the
 * consumers past the outbox, under the ids of the rows and the keys of the originals.
 */
final class ReplayMishaps {

  static final String REBUILD = "rebuild-2026-01-07";

  private static final String MEND = "mend-risk-1";
  private static final String MEND_REST = "mend-risk-2";
  private static final String STATES = "states-build-2";

  private final Shop shop;
  private final Planted planted;
  private final List<Event> withoutRisk;
  private final List<Ack> acks;
  private final Choice choice;
  private final List<Map<String, Object>> registry = new ArrayList<>();

  /**
   * Replays of a shop.
   *
   * @param withoutRisk the trades that risk never heard of
   * @param acks where acknowledgements go
   */
  ReplayMishaps(
      Shop shop, Planted planted, List<Event> withoutRisk, List<Ack> acks, Choice choice) {
    this.shop = shop;
    this.planted = planted;
    this.withoutRisk = withoutRisk;
    this.acks = acks;
    this.choice = choice;
  }

  /** What the desk has written down of its replays. */
  List<Map<String, Object>> registry() {
    return registry;
  }

  void suffer() {
    rebuildReachesAConsumer();
    consumerIsTriedOut();
    riskGetsWhatItMissed();
    rebuildIsBrokenOff();
  }

  private void rebuildReachesAConsumer() {
    register(
        REBUILD,
        "trade",
        "2026-01-02T00:00:00Z",
        "2026-01-06T18:30:00Z",
        "1",
        false,
        "2026-01-07T06:29:40Z");
    List<Reception> known =
        shop.receptions.stream()
            .filter(reception -> REBUILD.equals(reception.replayId))
            .filter(reception -> reception.event.row != null)
            .toList();
    for (int i : new int[] {7, 8}) {
      unauthorised(
          answer(known.get(i), "positions", null),
          "a rebuild was to have no effects, and two of its trades reached positions");
    }
  }

  private void consumerIsTriedOut() {
    Row row = choice.trades(1, "2026-01-07T11:20:00Z").get(0).row;
    Instant at = Instant.parse("2026-01-07T16:45:03Z").plusMillis(shop.between(0, 999));
    Ack ack = new Ack(shop.id("ak", at), row.id, "risk", at, row.acks.get(0).effectKey);
    ack.replayId = "try-risk";
    ack.applied = false;
    acks.add(ack);
    unauthorised(ack, "somebody tried out a replay without writing it down");
  }

  private void unauthorised(Ack ack, String story) {
    emitted("UNAUTHORISED_REPLAY_EFFECT", ack, story);
  }

  private void emitted(String kind, Ack ack, String story) {
    planted.finding(
        kind,
        story,
        1,
        "replay_id",
        ack.replayId,
        "outbox_id",
        ack.outboxId,
        "consumer",
        ack.consumer,
        "effect_key",
        ack.effectKey);
  }

  /**
   * The trades that risk missed are replayed in two batches, which share the trade at the seam. The
   * first batch breaks off after two trades and is started again; the second one goes one trade too
   * far.
   */
  private void riskGetsWhatItMissed() {
    String story = "risk was sent what it had missed; positions got it again";
    Event seam = withoutRisk.get(3);
    Event last = withoutRisk.get(5);
    String from = "2026-01-06T14:00:00Z";
    String middle = createdAt(seam).toString();
    String to = createdAt(last).toString();
    List<Event> one = scope("trade", Instant.parse(from), createdAt(seam));
    List<Event> two = scope("trade", createdAt(seam), createdAt(last));
    if (!one.equals(withoutRisk.subList(0, 4)) || !two.equals(withoutRisk.subList(3, 6))) {
      throw new IllegalStateException("There are other trades among those that risk missed");
    }
    register(MEND, "trade", from, middle, null, true, "2026-01-07T07:10:00Z");
    register(MEND_REST, "trade", middle, to, null, true, "2026-01-07T07:40:00Z");

    Instant at = Instant.parse("2026-01-07T07:10:02Z");
    for (Event event : List.of(one.get(0), one.get(1), one.get(0), one.get(1), one.get(2), seam)) {
      at = at.plusSeconds(30).plusMillis(shop.between(0, 999));
      answered(replayed(event, at, MEND));
    }
    Event beyond =
        choice.first(1, trade(), last.occurredAt, last.occurredAt.plusSeconds(900)).get(0);
    at = Instant.parse("2026-01-07T07:40:02Z");
    for (Event event : List.of(seam, two.get(1), last, beyond)) {
      at = at.plusSeconds(30).plusMillis(shop.between(0, 999));
      for (Ack ack : answered(replayed(event, at, MEND_REST))) {
        if (event == beyond) {
          emitted(
              "REPLAY_OUT_OF_SCOPE", ack, "a replay took the end of its interval for one later");
        }
      }
    }
    planted.redelivery(
        "REPLAY", story + ", twice as the replay broke off", 2, one.get(0), "positions");
    planted.redelivery(
        "REPLAY", story + ", twice as the replay broke off", 2, one.get(1), "positions");
    planted.redelivery("REPLAY", story, 1, one.get(2), "positions");
    planted.redelivery("REPLAY", story + ", twice from two replays", 2, seam, "positions");
    planted.redelivery("REPLAY", story, 1, two.get(1), "positions");
    planted.redelivery("REPLAY", story, 1, last, "positions");
    planted.redelivery("REPLAY", "a replay went one trade too far", 1, beyond, "positions");
    planted.finding(
        "REPLAY_OVERLAP",
        "two replays for risk share the trade at which one ends and the other begins",
        1,
        "replay_ids",
        List.of(MEND, MEND_REST));
  }

  private void rebuildIsBrokenOff() {
    String from = "2026-01-07T08:00:00Z";
    String to = "2026-01-07T12:00:00Z";
    register(STATES, "order.cancelled", from, to, "2", false, "2026-01-07T16:59:30Z");
    List<Event> scope = scope("order.cancelled", Instant.parse(from), Instant.parse(to));
    Instant at = Instant.parse("2026-01-07T17:00:00Z");
    for (Event event : scope.subList(0, 4)) {
      at = at.plusMillis(shop.between(20, 60));
      replayed(event, at, STATES);
    }
    planted.finding(
        "REPLAY_PARTIAL",
        "a rebuild of states was broken off after four orders and never resumed",
        1,
        "replay_id",
        STATES);
  }

  private void register(
      String id,
      String topic,
      String since,
      String until,
      String feeds,
      boolean effects,
      String at) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("batch", id);
    record.put("topic", topic);
    record.put("since", since);
    record.put("until", until);
    record.put("feeds", feeds);
    record.put("effects", effects);
    record.put("keys", effects ? "same" : null);
    record.put("started", at);
    registry.add(record);
  }

  private Reception replayed(Event event, Instant at, String replay) {
    Reception reception = shop.receive(event, at, "EXACT_DUPLICATE");
    reception.replayId = replay;
    reception.replayedAs = shop.id("rp", at);
    return reception;
  }

  /** Both consumers acknowledge a replayed trade, which risk acts upon unless it did before. */
  private List<Ack> answered(Reception reception) {
    boolean known =
        acks.stream()
                .filter(ack -> reception.event.row.id.equals(ack.outboxId))
                .anyMatch(ack -> Boolean.TRUE.equals(ack.applied))
            || reception.event.row.acks.stream().anyMatch(ack -> ack.consumer.equals("risk"));
    return List.of(answer(reception, "positions", null), answer(reception, "risk", !known));
  }

  private Ack answer(Reception reception, String consumer, Boolean applied) {
    Event event = reception.event;
    Instant at = reception.receivedAt.plusMillis(shop.between(20, 200));
    String key = event.id + ":" + event.effectType();
    Ack ack = new Ack(shop.id("ak", at), event.row.id, consumer, at, key);
    ack.replayId = reception.replayId;
    ack.applied = applied;
    acks.add(ack);
    return ack;
  }

  /** What a replay of a topic and an interval republishes, both ends included, in its order. */
  private List<Event> scope(String topic, Instant from, Instant to) {
    return shop.events.stream()
        .filter(event -> event.topic.equals(topic))
        .filter(event -> !createdAt(event).isBefore(from) && !createdAt(event).isAfter(to))
        .sorted(comparing(this::createdAt).thenComparing(event -> event.id))
        .toList();
  }

  private Instant createdAt(Event event) {
    return shop.rows.stream()
        .filter(row -> event.id.equals(row.sourceEventId) && event.source.equals(row.source))
        .map(row -> row.createdAt)
        .min(Comparator.naturalOrder())
        .orElse(event.first.receivedAt);
  }

  private static Predicate<Event> trade() {
    return event -> event.topic.equals("trade");
  }
}
