package dev.constat.rules.diff;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Where versions of a projection differ, which events make it, and why (spec section 5). */
class DiffFoldTest {

  private static final String N = "aggregates: {n: count}";
  private static final String BY_KEY = "kind: windowed, key: business_key, ";
  private static final String FIXED = BY_KEY + "window: {fixed: PT10M}, ";
  private static final String SLIDING = BY_KEY + "window: {sliding: PT10M, every: PT5M}, ";

  /** An event with its values; what corrections leave of it, if that is not the same in all. */
  private record Given(
      String id, String occurred, String watermark, Map<String, String> values, Hold... holds) {}

  private static Given event(String id, String occurred, String watermark, String... values) {
    ImmutableMap.Builder<String, String> byName = ImmutableMap.builder();
    byName.put("business_key", "A");
    for (int i = 0; i < values.length; i += 2) {
      byName.put(values[i], values[i + 1]);
    }
    return new Given(id, occurred, watermark, byName.buildKeepingLast());
  }

  private static Given held(Given given, Hold... holds) {
    return new Given(given.id, given.occurred, given.watermark, given.values, holds);
  }

  private static Arguments differing(
      String name, List<String> versions, List<Given> events, String... rows) {
    return Arguments.of(name, versions, events, List.of(rows));
  }

  static List<Arguments> cases() {
    return List.of(
        differing(
            "the same in both",
            List.of(FIXED + N, FIXED + "allowed_lateness: PT30M, " + N),
            List.of(event("a", "10:01", null), event("b", "10:04", "10:05"))),
        differing(
            "window: only one version has it",
            List.of(FIXED + N, SLIDING + N),
            List.of(event("a", "10:01", null)),
            "2 A 09:55..10:05 null: null | {\"n\":1} [window] [a] 1"),
        differing(
            "budget: too late for one",
            List.of(FIXED + N, FIXED + "allowed_lateness: PT30M, " + N),
            List.of(event("a", "10:01", null), event("b", "10:04", "10:20")),
            "2 A 10:00..10:10 n: 1 | 2 [budget] [b] 1"),
        differing(
            "budget: the last event has no value, and no sum takes it",
            List.of(
                FIXED + "aggregates: {s: {sum: /q}, l: {last: /q}}",
                FIXED + "allowed_lateness: PT30M, aggregates: {s: {sum: /q}, l: {last: /q}}"),
            List.of(event("a", "10:01", null, "/q", "1"), event("b", "10:04", "10:20")),
            "2 A 10:00..10:10 l: 1 | null [budget] [b] 1"),
        differing(
            "budget: too late alone leaves no cell",
            List.of(FIXED + "allowed_lateness: PT30M, " + N, FIXED + N),
            List.of(event("b", "10:04", "10:20")),
            "2 A 10:00..10:10 null: {\"n\":1} | null [budget] [b] 1"),
        differing(
            "correction: another link is in force",
            List.of(FIXED + "aggregates: {q: {sum: /q}}", FIXED + "aggregates: {q: {sum: /q}}"),
            List.of(
                held(event("a", "10:01", null, "/q", "1"), Hold.IN_TIME, Hold.NOT_IN_FORCE),
                held(event("c", "10:01", "10:30", "/q", "5"), Hold.TOO_LATE, Hold.EVERYWHERE)),
            "2 A 10:00..10:10 q: 1 | 5 [budget, correction] [a, c] 2"),
        differing(
            "schema: a value is missing, or of another type",
            List.of(
                FIXED + "aggregates: {n: count, q: {sum: /q}}",
                FIXED + "aggregates: {n: count, q: {sum: /quantity}}"),
            List.of(
                event("a", "10:01", null, "/q", "1", "/quantity", "1"),
                event("b", "10:02", null, "/q", "2"),
                event("c", "10:03", null, "/q", "4", "/quantity", "\"four\"")),
            "2 A 10:00..10:10 q: 7 | 1 [schema, definition] [b, c] 2"),
        differing(
            "schema: no key",
            List.of(FIXED + N, "kind: windowed, key: /payload/k, window: {fixed: PT10M}, " + N),
            List.of(event("a", "10:01", null, "/payload/k", "A"), event("b", "10:02", null)),
            "2 A 10:00..10:10 n: 2 | 1 [schema] [b] 1"),
        differing(
            "definition: another key",
            List.of(FIXED + N, "kind: windowed, key: /payload/k, window: {fixed: PT10M}, " + N),
            List.of(event("a", "10:01", null, "/payload/k", "B")),
            "2 A 10:00..10:10 null: {\"n\":1} | null [definition] [a] 1",
            "2 B 10:00..10:10 null: null | {\"n\":1} [definition] [a] 1"),
        differing(
            "definition: another function",
            List.of(FIXED + "aggregates: {q: {min: /q}}", FIXED + "aggregates: {q: {max: /q}}"),
            List.of(event("a", "10:01", null, "/q", "1"), event("b", "10:02", null, "/q", "2.50")),
            "2 A 10:00..10:10 q: 1 | 2.5 [definition] [] 0"),
        differing(
            "by value: 2.5, 2.50 and the text are the same",
            List.of(FIXED + "aggregates: {q: {max: /q}}", FIXED + "aggregates: {q: {last: /text}}"),
            List.of(event("a", "10:01", null, "/q", "2.5", "/text", "\"2.50\""))),
        differing(
            "columns that one version lacks are not compared",
            List.of(FIXED + "aggregates: {n: count, q: {sum: /q}}", FIXED + N),
            List.of(event("a", "10:01", null, "/q", "1"))),
        differing(
            "sessions of other bounds",
            List.of(
                BY_KEY + "window: {session: PT5M}, " + N, BY_KEY + "window: {session: PT8M}, " + N),
            List.of(event("a", "10:00", null), event("b", "10:07", null)),
            "2 A 10:00..10:05 null: {\"n\":1} | null [window] [a] 1",
            "2 A 10:00..10:15 null: null | {\"n\":2} [window] [a, b] 2",
            "2 A 10:07..10:12 null: {\"n\":1} | null [window] [b] 1"),
        differing(
            "sessions of the same bounds, one event too late for one of them",
            List.of(
                BY_KEY + "window: {session: PT5M}, " + N,
                BY_KEY + "window: {session: PT5M}, allowed_lateness: PT1H, " + N),
            List.of(
                event("a", "10:00", null), event("b", "10:01", "10:30"), event("c", "10:04", null)),
            "2 A 10:00..10:09 n: 2 | 3 [budget] [b] 1"),
        differing(
            "a session where another version has a window of the same bounds",
            List.of(
                "kind: windowed, key: business_key, window: {fixed: PT5M}, " + N,
                BY_KEY + "window: {session: PT5M}, " + N,
                BY_KEY + "window: {session: PT5M}, allowed_lateness: PT1H, " + N),
            List.of(event("a", "10:00", null), event("b", "10:00", "10:30")),
            "3 A 10:00..10:05 n: 1 | 2 [budget] [b] 1"),
        differing(
            "a session whose first event has a window to itself that another version has",
            List.of(
                "kind: windowed, key: business_key, window: {fixed: PT5M}, " + N,
                BY_KEY + "window: {session: PT5M}, " + N),
            List.of(event("a", "10:00", null), event("b", "10:04", null)),
            "2 A 10:00..10:05 null: {\"n\":2} | null [window] [a, b] 2",
            "2 A 10:00..10:09 null: null | {\"n\":2} [window] [a, b] 2"),
        differing(
            "current: one value per key",
            List.of(
                "kind: current, key: business_key, value: /status",
                "kind: current, key: business_key, value: /state"),
            List.of(
                event("a", "10:00", null, "/status", "\"new\"", "/state", "\"new\""),
                event("b", "10:05", null, "/status", "\"paid\"")),
            "2 A .. value: paid | null [schema, definition] [b] 1"),
        differing(
            "windows against none",
            List.of(FIXED + N, "kind: current, key: business_key, value: /status"),
            List.of(event("a", "10:00", null, "/status", "\"new\"")),
            "2 A .. null: null | {\"value\":\"new\"} [window] [a] 1",
            "2 A 10:00..10:10 null: {\"n\":1} | null [window] [a] 1"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void everyDifferenceHasItsEventsAndCauses(
      String name, List<String> versions, List<Given> events, List<String> rows) {
    assertThat(compared(versions, events).differences()).isEqualTo(rows);
  }

  @Test
  void laterVersionsAreComparedWithTheFirstAndStandByName() {
    String late = "allowed_lateness: PT30M, ";
    List<String> numbered =
        List.of(
            "version: b, " + FIXED + N,
            "version: c, " + FIXED + late + "aggregates: {n: count, m: {max: /q}}",
            "version: a, " + FIXED + late + N);
    Versions versions = Versions.of(numbered);
    add(versions, List.of(event("x", "10:01", null), event("y", "10:04", "10:20")));
    assertThat(versions.differences())
        .containsExactly(
            "a A 10:00..10:10 n: 1 | 2 [budget] [y] 1", "c A 10:00..10:10 n: 1 | 2 [budget] [y] 1");
    assertThat(versions.tally().sum(DiffFold.CELLS, "a")).isEqualTo(1);
    assertThat(versions.tally().sum(DiffFold.ROWS, "c")).isEqualTo(1);
    assertThat(versions.tally().sum(DiffFold.CAUSES, "c", "budget")).isEqualTo(1);
    assertThat(versions.tally().sum(DiffFold.CAUSES, "c", "window")).isZero();
  }

  @Test
  void eventsAreCountedExactlyAndTheSmallestListed() {
    List<Given> events = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      events.add(event("e" + (1_249 - i), "10:01", null));
    }
    Object[] row = compared(List.of(SLIDING + N, FIXED + N), events).rows().get(0);
    assertThat(row[11]).isEqualTo(250L);
    List<String> listed = ((List<?>) row[10]).stream().map(String.class::cast).toList();
    assertThat(listed).hasSize(DiffFold.MAX_EVENTS).startsWith("e1000", "e1001").endsWith("e1099");
  }

  @Test
  void sessionsWithALongHistoryStayApart() {
    List<Given> events = new ArrayList<>();
    for (int i = 10; i < 60; i += 6) {
      events.add(event("e" + i, "10:" + i, null));
    }
    List<String> versions =
        List.of(BY_KEY + "window: {session: PT5M}, " + N, BY_KEY + "window: {session: PT6M}, " + N);
    assertThat(compared(versions, events).rows())
        .hasSize(2 * events.size())
        .allSatisfy(row -> assertThat(row[11]).isEqualTo(1L));
  }

  private static Versions compared(List<String> rules, List<Given> events) {
    List<String> numbered = new ArrayList<>();
    for (String rule : rules) {
      numbered.add("version: '" + (numbered.size() + 1) + "', " + rule);
    }
    Versions versions = Versions.of(numbered);
    add(versions, events);
    return versions;
  }

  private static void add(Versions versions, List<Given> events) {
    for (Given given : events) {
      versions.add(
          versions.event(given.id, given.occurred, given.watermark, given.values), given.holds);
    }
  }
}
