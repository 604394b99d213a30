package dev.constat.transforms.simulator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.rules.envelope.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Carries messages to consumers, of one aggregate in the order in which it got them; each consumer
 * acknowledges what it gets, and does what it has not done yet.
 */
final class Broker {

  private static final Duration TICK = Duration.ofNanos(1_000);

  private final Scenario scenario;
  private final VirtualClock clock;
  private final Chance chance;
  private final Archive archive;
  private final Outbox outbox;
  private final Instant slowFrom;
  private final Instant slowUntil;
  private final Map<List<String>, Inbox> inboxes = new LinkedHashMap<>();
  private final Map<String, Instant> lastOfAggregate = new HashMap<>();
  private int acks;

  Broker(Scenario scenario, VirtualClock clock, Chance chance, Archive archive, Outbox outbox) {
    this.scenario = scenario;
    this.clock = clock;
    this.chance = chance;
    this.archive = archive;
    this.outbox = outbox;
    slowFrom = clock.now().plus(chance.seconds(60, 600));
    slowUntil = slowFrom.plus(chance.seconds(120, 240));
  }

  /** How long it takes to publish a message now. */
  Duration takes() {
    boolean slow =
        scenario.browns() && clock.now().isAfter(slowFrom) && clock.now().isBefore(slowUntil);
    return slow ? chance.seconds(15, 35) : chance.millis(3, 150);
  }

  /** Takes a message, and brings it to the consumers of a pool. */
  void accept(Publication publication, PoolPlan pool) {
    OutboxEntry entry = publication.entry();
    boolean repeats = entry.plays(Fault.BROKER_REPEATS) || entry.plays(Fault.APPLIED_TWICE);
    for (String consumer : pool.consumers()) {
      boolean lost = entry.fault == Fault.LOST_MESSAGE && consumer.equals(pool.consumers().get(0));
      if (!lost) {
        Instant arrival = arrival(entry);
        clock.at(arrival, () -> receive(consumer, publication, pool));
        if (repeats) {
          clock.at(
              arrival.plus(chance.seconds(3, 120)), () -> receive(consumer, publication, pool));
        }
      }
    }
  }

  /** After all that the aggregate got before: consumers work on one thing after the other. */
  private Instant arrival(OutboxEntry entry) {
    Instant arrival = clock.now().plus(chance.millis(2, scenario.slowConsumers() ? 15_000 : 900));
    Instant last = lastOfAggregate.get(entry.event.aggregateId);
    if (last != null && !arrival.isAfter(last)) {
      arrival = last.plus(TICK);
    }
    lastOfAggregate.put(entry.event.aggregateId, arrival);
    return arrival;
  }

  private void receive(String consumer, Publication publication, PoolPlan pool) {
    OutboxEntry entry = publication.entry();
    see(entry, pool);
    if (entry.fault == Fault.TWO_RECEIPTS) {
      acknowledge(consumer, publication, "rcv-" + chance.name());
      clock.after(
          chance.seconds(1, 3), () -> acknowledge(consumer, publication, "rcv-" + chance.name()));
      return;
    }
    String key = key(entry);
    acknowledge(
        consumer,
        publication,
        key != null && entry.fault == Fault.KEY_OF_WORKER ? key + "@" + publication.worker() : key);
  }

  private void acknowledge(String consumer, Publication publication, String key) {
    OutboxEntry entry = publication.entry();
    Inbox inbox = inbox(entry, consumer);
    boolean again = inbox.knows(key);
    boolean appliedAgain = again && entry.fault == Fault.APPLIED_TWICE;
    ObjectNode ack = ack(entry, consumer, key, null);
    ack.put("worker", scenario.workersNamed() ? publication.worker() : null);
    if (scenario.appliedReported()) {
      ack.put("applied", !again || appliedAgain);
    }
    if (!again || !scenario.appliedReported() || appliedAgain) {
      inbox.take(key, new Inbox.Receipt(publication, clock.now(), appliedAgain));
    }
  }

  /** Notes down an acknowledgement of now. */
  ObjectNode ack(OutboxEntry entry, String consumer, String key, String replayId) {
    ObjectNode ack = archive.add(Input.ACKNOWLEDGEMENTS);
    ack.put("ack_id", "a" + acks++)
        .put("outbox_id", entry.id)
        .put("consumer", consumer)
        .put("acked_at", clock.now().toString())
        .put("effect_key", key)
        .put("replay_id", replayId);
    return ack;
  }

  /** The idempotency key that goes with a row's message. */
  String key(OutboxEntry entry) {
    if (scenario.keyless()) {
      return null;
    }
    return scenario.keyPerRow()
        ? entry.id
        : entry.event.source + "/" + entry.event.id + "/" + entry.type;
  }

  /** What a consumer got of an event. */
  Inbox inbox(OutboxEntry entry, String consumer) {
    SourceEvent event = entry.event;
    return inboxes.computeIfAbsent(
        List.of(event.source, event.id, entry.type, consumer),
        unit -> new Inbox(event, entry.type, consumer));
  }

  Collection<Inbox> inboxes() {
    return inboxes.values();
  }

  /** A row is marked whose message its only consumer lost: nothing else tells when it was sent. */
  void lose(OutboxEntry entry, PoolPlan pool) {
    if (entry.fault == Fault.LOST_MESSAGE && pool.consumers().size() == 1) {
      see(entry, pool);
    }
  }

  /** A consumer sees a row; if it is the first time, what of its aggregate has it not seen? */
  private void see(OutboxEntry entry, PoolPlan pool) {
    if (entry.seenAt != null) {
      return;
    }
    Instant now = clock.now();
    entry.seenAt = now;
    if (!pool.ordered()) {
      return;
    }
    Predicate<OutboxEntry> sameAggregate =
        other ->
            other != entry
                && other.replayId == null
                && pool.types().contains(other.type)
                && other.event.aggregateId.equals(entry.event.aggregateId);
    for (OutboxEntry other : outbox.entries()) {
      if (sameAggregate.test(other)) {
        boolean earlier = outbox.contractOrder().compare(other, entry) < 0;
        if (earlier && other.seenAt == null && other.dlqAt == null) {
          entry.overtook.add(other);
        }
        if (!earlier
            && entry.dlqAt != null
            && other.seenAt != null
            && !other.seenAt.isBefore(entry.dlqAt)
            && other.seenAt.isBefore(now)) {
          entry.overtakenWhileDead++;
        }
      }
    }
  }
}
