package dev.constat.rules.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.base.Splitter;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The receptions of a replay, and the events that it was meant to republish. */
final class FollowedReplayTest {

  private static final Instant BEGIN = Instant.parse("2026-01-05T08:00:00Z");
  private static final Instant SETTLED = Instant.parse("2026-01-05T11:50:00Z");
  private static final Instant ACTIVE = Instant.parse("2026-01-05T11:00:00Z");

  private final Tally tally = new Tally();
  private final List<Finding> findings = new ArrayList<>();

  private FollowedReplay follow(Registered replay) {
    return new FollowedReplay(
        "r", replay == null ? null : replay.get(), SETTLED, tally, findings::add);
  }

  /** Event e7 was created seven minutes after the beginning, and so was e7a. */
  private static Instant createdAt(String event) {
    return BEGIN.plusSeconds(60L * Character.digit(event.charAt(1), 10));
  }

  private static byte[] position(String event) {
    return FollowedReplay.writePosition(new KeyWriter(), createdAt(event), event).toBytes();
  }

  private static Place place(int i) {
    return new Place(0, 0, 0, i, i);
  }

  private void receive(FollowedReplay replay, String events) {
    List<String> order = Splitter.on(' ').splitToList(events);
    for (int i = 0; i < order.size(); i++) {
      replay.reception(ACTIVE.plusSeconds(i), position(order.get(i)), place(i));
    }
    replay.end();
  }

