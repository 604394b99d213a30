package dev.constat.transforms.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.rules.envelope.Input;
import dev.constat.transforms.simulator.Replay.Conduct;
import dev.constat.transforms.simulator.Replay.Emission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Reads accepted events back and publishes them again, in (created_at, id) order. */
final class Replays {

  /** By then the first time is over for all events. */
  static final Duration AFTER = Duration.ofHours(2);

  private static final Comparator<SourceEvent> POSITION =
      Comparator.comparing((SourceEvent event) -> event.createdAt)
          .thenComparing(
              (a, b) -> Arrays.compareUnsigned(a.id.getBytes(UTF_8), b.id.getBytes(UTF_8)));

  private final Scenario scenario;
  private final VirtualClock clock;
  private final Chance chance;
  private final Archive archive;
  private final Outbox outbox;
  private final Intake intake;
  private final Broker broker;
  private final List<Replay> replays = new ArrayList<>();
  private boolean overlapping;
  private boolean disordered;
  private boolean brokenOff;
  private Instant free;

  Replays(
      Scenario scenario,
      VirtualClock clock,
      Chance chance,
      Archive archive,
      Outbox outbox,
      Intake intake,
      Broker broker) {
    this.scenario = scenario;
    this.clock = clock;
    this.chance = chance;
    this.archive = archive;
    this.outbox = outbox;
    this.intake = intake;
    this.broker = broker;
  }

  void start() {
    if (scenario.withReplays()) {
      clock.after(AFTER, this::plan);
    }
  }

  private List<SourceEvent> events() {
    List<SourceEvent> events =
        new ArrayList<>(intake.accepted().stream().filter(event -> !event.vanished).toList());
    events.sort(POSITION);
    return events;
  }

  private void plan() {
    free = clock.now();
    List<SourceEvent> events = events();
    int size = events.size();
    int middle = size / 2;
    Breach breach = scenario.breach();
    if (breach == null) {
      boolean effects = chance.oneIn(2);
      boolean own = !scenario.crashes() || chance.oneIn(2);
      Instant to = events.get(middle - 1).createdAt;
      run(replay("r1", null, events.get(2).createdAt, to, effects, own, effects, !effects || !own));
      if (chance.oneIn(2)) {
        Instant after = to.plusNanos(1);
        run(replay("r2", topic(), after, events.get(size - 3).createdAt, false, own, false, true));
      }
      return;
    }
    Instant from = events.get(chance.between(0, 3)).createdAt;
    Instant to = events.get(size - chance.between(4, 8)).createdAt;
    boolean own = chance.oneIn(2);
    switch (breach) {
      case UNAUTHORISED_REPLAY -> run(replay("r1", topic(), from, to, false, own, true, false));
      case UNKNOWN_REPLAY -> {
        run(replay("r1", null, from, from, false, own, false, false));
        run(
            new Replay(
                "r9",
                null,
                from,
                to,
                false,
                false,
                own,
                new Conduct(true, chance.oneIn(3), false)));
      }
      case REPLAY_BEYOND_INTERVAL -> run(replay("r1", null, from, to, true, own, true, false));
      case REPLAY_OF_OTHER_TOPIC ->
          run(replay("r1", Producers.TOPICS.get(0), from, to, true, own, true, false));
      case REPLAY_DISORDER, REPLAY_BROKEN_OFF ->
          run(replay("r1", topic(), from, to, false, own, false, false));
      case REPLAYS_OVERLAP -> {
        Instant half = events.get(middle).createdAt;
        run(replay("r1", topic(), from, half, true, true, chance.oneIn(2), false));
        run(replay("r2", null, half, to, true, true, chance.oneIn(2), false));
      }
      case REPLAY_OTHER_KEY -> run(replay("r1", null, from, to, true, false, true, false));
      default -> throw new IllegalStateException(breach + " is none of a replay");
    }
  }

  private String topic() {
    return chance.oneIn(2) ? null : chance.pick(Producers.TOPICS);
  }

  private Replay replay(
      String id,
      String topic,
      Instant from,
      Instant to,
      boolean authorised,
      boolean own,
      boolean effects,
      boolean mayResume) {
    return new Replay(
        id,
        topic,
        from,
        to,
        true,
        authorised,
        own,
        new Conduct(effects, effects && chance.oneIn(3), mayResume && chance.oneIn(2)));
  }

