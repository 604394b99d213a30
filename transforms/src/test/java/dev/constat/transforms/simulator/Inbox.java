package dev.constat.transforms.simulator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one consumer got for one event and effect type, by idempotency key.
 *
 * @param event the event
 * @param type the effect type
 * @param consumer who
 * @param byKey receipts that stand for an effect, in the order they came in
 */
record Inbox(
    SourceEvent event, String type, String consumer, Map<String, List<Inbox.Receipt>> byKey) {

  /**
   * One message as it came in.
   *
   * @param publication how it was sent; null if by a replay
   * @param at when
   * @param appliedAgain whether it was applied though it had been before
   */
  record Receipt(Publication publication, Instant at, boolean appliedAgain) {

    boolean replayed() {
      return publication == null;
    }
  }

  Inbox(SourceEvent event, String type, String consumer) {
    this(event, type, consumer, new LinkedHashMap<>());
  }

  boolean knows(String key) {
    return byKey.containsKey(key);
  }

  void take(String key, Receipt receipt) {
    byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(receipt);
  }
}
