package dev.constat.pipelines.testdata;

import dev.constat.pipelines.testdata.Shop.Ack;
import dev.constat.pipelines.testdata.Shop.Event;
import dev.constat.pipelines.testdata.Shop.Row;
import java.time.Instant;
import java.util.List;

/**
 * Two relays and the rows that they claim from each other. The outbox keeps the older versions of
 * these rows, so that it shows who had them when.
 */
final class LeaseMishaps {

  private final Shop shop;
  private final Planted planted;
  private final List<Row> olderVersions;
  private final Choice choice;

  LeaseMishaps(Shop shop, Planted planted, List<Row> olderVersions, Choice choice) {
    this.shop = shop;
    this.planted = planted;
    this.olderVersions = olderVersions;
    this.choice = choice;
  }

  void suffer() {
    batchOutlastsItsLease();
    leasesAreTakenForEnded();
    marksAreOverwritten();
    riskRefuses();
  }

  private void batchOutlastsItsLease() {
    String story = "relay-1 took longer over a batch than its lease; relay-2 had sent the rest";
    List<Event> batch = choice.trades(4, "2026-01-07T16:00:00Z");
    Instant claimedAt = batch.get(3).row.createdAt.plusSeconds(1);
    for (int i = 0; i < 4; i++) {
      Row row = batch.get(i).row;
      claim(row, "relay-1", 1, claimedAt);
      Instant published = claimedAt.plusSeconds(20 + 24L * i);
      if (i < 2) {
        mark(row, published);
        delivered(row, published);
      } else {
        keepVersion(row, "2");
        claim(row, "relay-2", 2, claimedAt.plusSeconds(60).plusMillis(400L * i));
        mark(row, row.claimedAt.plusMillis(30));
        delivered(row, row.dispatchedAt);
        deliveredBy("relay-1", row, published);
        planted.redelivery("BATCH_OVER_LEASE", story, 1, batch.get(i), "positions");
      }
    }
  }

  private void leasesAreTakenForEnded() {
    String story = "relay-2 was set to leases of 15 s and claimed what relay-1 still had";
    List<Event> stolen = choice.trades(2, "2026-01-07T08:40:00Z");
    for (Event event : stolen) {
      Row row = event.row;
      Instant claimedAt = row.createdAt.plusSeconds(1);
      claim(row, "relay-1", 1, claimedAt);
      keepVersion(row, "2");
      claim(row, "relay-2", 2, claimedAt.plusSeconds(16));
      keepVersion(row, "3");
      mark(row, row.claimedAt.plusMillis(25));
      row.version = "4";
      delivered(row, row.dispatchedAt);
      planted.finding("LEASE_OVERLAP", story, 1, "outbox_id", row.id);
    }
    Row row = stolen.get(0).row;
    deliveredBy("relay-1", row, row.claimedAt.plusSeconds(4));
    planted.redelivery("OVERLAPPING_LEASES", story, 1, stolen.get(0), "positions");
  }

  private void marksAreOverwritten() {
    String story = "rows were put back from a copy made before they were marked, and sent again";
    for (Event event : choice.trades(2, "2026-01-06T16:20:00Z")) {
      Row row = event.row;
      claim(row, "relay-1", 1, row.createdAt.plusSeconds(1));
      mark(row, row.claimedAt.plusMillis(25));
      delivered(row, row.dispatchedAt);
      keepVersion(row, "3");
      claim(row, "relay-2", 2, row.createdAt.plusSeconds(240));
      mark(row, row.claimedAt.plusMillis(25));
      row.version = "5";
      deliveredBy("relay-2", row, row.dispatchedAt);
      planted.redelivery("SUPERSEDED_MARK", story, 1, event, "positions");
    }
  }

  private void riskRefuses() {
    Row row = choice.trades(1, "2026-01-07T10:40:00Z").get(0).row;
    row.status = "DLQ";
    row.dispatchedAt = null;
    row.deadAt = row.claimedAt.plusSeconds(420);
    row.acks.removeIf(ack -> ack.consumer.equals("risk"));
    planted.finding(
        "DLQ",
        "risk refused a trade that positions had taken, and the desk gave the row up",
        1,
        "outbox_id",
        row.id);
  }

  private static void claim(Row row, String relay, int attempts, Instant at) {
    row.attempts = attempts;
    row.owner = relay;
    row.claimedAt = at;
    row.leaseUntil = at.plusSeconds(60);
    row.status = "PROCESSING";
    row.dispatchedAt = null;
  }

  private static void mark(Row row, Instant at) {
    row.status = "DISPATCHED";
    row.dispatchedAt = at;
  }

  private void keepVersion(Row row, String version) {
    Row older = row.copy();
    older.version = version;
    olderVersions.add(older);
  }

  /** Both consumers get a row for the first time. */
  private void delivered(Row row, Instant at) {
    row.acks.clear();
    deliveredBy(row.owner, row, at);
  }

  /** Both consumers get a row, which risk acts upon once. */
  private void deliveredBy(String relay, Row row, Instant at) {
    String key = row.sourceEventId + ":" + row.effectType;
    for (String consumer : List.of("positions", "risk")) {
      Ack ack = shop.ack(row, consumer, at.plusMillis(shop.between(10, 150)), key);
      ack.worker = relay;
    }
  }
}
