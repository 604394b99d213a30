package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.Aggregate.Function;
import dev.constat.rules.spec.WindowRule.Days;
import dev.constat.rules.spec.WindowRule.Fixed;
import dev.constat.rules.spec.WindowRule.Session;
import dev.constat.rules.spec.WindowRule.Sliding;
import java.time.Duration;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the live system makes of its events. */
class ProjectionsTest {

  private static final FieldRef BUSINESS_KEY = FieldRef.parse("business_key");

  @Test
  void everyKeyArrives() {
    RunSpec spec =
        Specs.parse(
            Specs.top(
                """
                projections:
                  - name: volume
                    versions:
                      - version: "1"
                        kind: windowed
                        key: /payload/symbol
                        window: {fixed: PT10M}
                        allowed_lateness: PT5M
                        aggregates:
                          n: count
                          total: {sum: /qty}
                          low: {min: /px}
                          high: {max: /px}
                          open: {first: /px}
                          close: {last: /px}
                          buyers: {distinct: /order/buyer}
                      - {version: "2", kind: windowed, window: {days: 1, zone: Europe/Paris}, aggregates: {n: count}}
                  - name: order
                    versions: {version: v1.0, kind: current, key: region, value: /status}
                  - name: balance
                    versions: {version: "1", kind: ledger-2, fields: [/amount, /fee], options: {currency: EUR, scale: 2}}
                """));
    assertThat(spec.projections())
        .containsExactly(
            new ProjectionRule(
                "volume",
                "1",
                "windowed",
                FieldRef.parse("/payload/symbol"),
                new Fixed(Duration.ofMinutes(10)),
                Duration.ofMinutes(5),
                ImmutableMap.<String, Aggregate>builder()
                    .put("n", new Aggregate(Function.COUNT, ""))
                    .put("total", new Aggregate(Function.SUM, "/qty"))
                    .put("low", new Aggregate(Function.MIN, "/px"))
                    .put("high", new Aggregate(Function.MAX, "/px"))
                    .put("open", new Aggregate(Function.FIRST, "/px"))
                    .put("close", new Aggregate(Function.LAST, "/px"))
                    .put("buyers", new Aggregate(Function.DISTINCT, "/order/buyer"))
                    .buildOrThrow(),
                null,
                ImmutableList.of(),
                ImmutableMap.of()),
            new ProjectionRule(
                "volume",
                "2",
                "windowed",
                BUSINESS_KEY,
                new Days(ZoneId.of("Europe/Paris")),
                Duration.ZERO,
                ImmutableMap.of("n", new Aggregate(Function.COUNT, "")),
                null,
                ImmutableList.of(),
                ImmutableMap.of()),
            new ProjectionRule(
                "order",
                "v1.0",
                "current",
                FieldRef.parse("region"),
                null,
                Duration.ZERO,
                ImmutableMap.of(),
                "/status",
                ImmutableList.of(),
                ImmutableMap.of()),
            new ProjectionRule(
                "balance",
                "1",
                "ledger-2",
                BUSINESS_KEY,
                null,
                Duration.ZERO,
                ImmutableMap.of(),
                null,
                ImmutableList.of("/amount", "/fee"),
                ImmutableMap.of("currency", "EUR", "scale", "2")));
    assertThat(spec.projections().get(0).aggregates().keySet())
        .containsExactly("n", "total", "low", "high", "open", "close", "buyers");
  }

