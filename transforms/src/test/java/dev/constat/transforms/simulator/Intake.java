package dev.constat.transforms.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.rules.envelope.Input;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Receives events, tells repeats from its memory for as long as it lasts, and writes the rows of an
 * accepted event in one transaction.
 */
final class Intake {

  /** For how long it remembers an event. */
  static final Duration MEMORY = Duration.ofMinutes(30);

  private final Scenario scenario;
  private final VirtualClock clock;
  private final Chance chance;
  private final Archive archive;
  private final Outbox outbox;
  private final Faults faults;
  private final Map<SourceEvent, Instant> memory = new HashMap<>();
  private final List<SourceEvent> accepted = new ArrayList<>();
  private final Set<String> acceptedAgain = new TreeSet<>();
  private final Map<SourceEvent, Set<String>> lost = new HashMap<>();
  private int receptions;
  private SourceEvent losing;

  Intake(
      Scenario scenario,
      VirtualClock clock,
      Chance chance,
      Archive archive,
      Outbox outbox,
      Faults faults) {
    this.scenario = scenario;
    this.clock = clock;
    this.chance = chance;
    this.archive = archive;
    this.outbox = outbox;
    this.faults = faults;
  }

  /** Lets the transaction of an event lose a row. */
  void losesRowOf(SourceEvent event) {
    losing = event;
  }

  /** An event comes in now. */
  void receive(SourceEvent event) {
    Instant now = clock.now();
    Instant since = memory.get(event);
    boolean remembered = since != null && !now.isAfter(since.plus(MEMORY));
    String reception = reception(event, null, remembered);
    if (remembered) {
      return;
    }
    memory.put(event, now);
    if (since != null) {
      acceptedAgain.add(reception);
    } else {
      accepted.add(event);
    }
    write(event, since == null);
  }

  /** Archives a reception and what was decided of it; its ingestion_id. */
  String reception(SourceEvent event, String replayId, boolean known) {
    String ingestion = "i" + receptions++;
    if (event.vanished) {
      return ingestion;
    }
    Instant now = clock.now();
    ObjectNode columns = archive.add(Input.EVENTS);
    columns
        .put("ingestion_id", ingestion)
        .put("source", event.source)
        .put("source_event_id", event.id)
        .put("partition", "p0")
        .put("occurred_at", event.occurredAt.toString())
        .put("received_at", now.toString())
        .put("schema_version", "1")
        .put("topic", event.topic)
        .put("aggregate_type", "account")
        .put("aggregate_id", event.aggregateId)
        .put("replay_id", replayId)
        .put("original_event_id", replayId == null ? null : event.id);
    columns.set("payload", JsonNodeFactory.instance.objectNode().put("n", event.content));
    if (scenario.recordsDecisions()) {
      archive
          .add(Input.DECISIONS)
          .put("ingestion_id", ingestion)
          .put("decision", known ? "EXACT_DUPLICATE" : "ACCEPTED")
          .put("decided_at", now.plusMillis(2).toString());
    }
    return ingestion;
  }

  /** One row for each effect type, all with the time of the transaction. */
  private void write(SourceEvent event, boolean firstTime) {
    Instant begun = clock.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    if (firstTime) {
      event.createdAt = begun;
    }
    List<Runnable> inserts = new ArrayList<>();
    for (PoolPlan pool : scenario.pools()) {
      for (String type : pool.types()) {
        if (event == losing) {
          losing = null;
          lost.computeIfAbsent(event, e -> new TreeSet<>()).add(type);
        } else {
          inserts.add(() -> insert(event, type, begun, pool, firstTime));
        }
      }
    }
    chance.shuffled(inserts).forEach(Runnable::run);
    if (firstTime && event.rows.isEmpty()) {
      event.createdAt = clock.now();
    }
  }

  private void insert(
      SourceEvent event, String type, Instant begun, PoolPlan pool, boolean firstTime) {
    OutboxEntry entry = outbox.add(event, type, begun, null);
    if (firstTime) {
      event.rows.add(entry);
    } else {
      entry.surplus = true;
    }
    faults.assign(entry, pool);
    if (entry.fault == Fault.CURSOR_SKIP) {
      entry.abandoned = true;
    }
    Instant commit = entry.fault == Fault.LATE_COMMIT ? begun.plus(chance.seconds(90, 300)) : begun;
    entry.visibleAt = entry.fault == Fault.LATE_COMMIT || chance.oneIn(2) ? commit : null;
    clock.at(
        commit,
        () -> {
          entry.committed = true;
          entry.keepVersion();
        });
  }

  /** Events that were accepted, in that order. */
  List<SourceEvent> accepted() {
    return accepted;
  }

  /** Receptions that were accepted though their event had been before. */
  Set<String> acceptedAgain() {
    return acceptedAgain;
  }

  /** Effect types for which an event got no row. */
  Map<SourceEvent, Set<String>> lost() {
    return lost;
  }
}
