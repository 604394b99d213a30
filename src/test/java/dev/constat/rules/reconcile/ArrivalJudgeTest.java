package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.reconcile.ArrivalJudge.Timed;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.rules.table.Tables;
import dev.constat.rules.time.Epochs;
import dev.constat.rules.time.Timeliness;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivalJudgeTest {

  private static final String CONTRACT =
      """
      sources:
        - source: S
          lateness:
            - {budget: PT5M, version: a}
            - {from: 2026-01-05T10:30:00Z, budget: PT1M, version: b}
            - {from: 2026-01-05T11:00:00Z, budget: PT0S, version: c}
          future_tolerance: PT2M
      """;

  private static final String PROJECTIONS =
      """
      projections:
        - name: p
          versions:
            - {version: "1", kind: windowed, window: {fixed: PT10M}, allowed_lateness: PT5M,
               aggregates: {n: count}}
            - {version: "2", kind: windowed, window: {sliding: PT10M, every: PT5M},
               aggregates: {n: count}}
        - name: q
          versions:
            - {version: "1", kind: current, key: partition, value: /v}
      """;

  private final Tally tally = new Tally();

  private ArrivalJudge judge(String... parts) {
    String text =
        "constat: 1\narchives:\n  events: {files: x}\n" + String.join("", Arrays.asList(parts));
    RunSpec spec = RunSpecParser.parse(text, "constat.yaml", "folder");
    return new ArrivalJudge(spec, tally, sequence -> Epochs.SINGLE);
  }

  /** The clock is at a time before the reception: both sides of each limit, at full precision. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // largest, received, occurred, timeliness, watermark, budget, version
        "-, 10:00:00, 10:00:00, ON_TIME, -, PT5M, a",
        "-, 10:00:00, 2020-01-01T00:00:00, ON_TIME, -, PT5M, a",
        "10:05:00, 10:06:00, 10:00:00, ON_TIME, 10:00:00, PT5M, a",
        "10:05:00, 10:06:00, 09:59:59.999999999, LATE, 10:00:00, PT5M, a",
        "10:05:00, 10:06:00, 10:08:00, ON_TIME, 10:00:00, PT5M, a",
        "10:05:00, 10:06:00, 10:08:00.000000001, FUTURE, 10:00:00, PT5M, a",
        "10:05:00, 10:29:59.999999999, 10:03:00, ON_TIME, 10:00:00, PT5M, a",
        "10:05:00, 10:30:00, 10:03:00, LATE, 10:04:00, PT1M, b",
        "10:05:00, 10:59:59.999999999, 10:04:00, ON_TIME, 10:04:00, PT1M, b",
        "10:05:00, 11:00:00, 10:05:00, ON_TIME, 10:05:00, PT0S, c",
        "10:05:00, 11:00:00, 10:04:59.999999999, LATE, 10:05:00, PT0S, c",
        // what is of the future is not late, and the other way round
        "12:00:00, 10:00:00, 10:02:01, FUTURE, 11:55:00, PT5M, a",
        "12:00:00, 10:00:00, 10:02:00, LATE, 11:55:00, PT5M, a",
      })
  void timelinessComparesWithTheClockOnArrival(
      String largest,
      String received,
      String occurred,
      Timeliness timeliness,
      String watermark,
      String budget,
      String version) {
    ArrivalJudge judge = judge(CONTRACT);

    Timed timed =
        judge.place(
            Arrivals.of("i1").at(received).occurred(occurred).get(), Times.at(largest), false);

    assertThat(timed.timeliness()).isEqualTo(timeliness);
    assertThat(timed.movesClock()).isEqualTo(timeliness != Timeliness.FUTURE);
    assertThat(column(judge, timed, "timeliness")).isEqualTo(timeliness.name());
    assertThat(column(judge, timed, "watermark")).isEqualTo(Times.at(watermark));
    assertThat(column(judge, timed, "budget")).isEqualTo(budget);
    assertThat(column(judge, timed, "budget_version")).isEqualTo(version);
    assertThat(tally.sum(CheckTally.TIMELINESS, "S", "1", timeliness.name())).isEqualTo(1);
  }

  /** The three answers of history, current value and clock. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // decision, flag, occurred, target known; in history, moves current, moves the clock
        "ACCEPTED, -, 10:00:00, false, true, true, true",
        "ACCEPTED, -, 09:00:00, false, true, true, true", // late
        "ACCEPTED, -, 10:10:00, false, true, false, false", // of the future
        "ACCEPTED, UNKNOWN_SCHEMA_VERSION, 10:00:00, false, true, false, true",
        "ACCEPTED, HEURISTIC, 10:00:00, false, true, true, true",
        "ACCEPTED, -, 1970-01-01T00:29:27.607, false, true, false, true", // UNIT_SUSPECT
        "CORRECTION, -, 10:00:00, true, true, true, true",
        "CORRECTION, -, 10:00:00, false, true, false, true",
        "CORRECTION, -, 10:10:00, true, true, false, false",
        "EXACT_DUPLICATE, -, 10:00:00, false, false, false, false",
        "CONFLICTING_DUPLICATE, -, 10:00:00, true, false, false, false",
        "ARCHIVE_COPY, -, 10:00:00, false, false, false, false",
        "ARCHIVE_CONFLICT, -, 10:00:00, false, false, false, false",
      })
  void threeAnswers(
      Decision decision,
      Flag flag,
      String occurred,
      boolean targetKnown,
      boolean inHistory,
      boolean movesCurrent,
      boolean movesClock) {
    ArrivalJudge judge = judge(CONTRACT);
    Arrivals arrival = Arrivals.of("i1").decided(decision).at("10:00:01").occurred(occurred);
    arrival = flag == null ? arrival : arrival.flags(flag);

    Timed timed = judge.place(arrival.get(), Times.at("10:00:00"), targetKnown);

    assertThat(column(judge, timed, "in_history")).isEqualTo(inHistory);
    assertThat(column(judge, timed, "moves_current")).isEqualTo(movesCurrent);
    assertThat(timed.movesClock()).isEqualTo(movesClock);
    assertThat(column(judge, timed, "timeliness") == null).isEqualTo(!inHistory);
    // the clock stands where it stands, whatever comes
    assertThat(column(judge, timed, "watermark")).isEqualTo(Times.at("09:55:00"));
  }

  @Test
  void whatOnlyAReplayBroughtHasNoTime() {
    ArrivalJudge judge = judge(CONTRACT, PROJECTIONS);
    Arrivals arrival =
        Arrivals.of("i1")
            .replay("r1")
            .flags(Flag.ORIGINAL_ABSENT)
            .at("11:59:00")
            .occurred("08:00:00")
            .projected("1", "b", "p0");

    Timed timed = judge.place(arrival.get(), Times.at("11:00:00"), false);

    assertThat(timed.timeliness()).isNull();
    assertThat(timed.watermark()).isNull();
    assertThat(timed.movesClock()).isFalse();
    assertThat(timed.movesCurrent()).isTrue();
    assertThat(column(judge, timed, "flags")).isEqualTo(List.of("ORIGINAL_ABSENT"));
    assertThat(column(judge, timed, "replay_id"))
        .asString()
        .isEqualTo(text("r1".getBytes(StandardCharsets.UTF_8)));
    assertThat(windows(judge, timed))
        .containsExactly(
            "p 1 2026-01-05T08:00:00Z ON_TIME",
            "p 2 2026-01-05T07:55:00Z ON_TIME",
            "p 2 2026-01-05T08:00:00Z ON_TIME");
    assertThat(tally.sum(CheckTally.TIMELINESS, "S", "1", "replayed")).isEqualTo(1);
    assertThat(tally.sum(CheckTally.DISORDER, "S", "1")).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, 10:00:00, false",
        "10:00:00, 10:00:00, false",
        "10:00:00.000000001, 10:00:00, true",
        "12:00:00, 10:00:00, true",
      })
  void disorderAsksForWhatHappenedLater(String largest, String occurred, boolean disorder) {
    ArrivalJudge judge = judge(CONTRACT);

    Timed timed =
        judge.place(
            Arrivals.of("i1").at("10:00:01").occurred(occurred).get(), Times.at(largest), false);

    assertThat(timed.flags().contains(Flag.OUT_OF_ORDER)).isEqualTo(disorder);
    assertThat(tally.sum(CheckTally.DISORDER, "S", "1")).isEqualTo(disorder ? 1 : 0);
  }

  /** W against the end of windows and the allowed lateness: 5 minutes for version 1, 0 for 2. */
  @ParameterizedTest
  @CsvSource({
    // the largest before, less 5 minutes of budget, is the watermark
    "10:14:59.999999999, ON_TIME, ON_TIME, ON_TIME",
    "10:15:00, REFINES, ON_TIME, TOO_LATE",
    "10:19:59.999999999, REFINES, ON_TIME, TOO_LATE",
    "10:20:00, TOO_LATE, TOO_LATE, TOO_LATE",
  })
  void windowsTellWhatBecomesOfAnEvent(
      String largest, String fixed, String slidingLater, String slidingEarlier) {
    ArrivalJudge judge = judge(CONTRACT, PROJECTIONS);
    Arrivals arrival =
        Arrivals.of("i1").at("10:20:00").occurred("10:06:00").projected("1", "b", "p0");

    Timed timed = judge.place(arrival.get(), Times.at(largest), false);

    assertThat(windows(judge, timed))
        .containsExactly(
            "p 1 2026-01-05T10:00:00Z " + fixed,
            "p 2 2026-01-05T10:00:00Z " + slidingEarlier,
            "p 2 2026-01-05T10:05:00Z " + slidingLater);
    assertThat(tally.sum(CheckTally.CELLS, "p version 1")).isEqualTo(1);
    assertThat(tally.sum(CheckTally.CELLS, "p version 2")).isEqualTo(2);
    assertThat(tally.sumsUnder(CheckTally.BOOK)).isEmpty();
  }

  /** What is in history and not projected counts once per version with windows. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // key of p, occurred, flag; flags
        "-, 10:00:00, -, NO_KEY",
        "b, 10:10:00, -, ''",
        "-, 10:10:00, -, NO_KEY",
        "b, 10:00:00, UNKNOWN_SCHEMA_VERSION, UNKNOWN_SCHEMA_VERSION",
        "b, 1970-01-01T00:29:27.607, -, UNIT_SUSPECT",
      })
  void notProjected(String key, String occurred, Flag flag, String flags) {
    ArrivalJudge judge = judge(CONTRACT, PROJECTIONS);
    Arrivals arrival =
        Arrivals.of("i1").at("10:00:01").occurred(occurred).projected("1", key, "p0");
    arrival = flag == null ? arrival : arrival.flags(flag);

    Timed timed = judge.place(arrival.get(), null, false);

    assertThat(windows(judge, timed)).isEmpty();
    assertThat(String.join(" ", flags(judge, timed))).isEqualTo(flags);
    for (String title : List.of("p version 1", "p version 2")) {
      assertThat(tally.sum(CheckTally.CELLS, title)).isEqualTo(1);
      assertThat(tally.sum(CheckTally.BOOK, CheckTally.CELLS, title, "not projected")).isEqualTo(1);
    }
    assertThat(tally.sum(CheckTally.CELLS, "q version 1")).isZero();
  }

  @Test
  void oneVersionMayHaveAKeyWhereAnotherHasNone() {
    ArrivalJudge judge = judge(CONTRACT, PROJECTIONS);
    Arrivals arrival = Arrivals.of("i1").projected("1", "b", null);

    Timed timed = judge.place(arrival.get(), null, false);

    assertThat(flags(judge, timed)).containsExactly("NO_KEY");
    assertThat(windows(judge, timed)).hasSize(3);
  }

  /** A version of a contested key is shown to projections, which mark what it would touch. */
  @Test
  void whatHistoryDoesNotHoldCountsNowhere() {
    ArrivalJudge judge = judge(CONTRACT, PROJECTIONS);
    Arrivals duplicate =
        Arrivals.of("i2").decided(Decision.EXACT_DUPLICATE).projected("1", "b", "p0");
    Arrivals deviating =
        Arrivals.of("i3")
            .decided(Decision.CONFLICTING_DUPLICATE)
            .contested()
            .projected("1", "b", "p0");

    assertThat(judge.place(duplicate.get(), null, false).event()).isNull();
    Timed timed = judge.place(deviating.get(), null, false);

    assertThat(timed.event().contested()).isTrue();
    assertThat(timed.placements()).isEmpty();
    assertThat(tally.sumsUnder(CheckTally.CELLS)).isEmpty();
    assertThat(tally.sumsUnder(CheckTally.TIMELINESS)).isEmpty();
  }

  @Test
  void rulesNameWhatMadeTheKey() {
    ArrivalJudge judge =
        judge(
            """
            sources:
              - {source: S, identity: {scope: [instrument], revision: /payload/rev,
                 fingerprint: {rule: fp/2, fields: [/payload/pay, /payload/amt]}}}
            """);
    Arrivals heuristic = Arrivals.of("i2").flags(Flag.HEURISTIC);

    assertThat(rule(judge, Arrivals.of("i1")))
        .isEqualTo("key/1[source, instrument, source_event_id, revision]");
    assertThat(rule(judge, heuristic.hashRule("fp/2")))
        .isEqualTo("fp/2[/payload/pay, /payload/amt]");
    assertThat(rule(judge(), Arrivals.of("i1"))).isEqualTo("key/1[source, source_event_id]");
    assertThat(rule(judge(), heuristic.hashRule("fp/1"))).isEqualTo("fp/1");
  }

  private static String rule(ArrivalJudge judge, Arrivals arrival) {
    return (String) column(judge, judge.place(arrival.get(), null, false), "rule");
  }

  private static List<String> windows(ArrivalJudge judge, Timed timed) {
    return ((Collection<?>) column(judge, timed, "windows"))
        .stream()
            .map(
                window ->
                    String.join(
                        " ", Arrays.stream((Object[]) window).map(String::valueOf).toList()))
            .toList();
  }

  private static List<String> flags(ArrivalJudge judge, Timed timed) {
    return ((Collection<?>) column(judge, timed, "flags")).stream().map(String::valueOf).toList();
  }

  private static Object column(ArrivalJudge judge, Timed timed, String name) {
    Object[] row = judge.row(timed);
    int index =
        IntStream.range(0, row.length)
            .filter(i -> Tables.DECISIONS.columns().get(i).name().equals(name))
            .findFirst()
            .orElseThrow();
    return row[index] instanceof byte[] utf8 ? text(utf8) : row[index];
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
