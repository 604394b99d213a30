package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.reconcile.Arrival;
import dev.constat.rules.reconcile.EventOrigin;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.replay.FollowedReplay;
import dev.constat.rules.replay.Replay;
import dev.constat.rules.replay.ReplayIntervals;
import dev.constat.rules.replay.ReplayRegistry;
import dev.constat.rules.replay.ScopeCounts;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records of the stage that follows replays: every event of a replay's scope, in the order of
 * (created_at, original id), then the replay's receptions as they arrived. When an event was
 * created is known only once all its rows are seen, so that its receptions are held until then;
 * what exceeds the sorter's budget is spilled.
 *
 * <p>Events of a scope go only to replays that left a trace somewhere.
 */
final class ReplayRecords {

  /** First byte of the order of an event of the scope. */
  static final int EVENT = 0;

  /** First byte of the order of a reception. */
  static final int RECEPTION = 1;

  private final RecordOut out;
  private final RecordSorter held;
  private final ReplayRegistry registry;
  private final Tally tally;
  private final Map<Integer, List<Replay>> followed = new HashMap<>();
  private final Map<String, Instant> traces = new HashMap<>();
  private boolean holding;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  /**
   * Records for the stage.
   *
   * @param held sorts the replayed receptions of one event at a time
   * @param tally counts the events that replays may have in common
   */
  ReplayRecords(RecordOut out, RecordSorter held, RunFacts facts, Tally tally) {
    this.out = out;
    this.held = held;
    this.registry = facts.replays();
    this.tally = tally;
  }

  /** Whether replays are followed in a run: where it has a registry. */
  static boolean needed(RunSpec spec) {
    return spec.archives().containsKey(Input.REPLAYS) && spec.plan() == null;
  }

  /** Begins an event. */
  void begin() {
    traces.clear();
  }

  /** Notes that a replay left a trace of the event. */
  void trace(String replayId, Instant time) {
    if (registry.replay(replayId) != null) {
      traces.merge(replayId, time, (a, b) -> a.isBefore(b) ? b : a);
    }
  }

  /** Holds a replayed reception. */
  void reception(Arrival arrival) throws IOException {
    Reception reception = arrival.reception();
    if (arrival.decision() == Decision.ARCHIVE_COPY
        || arrival.decision() == Decision.ARCHIVE_CONFLICT) {
      return;
    }
    trace(reception.replayId(), reception.receivedAt());
    holding = true;
    group.clear().text(reception.replayId());
    order
        .clear()
        .octet(RECEPTION)
        .instant(reception.receivedAt())
        .text(reception.ingestionId())
        .raw(reception.place().toBytes());
    held.add(group, order, 0, body.clear());
  }

  /** Sends on what is known of the event, once it is known where it comes from. */
  void end(KeyVerdict verdict, EventOrigin origin) throws IOException {
    Instant createdAt = verdict.first() == null ? null : origin.createdAt();
    String id = verdict.key().id();
    if (createdAt != null) {
      scope(verdict.first().place(), createdAt, id, origin.topic());
    }
    if (!holding) {
      return;
    }
    SortedRecords receptions = held.sort();
    while (receptions.nextGroup()) {
      group.clear().raw(receptions.group());
      while (receptions.nextRecord()) {
        order.clear().raw(receptions.buffer(), receptions.orderFrom(), receptions.orderTo());
        body.clear().bool(createdAt != null && id != null);
        if (createdAt != null && id != null) {
          FollowedReplay.writePosition(body, createdAt, id);
        }
        out.append(group, order, 0, body);
      }
    }
    held.clear();
    holding = false;
  }

  private void scope(Place place, Instant createdAt, String id, String topic) {
    ReplayIntervals intervals = registry.intervals();
    int segment = intervals.segment(createdAt);
    if (intervals.holding(segment).isEmpty()) {
      return;
    }
    ScopeCounts.count(intervals, tally, segment, createdAt, topic, place);
    if (id == null) {
      return; // a replay names events by their ids
    }
    for (Replay replay : followed(intervals, segment)) {
      if (replay.scopeOf(createdAt, topic) == Replay.Scope.INSIDE) {
        Instant trace = traces.get(replay.replayId());
        group.clear().text(replay.replayId());
        order.clear().octet(EVENT);
        // Of events that share a position, those seen come first.
        FollowedReplay.writePosition(order, createdAt, id).bool(trace == null);
        order.raw(place.toBytes());
        body.clear().nullableInstant(trace);
        out.append(group, order, 0, body);
      }
    }
  }

  private List<Replay> followed(ReplayIntervals intervals, int segment) {
    return followed.computeIfAbsent(
        segment,
        asked ->
            intervals.holding(asked).stream()
                .filter(replay -> registry.seen(replay.replayId()))
                .toList());
  }

  /** Folds one group: follows one replay; returns how many records it read. */
  static long follow(SortedRecords records, FollowedReplay replay) throws IOException {
    long read = 0;
    for (; records.nextRecord(); read++) {
      KeyReader order = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo());
      KeyReader body = new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo());
      if (order.octet() == EVENT) {
        Instant createdAt = order.instant();
        String id = order.text();
        order.bool();
        Place place = Place.read(order);
        replay.event(createdAt, id, body.nullableInstant(), place);
        continue;
      }
      Instant receivedAt = order.instant();
      order.skipText();
      Place place = Place.read(order);
      if (body.bool()) {
        replay.reception(receivedAt, body.raw(records.bodyTo() - records.bodyFrom() - 1), place);
      } else {
        replay.unplacedReception();
      }
    }
    replay.end();
    return read;
  }
}
