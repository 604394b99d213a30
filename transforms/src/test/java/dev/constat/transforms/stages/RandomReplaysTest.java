package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.replay.FollowedReplay;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small histories of replays that keep or break every rule they have, held against rules that ask
 * each event of each replay.
 */
final class RandomReplaysTest {

  private static final int HISTORIES = 300;
  private static final Instant BEGIN = Instant.parse("2026-01-05T08:00:00Z");

  private static final RunSpec SPEC =
      RunSpecParser.parse(
          """
          constat: 1
          archives:
            events: {files: e, allow_empty: true, cut: 2026-01-05T12:00:00Z}
            outbox: {files: o, allow_empty: true, cut: 2026-01-05T12:00:00Z}
            acknowledgements: {files: a, allow_empty: true, cut: 2026-01-05T12:00:00Z}
            replays: {files: r}
          effects:
            - {type: notify, consumers: [c1]}
          """,
          "constat.yaml",
          "replays");

  static LongStream seeds() {
    return LongStream.range(0, HISTORIES);
  }

  /** A replay as the registry has it; minutes, -1 where the interval is open. */
  private record Registered(
      String id, String topic, int from, int to, String version, boolean authorised, boolean own) {

    boolean holds(Event event) {
      return (topic == null || event.topic() == null || topic.equals(event.topic()))
          && (from < 0 || event.created() >= from)
          && (to < 0 || event.created() <= to);
    }
  }

  /** An event by its id, when it was created, in minutes, and its topic. */
  private record Event(String id, int created, String topic) {}

  /** A reception of a replay. */
  private record Republished(String replayId, Event event, int received, String ingestionId) {}

  /** What history shows, and what its rules say of it. */
  private static final class History {

    private final Random chance;
    private final List<ArchiveRecord> records = new ArrayList<>();
    private final TreeMap<String, Registered> registry = new TreeMap<>();
    private final List<Event> events = new ArrayList<>();
    private final Map<String, Set<Event>> traces = new HashMap<>();
    private final List<Republished> republished = new ArrayList<>();
    private final TreeSet<String> unauthorised = new TreeSet<>();
    private final TreeSet<String> outOfScope = new TreeSet<>();

    History(long seed) {
      chance = new Random(seed);
      int replays = 1 + chance.nextInt(4);
      for (int i = 0; i < replays; i++) {
        register("r" + i);
      }
      int count = 1 + chance.nextInt(7);
      for (int i = 0; i < count; i++) {
        event(i);
      }
      for (int i = 0; i <= replays; i++) {
        if (chance.nextInt(4) > 0) {
          replay("r" + i);
        }
      }
    }

    private void add(String line) {
      records.add(ArchiveRecord.ofLine(line));
    }

    private static String text(String name, String value) {
      return value == null ? "" : ",\"" + name + "\":\"" + value + "\"";
    }

    private static String time(int minute) {
      return minute < 0 ? null : BEGIN.plusSeconds(60L * minute).toString();
    }

    private void register(String id) {
      Registered replay =
          new Registered(
              id,
              chance.nextInt(3) == 0 ? "t" + chance.nextInt(2) : null,
              chance.nextInt(3) == 0 ? -1 : chance.nextInt(6),
              chance.nextInt(3) == 0 ? -1 : 2 + chance.nextInt(6),
              chance.nextBoolean() ? "v" + chance.nextInt(2) : null,
              chance.nextInt(3) > 0,
              chance.nextBoolean());
      registry.put(id, replay);
      add(
          "{\"k\":\"replay\",\"replay_id\":\""
              + id
              + "\",\"effects_authorised\":"
              + replay.authorised()
              + text("topic", replay.topic())
              + text("from", time(replay.from()))
              + text("to", time(replay.to()))
              + text("projection_version", replay.version())
              + text("effect_keys", replay.own() ? "own" : null)
              + "}");
    }

    private void event(int i) {
      String id = "e" + i;
      int created = chance.nextInt(8);
      String topic = chance.nextBoolean() ? "t" + chance.nextInt(3) : null;
      boolean row = chance.nextInt(3) > 0;
      events.add(new Event(id, created, topic));
      int received = row ? created + 1 + chance.nextInt(3) : created;
      receive(id, topic, received, "i" + i, "");
      if (row) {
        add(row("o" + i, id, created, ""));
        add(ack("o" + i, "k", created + 1, ""));
      }
    }

