package dev.constat.pipelines.testdata;

import dev.constat.pipelines.testdata.Shop.Event;
import dev.constat.pipelines.testdata.Shop.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Orders so large that they are filled in parts. Clients hear of each part, and of what became of
 * the order in the end, in this order; most of the time.
 */
final class OrderMishaps {

  private static final String FILLED = "order.filled";

  private final Shop shop;
  private final Planted planted;

  OrderMishaps(Shop shop, Planted planted) {
    this.shop = shop;
    this.planted = planted;
  }

  void suffer() {
    notices("2026-01-06T09:20:00Z", FILLED, 0, 180, 420);
    notices("2026-01-07T13:10:00Z", FILLED, 0, 75, 600);
    noticeIsTriedAgain();
    noticesAreHeldBack();
    cancellationsGoFirst();
    noticeIsGivenUp();
    noticeIsSentAfterAll();
    relayDiesOnTheFirstNotice();
  }

  private void noticeIsTriedAgain() {
    for (String time : List.of("2026-01-06T10:30:00Z", "2026-01-07T12:20:00Z")) {
      List<Row> rows = notices(time, FILLED, 0, 20, 300);
      sent(rows.get(0), 2, rows.get(0).createdAt.plusSeconds(61));
      violation(
          "RETRY_OVERTAKE",
          rows.get(1),
          1,
          "the mailer's connection broke; the next notice went out before the first was retried");
    }
  }

  private void noticesAreHeldBack() {
    List<Row> rows = notices("2026-01-07T14:40:00Z", FILLED, 0, 120);
    Row first = rows.get(0);
    first.visibleAt = first.createdAt.plusSeconds(300);
    sent(first, 1, first.visibleAt.plusSeconds(1));
    violation(
        "LATE_VISIBILITY",
        rows.get(1),
        1,
        "notices of parts are held back for five minutes to be bundled, the last one is not");
  }

  private void cancellationsGoFirst() {
    List<Row> rows = notices("2026-01-06T11:50:00Z", "order.cancelled", 0, 15);
    sent(rows.get(0), 1, rows.get(0).createdAt.plusSeconds(40));
    rows.get(1).priority = 9;
    violation(
        "PRIORITY",
        rows.get(1),
        1,
        "cancellations were given priority over the queue, their own order's too");
  }

  private void noticeIsGivenUp() {
    List<Row> rows = notices("2026-01-06T13:05:00Z", FILLED, 0, 30, 600);
    givenUp(rows.get(0));
    sent(rows.get(1), 1, rows.get(0).deadAt.plusSeconds(2));
    planted.finding(
        "DLQ",
        "the mail was refused three times; the next notice waited until it was given up",
        1,
        "outbox_id",
        rows.get(0).id);
  }

  private void noticeIsSentAfterAll() {
    List<Row> rows = notices("2026-01-06T15:05:00Z", FILLED, 0, 300, 700);
    Row first = rows.get(0);
    givenUp(first);
    Instant dead = first.deadAt;
    first.status = "DISPATCHED";
    sent(first, 3, Instant.parse("2026-01-06T18:12:00Z"));
    first.deadAt = dead;
    violation(
        "DLQ_RESUBMIT",
        first,
        2,
        "a notice was given up, two others went on, and then somebody sent it after all");
  }

  private void relayDiesOnTheFirstNotice() {
    String story = "relay-3 died on an order's first notice, and the others wait behind it";
    List<Row> rows = notices("2026-01-07T15:10:00Z", FILLED, 0, 120, 300);
    Row head = rows.get(0);
    head.neverFinished();
    head.owner = "relay-3";
    head.acks.clear();
    planted.finding("STUCK_LEASE", story, 1, "outbox_id", head.id);
    for (Row row : rows.subList(1, 3)) {
      row.neverSent();
      planted.finding("BLOCKED_BY_HEAD", story, 1, "outbox_id", row.id);
    }
  }

  private void violation(String cause, Row row, long occurrences, String story) {
    planted.hinted(cause, "ORDER_VIOLATION", story, occurrences, "outbox_id", row.id);
  }

  private static void givenUp(Row row) {
    row.status = "DLQ";
    row.attempts = 3;
    row.claimedAt = row.createdAt.plusSeconds(120);
    row.leaseUntil = row.claimedAt.plusSeconds(60);
    row.deadAt = row.claimedAt.plusSeconds(60);
    row.dispatchedAt = null;
    row.acks.clear();
  }

  private void sent(Row row, int attempts, Instant claimedAt) {
    row.attempts = attempts;
    row.claimedAt = claimedAt;
    row.leaseUntil = claimedAt.plusSeconds(60);
    row.dispatchedAt = claimedAt.plusMillis(20);
    row.acks.clear();
    String key = row.sourceEventId + ":" + row.effectType;
    shop.ack(row, "mailer", row.dispatchedAt.plusMillis(600), key);
  }

  /**
   * An order and what became of it.
   *
   * @param end the topic of its last event
   * @param seconds when each part was filled, and the end, after the first
   * @return the rows of the notices, each sent within two seconds
   */
  private List<Row> notices(String placedAt, String end, int... seconds) {
    Instant at = Instant.parse(placedAt).plusMillis(shop.between(0, 999));
    String order = shop.nextOrderId();
    Map<String, String> body = new LinkedHashMap<>();
    body.put("order", order);
    body.put("client", "C-" + Shop.digits(2, shop.between(25, 28)));
    body.put("instrument", "NORD");
    body.put("qty", Integer.toString(1_000 * shop.between(4, 9)));
    body.put("state", "placed");
    happen("order.placed", order, at, body);
    body.put("px", "230." + Shop.digits(2, shop.between(0, 99)));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      boolean last = i == seconds.length - 1;
      String topic = last ? end : "order.partly-filled";
      body.put("state", topic.substring("order.".length()));
      Row row = happen(topic, order, at.plusSeconds(30L + seconds[i]), body).row;
      sent(row, 1, row.createdAt.plusSeconds(1));
      rows.add(row);
    }
    return rows;
  }

  private Event happen(String topic, String order, Instant at, Map<String, String> body) {
    Event event = shop.orderEvent(topic, order, at, body);
    event.taken = true;
    return event;
  }
}