  @Test
  void withoutAnyThereAreNone() {
    assertThat(Specs.parse(Specs.SMALLEST).projections()).isEmpty();
    assertThat(Specs.parse(Specs.top("projections: []")).projections()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void windowsAreOfFourWays(String window, WindowRule rule) {
    assertThat(
            Specs.parse(Specs.windowed("window: " + window + "\n    aggregates: {n: count}"))
                .projections())
        .extracting(ProjectionRule::window)
        .containsExactly(rule);
  }

  static Stream<Arguments> windowsAreOfFourWays() {
    return Stream.of(
        arguments("{fixed: PT0.001S}", new Fixed(Duration.ofMillis(1))),
        arguments("{fixed: PT1.500000S}", new Fixed(Duration.ofMillis(1500))),
        arguments(
            "{sliding: PT10M, every: PT3M}",
            new Sliding(Duration.ofMinutes(10), Duration.ofMinutes(3))),
        arguments(
            "{every: PT10M, sliding: PT10M}",
            new Sliding(Duration.ofMinutes(10), Duration.ofMinutes(10))),
        arguments("{session: PT30M}", new Session(Duration.ofMinutes(30))),
        arguments("{days: 1, zone: Asia/Kolkata}", new Days(ZoneId.of("Asia/Kolkata"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "A-1", "_x", "1.2.3", "v1_0", "-"})
  void namesAndVersionsAreThoseOfFolders(String name) {
    RunSpec spec =
        Specs.parse(
            Specs.top(
                "projections: {name: '%1$s', versions: {version: '%1$s', kind: own}}"
                    .formatted(name)));
    assertThat(spec.projections())
        .extracting(ProjectionRule::title)
        .containsExactly(name + " version " + name);
  }

  @ParameterizedTest
  @CsvSource({
    "'', is empty; give it a value or remove it",
    ".., BAD",
    ".hidden, BAD",
    "a/b, BAD",
    "a\\b, BAD",
    "a b, BAD",
    "a:b, BAD",
    "é, BAD",
  })
  void whatIsNoNameOfAFolderIsRefused(String name, String why) {
    String reason =
        why.replace(
            "BAD",
            "is not a name that a folder may have;"
                + " use up to 100 letters, digits, ., _ and -, and no . first");
    assertThat(
            Specs.messages(
                Specs.top(
                    "projections: {name: '" + name + "', versions: {version: '1', kind: x}}")))
        .isEqualTo("constat.yaml:3:21: name '" + name + "' " + reason);
    assertThat(
            Specs.messages(
                Specs.top("projections: {name: a, versions: {kind: x, version: '" + name + "'}}")))
        .isEqualTo("constat.yaml:3:53: version '" + name + "' " + reason);
  }

  @Test
  void namesOfFoldersEndSomewhere() {
    String text = Specs.top("projections: {name: %s, versions: {version: '1', kind: x}}");
    assertThat(Specs.parse(text.formatted("a".repeat(100))).projections()).hasSize(1);
    assertThat(Specs.messages(text.formatted("a".repeat(101))))
        .contains("is not a name that a folder may have");
  }

  @ParameterizedTest
  @MethodSource
  void whatMakesNoVersionIsRefused(String part, String message) {
    assertThat(Specs.messages(Specs.projection(part))).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> whatMakesNoVersionIsRefused() {
    return Stream.of(
        arguments("kind: windowed", AGGREGATES_MISSING + "\nconstat.yaml:" + WINDOW_MISSING),
        arguments("kind: windowed\n    window: {fixed: PT1M}", AGGREGATES_MISSING),
        arguments("kind: windowed\n    aggregates: {n: count}", WINDOW_MISSING),
        arguments(
            "kind: current",
            "6:5: value is missing in projections.versions; add it, such as value: /status"),
        arguments(
            "value: /x",
            "6:5: kind is missing in projections.versions; add it, such as kind: windowed"),
        arguments(
            "kind: Windowed",
            "7:11: kind 'Windowed' is not a kind of projection; write windowed, current or the name"
                + " of an implementation (a-z, 0-9 and -)"),
        arguments(
            "kind: 2nd",
            "7:11: kind '2nd' is not a kind of projection; write windowed, current or the name of"
                + " an implementation (a-z, 0-9 and -)"),
        arguments(
            "kind: own\n    windows: {}",
            "8:5: Unknown key 'windows' in projections.versions; the nearest known key is"
                + " 'window'"),
        arguments(
            "kind: current\n    value: x",
            "8:12: value 'x' is not a JSON Pointer into the payload; write it like /qty or"
                + " /order/qty"),
        arguments(
            "kind: own\n    fields: [/a, b]",
            "8:18: fields[1] 'b' is not a JSON Pointer into the payload; write it like /qty or"
                + " /order/qty"),
        arguments(
            "kind: own\n    fields: []",
            "8:13: fields is an empty list; give it an item or remove it"),
        arguments(
            "kind: own\n    options: {a: [b]}",
            "8:18: a must be text, a number, true or false, not a list; write one value"),
        arguments(
            "kind: own\n    key: payload",
            "8:10: key 'payload' is not a text column; name a column of text, or a place in the"
                + " payload (/payload/...)"),
        arguments(
            "kind: own\n    key: /occurred_at",
            "8:10: key '/occurred_at' is not a text column; name a column of text, or a place in"
                + " the payload (/payload/...)"),
        arguments(
            "kind: own\n    key: a/b",
            "8:10: key 'a/b' is not a column or a place in the payload; write it like instrument or"
                + " /payload/amount"));
  }

  private static final String WINDOW_MISSING =
      "6:5: window is missing in projections.versions; add it, such as window: {fixed: PT10M}";
  private static final String AGGREGATES_MISSING =
      "6:5: aggregates is missing in projections.versions; add it, such as aggregates: {n: count,"
          + " qty: {sum: /qty}, high: {max: /px}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          windowed | value: /x                  | value            | kind current
          windowed | fields: /x                 | fields           | the kinds of implementations
          windowed | options: {a: b}            | options          | the kinds of implementations
          current  | window: {fixed: PT1M}      | window           | kind windowed
          current  | allowed_lateness: PT0S     | allowed_lateness | kind windowed
          current  | aggregates: {n: count}     | aggregates       | kind windowed
          current  | fields: /x                 | fields           | the kinds of implementations
          current  | options: {}                | options          | the kinds of implementations
          own      | window: {session: PT1M}    | window           | kind windowed
          own      | allowed_lateness: PT1M     | allowed_lateness | kind windowed
          own      | aggregates: {n: {sum: /q}} | aggregates       | kind windowed
          own      | value: /x                  | value            | kind current
          """)
  void keysOfAnotherKindAreRefused(String kind, String part, String key, String owner) {
    String needed =
        switch (kind) {
          case "windowed" -> "{window: {fixed: PT1M}, aggregates: {n: count}, ";
          case "current" -> "{value: /x, ";
          default -> "{";
        };
    String text = "projections: {name: a, versions: " + needed + "version: '1', kind: " + kind;
    assertThat(Specs.messages(Specs.top(text + ",\n  " + part + "}}")))
        .isEqualTo(
            "constat.yaml:4:3: %s in projections.versions is for %s, not %s; remove it"
                .formatted(key, owner, kind));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                             | 13: window divides time in no way; give it one of fixed, sliding, session and days
          {every: PT1M}                  | 13: window divides time in no way; give it one of fixed, sliding, session and days
          {fixed: PT1M, session: PT1M}   | 13: window has both fixed and session; give it one of fixed, sliding, session and days
          {sliding: PT1M}                | 13: every is missing in projections.versions.window; add it, such as every: PT5M
          {days: 1}                      | 13: zone is missing in projections.versions.window; add it, such as zone: Europe/Paris
          {fixed: PT1M, every: PT1M}     | 27: every in projections.versions.window goes with sliding only; remove it
          {session: PT1M, zone: UTC}     | 29: zone in projections.versions.window goes with days only; remove it
          {days: 2, zone: UTC}           | 20: days must be 1, not the number 2; write 1
          {days: 1, zone: Europe/Pari}   | 29: zone 'Europe/Pari' is not a time zone; write it like Europe/Paris (nearest: Europe/Paris)
          {sliding: PT5M, every: PT10M}  | 36: every PT10M is longer than sliding PT5M, so that no window would hold what lies between; give at most the size
          {sliding: PT10M, every: PT0.5S} | 37: every PT0.5S puts each event into more than 1000 windows of PT10M; give a longer period, or a smaller size
          {fixed: PT0S}                  | 21: fixed 'PT0S' is no time at all; give a duration above zero
          {fixed: -PT1M}                 | 21: fixed '-PT1M' is negative; give the length of time without a sign
          {session: PT0.0005S}           | 23: session 'PT0.0005S' is no whole number of milliseconds; give at most three digits of a second
          {sliding: PT1M, every: PT0.0015S} | 36: every 'PT0.0015S' is no whole number of milliseconds; give at most three digits of a second
          {tumbling: PT1M}               | 14: Unknown key 'tumbling' in projections.versions.window; the nearest known key is 'sliding'
          PT1M                           | 13: window must be a map, not 'PT1M'; write key: value
          """)
  void whatIsNoWindowIsRefused(String window, String message) {
    assertThat(Specs.messages(Specs.windowed("window: " + window + "\n    aggregates: {n: count}")))
        .isEqualTo("constat.yaml:8:" + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                    | 17: aggregates is empty; give it a column, such as n: count
          {n: 5}                | 21: n must be count or a function of a place in the payload, not the number 5; write count, or such as {sum: /qty}
          {n: coun}             | 21: n must be count or a function of a place in the payload, not 'coun'; write count, or such as {sum: /qty}
          {n: [count]}          | 21: n must be count or a function of a place in the payload, not a list; write count, or such as {sum: /qty}
          {n: }                 | 20: n has no value; give it count or a function of a place in the payload or remove it
          {n: {}}               | 21: n has no function; give it one, such as sum: /qty
          {n: {sum: /a, min: /b}} | 21: n has the functions sum and min; give it one, such as sum: /qty
          {n: {summ: /a}}       | 22: Unknown key 'summ' in projections.versions.aggregates.n; the nearest known key is 'sum'
          {n: {count: /a}}      | 22: Unknown key 'count' in projections.versions.aggregates.n; the nearest known key is 'sum'
          {n: {sum: qty}}       | 27: sum 'qty' is not a JSON Pointer into the payload; write it like /qty or /order/qty
          {n: {sum: ''}}        | 27: sum '' is empty; give it a value or remove it
          {a-b: count}          | 18: The key 'a-b' in projections.versions.aggregates is not made of letters, digits and _, none of the digits first; write a plain name
          {2nd: count}          | 18: The key '2nd' in projections.versions.aggregates is not made of letters, digits and _, none of the digits first; write a plain name
          {n: count, N: count}  | 28: N in projections.versions.aggregates differs from n by case alone; choose another name
          {Flags: count}        | 18: Flags in projections.versions.aggregates has the name of another column of projections, flags; choose another name
          """)
  void whatIsNoAggregateIsRefused(String aggregates, String message) {
    assertThat(
            Specs.messages(Specs.windowed("window: {fixed: PT1M}\n    aggregates: " + aggregates)))
        .isEqualTo("constat.yaml:9:" + message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "business_key",
        "window_start",
        "window_end",
        "on_time",
        "refined",
        "too_late",
        "flags",
        "candidates",
        "projection",
        "projection_version",
        "values",
        "event_ids",
        "output_hash",
        "replay_id",
        "computed_at"
      })
  void anAggregateHasAColumnOfItsOwn(String taken) {
    assertThat(
            Specs.messages(
                Specs.windowed("window: {fixed: PT1M}\n    aggregates: {" + taken + ": count}")))
        .contains(taken + " in projections.versions.aggregates has the name of another column");
  }

  @ParameterizedTest
  @MethodSource
  void whatIsThereTwiceIsRefused(String part, String message) {
    assertThat(Specs.messages(Specs.top(part))).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> whatIsThereTwiceIsRefused() {
    String versions = ", versions: {version: '1', kind: x}}";
    return Stream.of(
        arguments(
            "projections:\n  - {name: a" + versions + "\n  - {name: A" + versions,
            "5:5: projections[1] has the same name as projections[0], whatever the case;"
                + " remove one of them"),
        arguments(
            "projections:\n  name: a\n  versions:\n  - {version: b, kind: x}\n"
                + "  - {version: B, kind: x}",
            "7:5: versions[1] has the same version as versions[0], whatever the case;"
                + " remove one of them"),
        arguments(
            "projections: {name: a, versions: []}",
            "3:34: versions is an empty list; give it an item or remove it"),
        arguments(
            "projections: {name: a}",
            "3:14: versions is missing in projections; add it, such as versions:"
                + " [{version: \"1\", kind: current, key: business_key, value: /status}]"),
        arguments(
            "projections: {name: a, versions: {version: 1, kind: x}}",
            "3:44: version must be a name that a folder may have, not the number 1;"
                + " put it in quotes: \"1\""));
  }

  @Test
  void severalProblemsOfAVersionComeTogether() {
    String text =
        Specs.top(
            """
            projections:
              - name: a
                versions:
                  - {version: "1", kind: current, value: /x}
                  - version: "2"
                    kind: current
                    key: payload
                    window: {fixed: PT1M}
            """);
    assertThat(Specs.messages(text))
        .isEqualTo(
            """
            constat.yaml:7:9: value is missing in projections[0].versions[1]; add it, such as value: \
            /status
            constat.yaml:9:14: key 'payload' is not a text column; name a column of text, or a place \
            in the payload (/payload/...)
            constat.yaml:10:9: window in projections[0].versions[1] is for kind windowed, not \
            current; remove it""");
  }

  @Test
  void recordedCellsHaveAColumnPerAggregate() {
    RunSpec spec =
        Specs.parse(
            """
            constat: 1
            archives:
              events: {files: e, columns: {region: r, shard: s}}
              outbox: {files: o}
              projections:
                files: p
                columns: {business_key: symbol, total: sum_of_qty, topic: t, value: state, values: /cell}
                constants: {projection: volume, projection_version: "1", desk: d}
            sources:
              source: a
              identity: {scope: desk}
              sequence: {scope: [shard, partition]}
            projections:
              - name: volume
                versions:
                  - {version: "1", kind: windowed, key: region, window: {fixed: PT1M}, aggregates: {total: {sum: /q}, topic: count}}
                  - {version: "2", kind: windowed, key: /payload/k, window: {fixed: PT1M}, aggregates: {n: count}}
              - {name: order, versions: {version: "1", kind: current, key: topic, value: /status}}
            """);
    assertThat(spec.namedColumns(Input.PROJECTIONS))
        .containsExactly("desk", "n", "topic", "total", "value");
    assertThat(spec.namedColumns(Input.EVENTS)).containsExactly("desk", "region", "shard");
    assertThat(spec.namedColumns(Input.OUTBOX)).containsExactly("desk");
  }

  @ParameterizedTest
  @MethodSource
  void columnsOfRecordedCellsAreKnown(String part, String message) {
    assertThat(Specs.messages(Specs.archive("projections", part)))
        .isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> columnsOfRecordedCellsAreKnown() {
    return Stream.of(
        arguments(
            "columns: {total: t}",
            "6:15: Unknown column 'total' in archives.projections.columns;"
                + " the nearest known column is 'value'"),
        arguments(
            "constants: {event_id: e}",
            "6:17: Unknown column 'event_id' in archives.projections.constants;"
                + " the nearest known column is 'event_ids'"),
        arguments(
            "values: {a: b}", "6:5: values is for outbox, decisions and replays only; remove it"));
  }

  @Test
  void aColumnThatAProjectionIsKeyedByMayComeFromElsewhere() {
    String text =
        Specs.source("fields: {region: /payload/r}")
            + "projections: {name: a, versions: {version: '1', kind: x, key: region}}\n";
    assertThat(Specs.parse(text).sources().get(0).fields()).containsKey("region");
  }
}