    private void receive(String id, String topic, int received, String ingestionId, String more) {
      add(
          "{\"k\":\"ev\",\"source_event_id\":\""
              + id
              + "\",\"occurred_at\":\"2026-01-05T07:59:00Z\",\"payload\":{}"
              + text("received_at", time(received))
              + text("ingestion_id", ingestionId)
              + text("topic", topic)
              + more
              + "}");
    }

    private static String row(String id, String event, int created, String more) {
      return "{\"k\":\"ob\",\"effect_type\":\"notify\",\"status\":\"DISPATCHED\""
          + text("id", id)
          + text("event", "S/" + event)
          + text("created_at", time(created))
          + more
          + "}";
    }

    private static String ack(String row, String key, int minute, String more) {
      return "{\"k\":\"ack\",\"consumer\":\"c1\""
          + text("outbox", row)
          + text("effect_key", key)
          + text("acked_at", time(minute))
          + more
          + "}";
    }

    /** Republishes some events in some order, and has some effects. */
    private void replay(String id) {
      List<Event> order = new ArrayList<>(events);
      order.sort(Comparator.comparing(Event::created).thenComparing(Event::id));
      Registered replay = registry.get(id);
      if (replay != null && chance.nextInt(4) > 0) {
        order.removeIf(event -> !replay.holds(event));
      }
      if (chance.nextInt(3) == 0) {
        Collections.shuffle(order, chance);
      }
      int length = chance.nextInt(order.size() + 1);
      List<Event> published = new ArrayList<>(order.subList(0, length));
      if (chance.nextInt(3) == 0) {
        published.addAll(order);
      }
      int minute = 100;
      for (Event event : published) {
        if (chance.nextInt(5) == 0) {
          continue;
        }
        String ingestionId = id + " " + minute;
        republished.add(new Republished(id, event, minute, ingestionId));
        trace(id, event);
        receive(
            event.id(),
            event.topic(),
            minute++,
            ingestionId,
            text("original_event_id", event.id()) + text("replay_id", id));
      }
      for (Event event : events) {
        if (chance.nextInt(4) == 0) {
          effect(id, event, minute++);
        }
      }
    }

    private void effect(String id, Event event, int minute) {
      String rowId = "p" + minute + id;
      boolean acknowledged = chance.nextInt(3) > 0;
      add(row(rowId, event.id(), minute, text("replay_id", id)));
      if (acknowledged) {
        String key = chance.nextBoolean() ? "k" : "x";
        add(ack(rowId, key, minute, chance.nextBoolean() ? text("replay_id", id) : ""));
        judge(id, event, rowId, "\"" + key + "\"", "\"c1\"");
      } else {
        judge(id, event, rowId, "null", "null");
      }
      trace(id, event);
    }

    private void judge(String id, Event event, String rowId, String key, String consumer) {
      Registered replay = registry.get(id);
      String subject =
          "{\"consumer\":"
              + consumer
              + ",\"effect_key\":"
              + key
              + ",\"outbox_id\":\""
              + rowId
              + "\",\"replay_id\":\""
              + id
              + "\"}";
      if (replay == null || !replay.authorised()) {
        unauthorised.add(subject);
      } else if (!replay.holds(event)) {
        outOfScope.add(subject);
      }
    }

    private void trace(String id, Event event) {
      traces.computeIfAbsent(id, key -> new HashSet<>()).add(event);
    }

    TreeSet<String> overlaps() {
      TreeSet<String> pairs = new TreeSet<>();
      for (Registered a : registry.values()) {
        for (Registered b : registry.tailMap(a.id(), false).values()) {
          boolean topics = a.topic() == null || b.topic() == null || a.topic().equals(b.topic());
          boolean twice =
              a.authorised() && b.authorised()
                  || a.version() != null && a.version().equals(b.version());
          if (topics && twice && events.stream().anyMatch(e -> a.holds(e) && b.holds(e))) {
            pairs.add("{\"replay_ids\":[\"" + a.id() + "\",\"" + b.id() + "\"]}");
          }
        }
      }
      return pairs;
    }