  static Stream<Arguments> orders() {
    return Stream.of(
        arguments("in order", "e1 e2 e3", 0, 0),
        arguments("a gap", "e1 e3", 0, 0),
        arguments("delivered twice on the spot", "e1 e2 e2 e3", 0, 0),
        arguments("interrupted and resumed", "e1 e2 e1 e2 e3", 0, 1),
        arguments("interrupted twice", "e1 e2 e1 e1 e2 e3 e1 e2 e3", 0, 2),
        arguments("interrupted at once", "e1 e1 e2", 0, 0),
        arguments("run twice as a whole", "e1 e2 e3 e1 e2 e3", 0, 1),
        arguments("two changed places", "e1 e3 e2 e4", 1, 0),
        arguments("backwards", "e3 e2 e1", 2, 0),
        arguments("a prefix that is none", "e2 e3 e1 e2 e3", 1, 0),
        arguments("falls back, and not to the first", "e1 e2 e3 e2 e3", 1, 0),
        arguments("one instant, by id", "e1 e1b e1a", 1, 0),
        arguments("one instant, in order", "e1 e1a e1b e2", 0, 0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("orders")
  void order(String name, String receptions, long descents, long restarts) {
    receive(follow(Registered.of("r")), receptions);

    assertThat(findings.stream().mapToLong(Finding::occurrences).sum()).isEqualTo(descents);
    assertThat(FollowedReplay.restarts(tally, "r")).isEqualTo(restarts);
    assertThat(tally.sum(Coverage.JUDGED, Kind.REPLAY_ORDER.name())).isEqualTo(1);
  }

  @Test
  void aFallShowsWhatItFellFromAndTo() {
    receive(follow(Registered.of("r")), "e1 e3 e2 e5 e4");

    assertThat(findings).hasSize(1);
    Finding finding = findings.get(0);
    assertThat(finding.subject()).isEqualTo("{\"replay_id\":\"r\"}");
    assertThat(finding.expected())
        .isEqualTo(
            "{\"created_at\":\"2026-01-05T08:03:00Z\",\"original_event_id\":\"e3\","
                + "\"received_at\":\"2026-01-05T11:00:01Z\"}");
    assertThat(finding.actual()).contains("\"original_event_id\":\"e2\"");
    assertThat(finding.evidence()).containsExactly(place(1), place(2));
    assertThat(finding.firstAt()).isEqualTo(ACTIVE.plusSeconds(2));
    assertThat(finding.lastAt()).isEqualTo(ACTIVE.plusSeconds(4));
    assertThat(finding.occurrences()).isEqualTo(2);
  }

  @Test
  void whatCannotBePlacedIsNotJudged() {
    FollowedReplay replay = follow(Registered.of("r"));
    replay.unplacedReception();
    replay.end();
    FollowedReplay unknown = follow(null);
    unknown.reception(ACTIVE, position("e2"), place(0));
    unknown.reception(ACTIVE, position("e1"), place(1));
    unknown.end();

    assertThat(findings).isEmpty();
    assertThat(notJudged(Kind.REPLAY_ORDER, "events known by replays alone")).isEqualTo(1);
    assertThat(notJudged(Kind.REPLAY_ORDER, "replay not in the registry")).isEqualTo(1);
  }

  private long notJudged(Kind kind, String reason) {
    return tally.sum(Coverage.NOT_JUDGED, kind.name(), reason);
  }

  static Stream<Arguments> scopes() {
    return Stream.of(
        arguments("all of it", "xxx", 0, 1),
        arguments("a prefix", "xx..", 1, 1),
        arguments("one of many", "x...", 1, 1),
        arguments("none of it", "....", 0, 0),
        arguments("a suffix", "..xx", 0, 1),
        arguments("with a hole", "x.x", 0, 1),
        arguments("an empty scope", "", 0, 0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scopes")
  void scope(String name, String events, int partial, long judged) {
    FollowedReplay replay = follow(Registered.of("r"));
    scope(replay, events, ACTIVE);

    assertThat(findings).hasSize(partial);
    assertThat(findings).allMatch(finding -> finding.kind() == Kind.REPLAY_PARTIAL);
    assertThat(tally.sum(Coverage.JUDGED, Kind.REPLAY_PARTIAL.name())).isEqualTo(judged);
    assertThat(FollowedReplay.seenEvents(tally, "r"))
        .isEqualTo(events.chars().filter(c -> c == 'x').count());
  }

  private static void scope(FollowedReplay replay, String events, Instant trace) {
    for (int i = 0; i < events.length(); i++) {
      String id = "e" + (i + 1);
      replay.event(createdAt(id), id, events.charAt(i) == 'x' ? trace : null, place(i));
    }
    replay.end();
  }

  @Test
  void aPrefixShowsWhereItEnds() {
    scope(follow(Registered.of("r").between("08:00:00", "09:00:00").line(3)), "xx..", ACTIVE);

    Finding finding = findings.get(0);
    assertThat(finding.subject()).isEqualTo("{\"replay_id\":\"r\"}");
    assertThat(finding.actual())
        .isEqualTo(
            "{\"events\":2,\"last_created_at\":\"2026-01-05T08:02:00Z\","
                + "\"last_event_id\":\"e2\",\"restarts\":0}");
    assertThat(finding.expected())
        .contains("\"events\":4", "\"next_event_id\":\"e3\"", "\"to\":\"2026-01-05T09:00:00Z\"");
    assertThat(finding.evidence())
        .containsExactlyInAnyOrder(Registered.of("r").line(3).place(), place(1), place(2));
  }

  @Test
  void whatMayStillBeGoingOnIsInFlight() {
    scope(follow(Registered.of("r")), "xx..", SETTLED.plusNanos(1));
    assertThat(findings).isEmpty();
    assertThat(tally.sum(Coverage.SILENT, Kind.REPLAY_PARTIAL.name(), "IN_FLIGHT")).isEqualTo(1);
    scope(follow(Registered.of("r")), "xx..", SETTLED);
    assertThat(findings).hasSize(1);
  }

  @Test
  void anIntervalWithoutAZoneIsNotJudged() {
    scope(follow(Registered.of("r").between("08:00:00?", null)), "", ACTIVE);
    assertThat(notJudged(Kind.REPLAY_PARTIAL, FollowedReplay.NO_ZONE)).isEqualTo(1);
  }
}