  private void run(Replay replay) {
    replays.add(replay);
    Instant begin = free.plus(chance.seconds(10, 60));
    free = begin;
    if (replay.registered()) {
      register(replay, begin);
    }
    List<SourceEvent> scope = new ArrayList<>(events().stream().filter(replay::takes).toList());
    if (replay.conduct().resumed() && scope.size() > 2) {
      scope
          .subList(0, chance.between(1, scope.size() - 1))
          .forEach(event -> publish(replay, event, false));
    }
    switch (scenario.breach() == null ? Breach.LOST_ROW : scenario.breach()) {
      case REPLAY_BROKEN_OFF -> {
        if (scope.size() > 1) {
          scope = scope.subList(0, chance.between(1, scope.size() - 1));
          brokenOff = true;
        }
      }
      case REPLAY_DISORDER -> {
        if (scope.size() > 2) {
          int place = chance.between(1, scope.size() - 2);
          Collections.swap(scope, place, place + 1);
          disordered = true;
        }
      }
      case REPLAY_BEYOND_INTERVAL -> {
        events().stream()
            .filter(event -> event.createdAt.isAfter(replay.to()))
            .limit(chance.between(1, 2))
            .forEach(scope::add);
      }
      case REPLAY_OF_OTHER_TOPIC ->
          scope =
              events().stream()
                  .filter(event -> replay.takes(event) || inInterval(replay, event))
                  .toList();
      case REPLAYS_OVERLAP ->
          overlapping =
              replays.size() == 2
                  && events().stream()
                      .anyMatch(event -> replays.stream().allMatch(r -> r.takes(event)));
      default -> {
        // goes by its plan
      }
    }
    SourceEvent other =
        scenario.plays(Breach.REPLAY_OTHER_KEY)
            ? scope.get(chance.between(0, scope.size() - 1))
            : null;
    List<SourceEvent> published = List.copyOf(scope);
    published.forEach(event -> publish(replay, event, event == other));
  }

  private static boolean inInterval(Replay replay, SourceEvent event) {
    return !event.createdAt.isBefore(replay.from()) && !event.createdAt.isAfter(replay.to());
  }

  private void register(Replay replay, Instant begin) {
    ObjectNode row = archive.add(Input.REPLAYS);
    row.put("replay_id", replay.id())
        .put("topic", replay.topic())
        .put("from", replay.from().toString())
        .put("to", replay.to().toString())
        .put("projection_version", (String) null)
        .put("started_at", begin.toString());
    if (replay.authorised() || chance.oneIn(2)) {
      row.put("effects_authorised", replay.authorised());
    }
    if (replay.ownKeys() || chance.oneIn(2)) {
      row.put("effect_keys", replay.ownKeys() ? "own" : "original");
    }
  }

  private void publish(Replay replay, SourceEvent event, boolean otherKey) {
    free = free.plus(chance.millis(1000, 2000));
    clock.at(
        free,
        () -> {
          intake.reception(event, replay.id(), true);
          if (replay.conduct().effects()) {
            event.rows.forEach(entry -> handle(replay, entry, otherKey));
          }
        });
  }

  private void handle(Replay replay, OutboxEntry original, boolean otherKey) {
    OutboxEntry entry = replay.conduct().throughOutbox() ? rowOf(replay, original) : original;
    boolean outOfScope = !replay.takes(original.event);
    if (entry != original && !replay.authorised() && chance.oneIn(4)) {
      replay.emissions().add(new Emission(entry, null, null, outOfScope));
      return;
    }
    for (String consumer : pool(original.type).consumers()) {
      String originalKey = broker.key(original);
      String key =
          replay.ownKeys()
              ? replay.id() + ":" + originalKey
              : otherKey ? "again:" + originalKey : originalKey;
      clock.after(
          chance.millis(5, 800),
          () -> acknowledge(replay, entry, original, consumer, key, outOfScope));
    }
  }

  private void acknowledge(
      Replay replay,
      OutboxEntry entry,
      OutboxEntry original,
      String consumer,
      String key,
      boolean outOfScope) {
    Inbox inbox = broker.inbox(original, consumer);
    boolean counts = replay.authorised() && !replay.ownKeys();
    boolean again = inbox.knows(key);
    ObjectNode ack = broker.ack(entry, consumer, key, replay.id());
    if (scenario.appliedReported() && replay.authorised()) {
      ack.put("applied", !again);
    }
    replay.emissions().add(new Emission(entry, consumer, key, outOfScope));
    if (counts && !(again && scenario.appliedReported())) {
      inbox.take(key, new Inbox.Receipt(null, clock.now(), false));
    }
  }

  private OutboxEntry rowOf(Replay replay, OutboxEntry original) {
    OutboxEntry row = outbox.add(original.event, original.type, clock.now(), replay.id());
    row.committed = true;
    row.status = OutboxEntry.Status.DISPATCHED;
    row.attempts = 1;
    row.dispatchedAt = clock.now();
    row.keepVersion();
    return row;
  }

  private PoolPlan pool(String type) {
    return scenario.pools().stream()
        .filter(pool -> pool.types().contains(type))
        .findFirst()
        .orElseThrow();
  }

  List<Replay> replays() {
    return replays;
  }

  /** Whether two replays with leave took in one event. */
  boolean overlapping() {
    return overlapping;
  }

  /** Whether one went back, and not to its beginning. */
  boolean disordered() {
    return disordered;
  }

  /** Whether one stopped before its end. */
  boolean brokenOff() {
    return brokenOff;
  }
}