    TreeSet<String> partial() {
      TreeSet<String> partial = new TreeSet<>();
      for (Registered replay : registry.values()) {
        StringBuilder pattern = new StringBuilder();
        events.stream()
            .filter(replay::holds)
            .sorted(Comparator.comparing(Event::created).thenComparing(Event::id))
            .forEach(
                event ->
                    pattern.append(
                        traces.getOrDefault(replay.id(), Set.of()).contains(event) ? 'x' : '.'));
        if (pattern.toString().matches("x+\\.+")) {
          partial.add("{\"replay_id\":\"" + replay.id() + "\"}");
        }
      }
      return partial;
    }

    /** Falls back of a replay, by whether they begin anew. */
    private long falls(String id, boolean anew) {
      List<Event> order = new ArrayList<>();
      republished.stream()
          .filter(reception -> reception.replayId().equals(id))
          .sorted(
              Comparator.comparing(Republished::received).thenComparing(Republished::ingestionId))
          .forEach(reception -> order.add(reception.event()));
      Comparator<Event> position = Comparator.comparing(Event::created).thenComparing(Event::id);
      long falls = 0;
      for (int i = 1; i < order.size(); i++) {
        if (position.compare(order.get(i), order.get(i - 1)) < 0
            && order.get(i).equals(order.get(0)) == anew) {
          falls++;
        }
      }
      return falls;
    }
  }

  private static TreeSet<String> subjects(RunOutcome outcome, Kind kind) {
    TreeSet<String> subjects = new TreeSet<>();
    outcome.findings().stream()
        .filter(finding -> finding.kind() == kind)
        .map(Finding::subject)
        .forEach(subjects::add);
    return subjects;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyRuleSaysWhatItsDefinitionSays(long seed) {
    History history = new History(seed);
    RunOutcome outcome = InMemoryRun.of(SPEC).run(history.records);

    assertThat(subjects(outcome, Kind.UNAUTHORISED_REPLAY_EFFECT)).isEqualTo(history.unauthorised);
    assertThat(subjects(outcome, Kind.REPLAY_OUT_OF_SCOPE)).isEqualTo(history.outOfScope);
    assertThat(subjects(outcome, Kind.REPLAY_OVERLAP)).isEqualTo(history.overlaps());
    assertThat(subjects(outcome, Kind.REPLAY_PARTIAL)).isEqualTo(history.partial());
    long falls = 0;
    for (String id : history.registry.keySet()) {
      falls += history.falls(id, false);
      assertThat(FollowedReplay.restarts(outcome.tally(), id))
          .as("restarts of %s", id)
          .isEqualTo(history.falls(id, true));
    }
    assertThat(outcome.occurrences(Kind.REPLAY_ORDER)).isEqualTo(falls);
    assertThat(outcome.unbalanced()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void orderBucketsAndMemoryDoNotMatter(long seed) {
    List<ArchiveRecord> records = new History(seed).records;
    List<String> report = InMemoryRun.of(SPEC).run(records).report(true);

    assertThat(
            RunOutcome.differences(
                report,
                InMemoryRun.of(SPEC).shuffledBy(seed).buckets(16).run(records).report(true)))
        .isEmpty();
  }

  /** Every rule is broken by some of them, so that they prove something. */
  @Test
  void everyRuleIsBroken() {
    Set<Kind> kinds = new HashSet<>();
    long restarts = 0;
    for (long seed = 0; seed < HISTORIES; seed++) {
      History history = new History(seed);
      InMemoryRun.of(SPEC).run(history.records).findings().forEach(f -> kinds.add(f.kind()));
      for (String id : history.registry.keySet()) {
        restarts += history.falls(id, true);
      }
    }
    assertThat(kinds)
        .contains(
            Kind.UNAUTHORISED_REPLAY_EFFECT,
            Kind.REPLAY_OUT_OF_SCOPE,
            Kind.REPLAY_OVERLAP,
            Kind.REPLAY_ORDER,
            Kind.REPLAY_PARTIAL,
            Kind.DOUBLE_EFFECT,
            Kind.REDELIVERY);
    assertThat(restarts).isPositive();
  }
}
