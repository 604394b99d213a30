package dev.constat.rules.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two replays that republish the same events. */
final class ReplayOverlapsTest {

  /** An event by its time and topic, or null. */
  private record Event(String time, String topic) {}

  private static Event at(String time) {
    return new Event(time, null);
  }

  private static Event at(String time, String topic) {
    return new Event(time, topic);
  }

  private static Tally tally(List<Registered> registered, List<Event> events) {
    Tally tally = ReplayRegistryTest.tally(registered.toArray(Registered[]::new));
    ReplayIntervals intervals = ReplayRegistry.of(tally).intervals();
    for (int i = 0; i < events.size(); i++) {
      ScopeCounts.count(
          intervals,
          tally,
          intervals.segment(Registered.at(events.get(i).time())),
          Registered.at(events.get(i).time()),
          events.get(i).topic(),
          new Place(0, 0, 0, i, i));
    }
    return tally;
  }

  private static List<Finding> findings(Tally tally) {
    return ReplayOverlaps.of(ReplayRegistry.of(tally), tally);
  }

  private static Registered morning(String id) {
    return Registered.of(id).between("08:00:00", "10:00:00").authorised();
  }

  private static Registered noon(String id) {
    return Registered.of(id).between("10:00:00", "12:00:00").authorised();
  }

  static Stream<Arguments> pairs() {
    return Stream.of(
        arguments("an instant in common", morning("a"), noon("b"), at("10:00:00"), 1),
        arguments("no event in it", morning("a"), noon("b"), at("09:59:59"), 0),
        arguments("just behind", morning("a"), noon("b"), at("10:00:00.000000001"), 0),
        arguments("one may have none", morning("a"), Registered.of("b"), at("09:00:00"), 0),
        arguments(
            "one version",
            Registered.of("a").version("3"),
            Registered.of("b").version("3"),
            at("09:00:00"),
            1),
        arguments(
            "two versions",
            Registered.of("a").version("3"),
            Registered.of("b").version("4"),
            at("09:00:00"),
            0),
        arguments("no version", Registered.of("a"), Registered.of("b"), at("09:00:00"), 0),
        arguments(
            "equal topics",
            morning("a").topic("t"),
            morning("b").topic("t"),
            at("09:00:00", "t"),
            1),
        arguments(
            "an event of another topic",
            morning("a").topic("t"),
            morning("b").topic("t"),
            at("09:00:00", "u"),
            0),
        arguments(
            "two topics", morning("a").topic("t"), morning("b").topic("u"), at("09:00:00"), 0),
        arguments(
            "one topic absent", morning("a").topic("t"), morning("b"), at("09:00:00", "t"), 1),
        arguments(
            "which is not this one", morning("a").topic("t"), morning("b"), at("09:00:00", "u"), 0),
        arguments(
            "an event without a topic", morning("a").topic("t"), morning("b"), at("09:00:00"), 1),
        arguments("both topics absent", morning("a"), morning("b"), at("09:00:00", "t"), 1),
        arguments(
            "no zone",
            morning("a"),
            Registered.of("b").between("08:00:00?", null).authorised(),
            at("09:00:00"),
            0),
        arguments(
            "nothing in it",
            morning("a"),
            Registered.of("b").between("10:00:00", "08:00:00").authorised(),
            at("09:00:00"),
            0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void overlap(String name, Registered a, Registered b, Event event, int findings) {
    assertThat(findings(tally(List.of(a, b), List.of(event)))).hasSize(findings);
    assertThat(findings(tally(List.of(b, a), List.of(event)))).hasSize(findings);
  }

  @Test
  void oneFindingPerPair() {
    Tally tally =
        tally(
            List.of(morning("b").line(1), morning("a").line(2), morning("c").version("1").line(3)),
            List.of(at("08:00:00"), at("09:00:00"), at("11:00:00")));
    List<Finding> findings = findings(tally);
    assertThat(findings)
        .extracting(Finding::subject)
        .containsExactly(
            "{\"replay_ids\":[\"a\",\"b\"]}",
            "{\"replay_ids\":[\"a\",\"c\"]}",
            "{\"replay_ids\":[\"b\",\"c\"]}");
    Finding first = findings.get(0);
    assertThat(first.occurrences()).isEqualTo(2);
    assertThat(first.firstAt()).isEqualTo(Registered.at("08:00:00"));
    assertThat(first.lastAt()).isEqualTo(Registered.at("09:00:00"));
    assertThat(first.evidence())
        .containsExactlyInAnyOrder(
            morning("a").line(2).place(), morning("b").line(1).place(), new Place(0, 0, 0, 0, 0));
    assertThat(tally.sum(Coverage.JUDGED, Kind.REPLAY_OVERLAP.name())).isEqualTo(3);
  }

  /** Segments count what asking every event of every replay would count. */
  @Test
  void segmentsCountWhatEveryEventWouldSay() {
    Random chance = new Random(7);
    for (int round = 0; round < 200; round++) {
      List<Registered> registered =
          Stream.of("a", "b", "c", "d")
              .map(
                  id ->
                      Registered.of(id)
                          .topic(chance.nextBoolean() ? null : "t" + chance.nextInt(2))
                          .between(time(chance, true), time(chance, true)))
              .toList();
      List<Event> events =
          Stream.generate(
                  () ->
                      at(
                          time(chance, false),
                          chance.nextBoolean() ? null : "t" + chance.nextInt(3)))
              .limit(20)
              .toList();
      Tally tally = tally(registered, events);
      ReplayRegistry registry = ReplayRegistry.of(tally);
      ScopeCounts scopes = new ScopeCounts(registry.intervals(), tally);
      for (Replay a : registry.replays()) {
        assertThat(scopes.in(a).count()).isEqualTo(count(events, a, a));
        for (Replay b : registry.replays()) {
          assertThat(scopes.inBoth(a, b).count()).isEqualTo(count(events, a, b));
        }
      }
    }
  }

  private static long count(List<Event> events, Replay a, Replay b) {
    return events.stream().filter(event -> inside(a, event) && inside(b, event)).count();
  }

  private static boolean inside(Replay replay, Event event) {
    return replay.scopeOf(Registered.at(event.time()), event.topic()) == Replay.Scope.INSIDE;
  }

  private static String time(Random chance, boolean open) {
    return open && chance.nextInt(4) == 0 ? null : "0" + (1 + chance.nextInt(8)) + ":00:00";
  }
}
