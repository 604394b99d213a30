package dev.constat.transforms.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The table of messages to be sent. */
final class Outbox {

  private final Chance chance;
  private final boolean integerIds;
  private final Comparator<OutboxEntry> contractOrder;
  private final List<OutboxEntry> entries = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private int counter;

  Outbox(Chance chance, boolean integerIds) {
    this.chance = chance;
    this.integerIds = integerIds;
    Comparator<OutboxEntry> byId =
        integerIds
            ? Comparator.comparing(entry -> new BigInteger(entry.id))
            : (a, b) -> Arrays.compareUnsigned(a.id.getBytes(UTF_8), b.id.getBytes(UTF_8));
    contractOrder =
        Comparator.comparing((OutboxEntry entry) -> entry.createdAt).thenComparing(byId);
    counter = chance.between(5, 95);
  }

  /** (created_at, id). */
  Comparator<OutboxEntry> contractOrder() {
    return contractOrder;
  }

  /** A row that is not committed yet. */
  OutboxEntry add(SourceEvent event, String type, Instant createdAt, String replayId) {
    String id;
    do {
      counter += chance.between(1, 3);
      id = integerIds ? String.valueOf(counter) : "o" + chance.name();
    } while (!ids.add(id));
    OutboxEntry entry = new OutboxEntry(event, id, type, createdAt, replayId);
    entries.add(entry);
    return entry;
  }

  List<OutboxEntry> entries() {
    return entries;
  }
}
