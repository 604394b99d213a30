package dev.constat.rules.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.WindowRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recomputed cells against recorded ones. */
class RecordedTest {

  private static final OptionalTime TEN = OptionalTime.at(Fixture.at("10:00:00"));

  private static String subject(String key, String start) {
    return "{\"business_key\":"
        + (key == null ? "null" : "\"" + key + "\"")
        + ",\"projection\":\"p\",\"version\":\"1\",\"window_start\":"
        + (start == null ? "null" : "\"2026-01-05T" + start + "Z\"")
        + "}";
  }

  private static Fixture c36() {
    Fixture run = new Fixture(Fixture.fixed("count COUNT", "sum SUM /v"));
    run.event("e1", "k", "10:00:00", "2").accept();
    run.event("e2", "k", "10:03:00", "3").accept();
    run.event("e3", "k", "10:10:00", "4").accept();
    return run;
  }

  @Test
  void aSkippedEventIsDrift() {
    // C36
    Fixture run = c36();
    run.send(run.cell("k", TEN, List.of("e1"), "count=1", "sum=2"));
    run.record("k", "10:10:00", "count=1", "sum=\"4.0\"");
    assertThat(run.fold().found())
        .containsExactly(
            "PROJECTION_DRIFT "
                + subject("k", "10:00:00")
                + " {\"count\":2,\"event_ids\":[\"e2\"],\"sum\":\"5\"}"
                + " {\"count\":1,\"event_ids\":[],\"sum\":\"2\"} []");
    assertThat(run.findings.get(0).reason())
        .isEqualTo("The recorded cell differs from what its events give in count, sum");
    assertThat(run.counts)
        .containsEntry("judged PROJECTION_DRIFT", 2)
        .containsEntry("judged MISSING_WINDOW", 2)
        .containsEntry("judged UNEXPECTED_WINDOW", 2);
  }

  @Test
  void aWindowOnOneSideIsMissingOrUnexpectedNotZero() {
    Fixture run = c36();
    run.record("k", "10:00:00", "count=2", "sum=5");
    run.record("k", "10:20:00", "count=0");
    run.record("other", "10:00:00", "count=7");
    assertThat(run.fold().found())
        .containsExactlyInAnyOrder(
            "MISSING_WINDOW " + subject("k", "10:10:00") + " {\"count\":1,\"sum\":\"4\"} {} []",
            "UNEXPECTED_WINDOW " + subject("k", "10:20:00") + " {} {\"count\":\"0\"} []",
            "UNEXPECTED_WINDOW " + subject("other", "10:00:00") + " {} {\"count\":\"7\"} []");
  }

  @ParameterizedTest
  @CsvSource({
    // window end and allowed lateness: 10:15
    "10:14:59, 0",
    "10:15:00, 1",
  })
  void cellsThatMayStillChangeAreNotJudged(String settledUntil, int findings) {
    Fixture run = new Fixture(Fixture.fixed("n COUNT")).settledUntil(settledUntil);
    run.event("e1", "k", "10:00:00", null).accept();
    run.record("k", "10:00:00", "n=2");
    run.event("e1", "missing", "10:00:00", null).accept();
    run.record("unexpected", "10:00:00", "n=2");
    assertThat(run.fold().findings).hasSize(3 * findings);
  }

  @Test
  void theLastReceptionDatesACellWithoutWindow() {
    Fixture run = new Fixture(Fixture.current("/v")).settledUntil("10:00:01");
    run.event("e1", "k", "10:00:00", "1").accept();
    run.record("k", null, "value=2");
    run.event("e2", "young", "10:00:00", "1").accept();
    run.event("e3", "young", "10:00:01", null).acceptWithout();
    run.record("young", null, "value=2");
    assertThat(run.fold().found())
        .containsExactly(
            "PROJECTION_DRIFT " + subject("k", null) + " {\"value\":\"1\"} {\"value\":\"2\"} []");
  }

  @Test
  void theLastComputationIsTheCell() {
    Fixture run = new Fixture(Fixture.current("/v"));
    run.event("e1", "k", "10:00:00", "1").accept();
    run.record("k", null, "value=9");
    run.record("k", null, "value=1");
    run.event("e2", "l", "10:00:00", "1").accept();
    run.record("l", null, "value=1");
    run.record("l", null, "value=9");
    assertThat(run.fold().findings).singleElement().matches(f -> f.subject().contains("\"l\""));
  }

  @Test
  void theOldValueThatWonIsDrift() {
    // C30
    Fixture run = new Fixture(Fixture.current("/v"));
    run.event("u", "sub1", "10:00:01", "\"active\"").sequence("q", 2).accept();
    run.event("c", "sub1", "10:00:00", "\"incomplete\"").sequence("q", 1).accept();
    run.record("sub1", null, "value=\"incomplete\"");
    // without order between them it is not drift
    run.event("u", "sub2", "10:00:00", "\"active\"").accept();
    run.event("c", "sub2", "10:00:00", "\"incomplete\"").accept();
    run.record("sub2", null, "value=\"incomplete\"");
    assertThat(run.fold().found())
        .containsExactly(
            "PROJECTION_DRIFT "
                + subject("sub1", null)
                + " {\"value\":\"active\"} {\"value\":\"incomplete\"} []");
    assertThat(run.counts).containsEntry("PROJECTION_DRIFT: the cell is AMBIGUOUS", 1);
  }

  @Test
  void marksAreHints() {
    Fixture run = new Fixture(Fixture.fixed("n COUNT"));
    Fixture.Event event = run.event("e1", "k", "10:00:00", null);
    event.accept();
    event.mark(CellFlag.CONTESTED);
    event.mark(CellFlag.INCOMPLETE);
    run.record("k", "10:00:00", "n=2");
    assertThat(run.fold().findings.get(0).hints()).containsExactly("CONTESTED", "INCOMPLETE");
  }

  @Test
  void whatCannotBePlacedIsNotJudged() {
    // C37: a start without a zone
    Fixture run = new Fixture(Fixture.fixed("n COUNT"));
    run.event("e1", "k", "10:00:00", null).accept();
    run.record("k", "10:00:00", "n=1");
    run.send(run.cell("k", new OptionalTime(Fixture.at("10:00:00"), false), null, "n=2"));
    run.send(run.cell("k", OptionalTime.ABSENT, null, "n=2"));
    run.send(run.cell(null, TEN, null, "n=2"));
    run.event("e2", "l", "10:00:00", null).accept();
    run.record("l", "10:00:00", "other=1");
    assertThat(run.fold().findings).isEmpty();
    assertThat(run.counts)
        .containsEntry("UNEXPECTED_WINDOW: window_start without a zone", 1)
        .containsEntry("UNEXPECTED_WINDOW: no window_start", 1)
        .containsEntry("UNEXPECTED_WINDOW: no business_key", 1)
        .containsEntry("PROJECTION_DRIFT: no values recorded", 1);
  }

  /** A row may be of any window then, so that none of the key is known to be missing. */
  @Test
  void besidesACellThatCannotBePlacedNoneIsMissing() {
    Fixture run = c36();
    run.event("e4", "other", "10:00:00", "1").accept();
    run.send(run.cell("k", new OptionalTime(Fixture.at("10:00:00"), false), null, "count=2"));
    run.record("k", "10:10:00", "count=2");

    assertThat(run.fold().found())
        .containsExactlyInAnyOrder(
            "PROJECTION_DRIFT " + subject("k", "10:10:00") + " {\"count\":1} {\"count\":2} []",
            "MISSING_WINDOW "
                + subject("other", "10:00:00")
                + " {\"count\":1,\"sum\":\"1\"} {} []");
    assertThat(run.counts)
        .containsEntry("MISSING_WINDOW: a recorded cell of its key may be of any window", 1);
  }

  /** Equal rows at two places are one; what differs in anything is another. */
  @Test
  void copiesCountOnceWhereverTheyStand() {
    Fixture run = new Fixture(Fixture.fixed("n COUNT"));
    run.event("e1", "k", "10:00:00", null).accept();
    RecordedCell one = run.cell("k", TEN, List.of("e1"), "n=1");
    RecordedCell other = withValues(one, run.cell("k", TEN, List.of("e1"), "n=2"));
    RecordedCell unplaced = run.cell("k", new OptionalTime(Fixture.at("09:00:00"), false), null);
    for (int copy = 0; copy < 3; copy++) {
      long position = 100L + copy;
      run.send(at(position, one));
      run.send(at(position + 10, other));
      run.send(at(position + 20, unplaced));
    }

    assertThat(run.fold().counts)
        .containsEntry("recorded", 3)
        .containsEntry("recorded copy", 6)
        .containsEntry("UNEXPECTED_WINDOW: window_start without a zone", 1);
    assertThat(run.findings)
        .filteredOn(finding -> finding.kind() == Kind.NON_DETERMINISTIC_PROJECTION)
        .extracting(Finding::occurrences)
        .containsExactly(1L);
  }

  /** Of two rows that were computed at one time, the contents tell which is the cell. */
  @Test
  void whereRowsStandDoesNotTellWhichIsTheCell() {
    for (boolean swapped : new boolean[] {false, true}) {
      Fixture run = new Fixture(Fixture.fixed("n COUNT"));
      run.event("e1", "k", "10:00:00", null).accept();
      RecordedCell one = run.cell("k", TEN, null, "n=1");
      RecordedCell other = withValues(one, run.cell("k", TEN, null, "n=2"));
      run.send(at(swapped ? 2 : 1, one));
      run.send(at(swapped ? 1 : 2, other));

      assertThat(run.fold().found())
          .as("swapped: %s", swapped)
          .containsExactly(
              "PROJECTION_DRIFT " + subject("k", "10:00:00") + " {\"n\":1} {\"n\":2} []");
    }
  }

  private static RecordedCell at(long position, RecordedCell cell) {
    return new RecordedCell(
        cell.projection(),
        cell.version(),
        cell.businessKey(),
        cell.windowStart(),
        cell.windowEnd(),
        cell.values(),
        cell.eventIds(),
        cell.outputHash(),
        cell.replayId(),
        cell.computedAt(),
        new Place(Input.PROJECTIONS.ordinal(), 0, 0, position, 0));
  }

  private static RecordedCell withValues(RecordedCell cell, RecordedCell values) {
    return new RecordedCell(
        cell.projection(),
        cell.version(),
        cell.businessKey(),
        cell.windowStart(),
        cell.windowEnd(),
        values.values(),
        cell.eventIds(),
        cell.outputHash(),
        cell.replayId(),
        cell.computedAt(),
        values.place());
  }

  @Test
  void aSessionIsComparedByItsStartAndEnd() {
    Fixture run =
        new Fixture(Fixture.windowed(new WindowRule.Session(Duration.ofMinutes(10)), "n COUNT"));
    run.event("e1", "k", "10:00:00", null).accept();
    run.event("e2", "k", "10:05:00", null).accept();
    run.record("k", "10:00:00", "n=2");
    run.record("k", "10:05:00", "n=1");
    assertThat(run.fold().found())
        .containsExactly("UNEXPECTED_WINDOW " + subject("k", "10:05:00") + " {} {\"n\":\"1\"} []");
  }

  @Test
  void eventsThatTheCellDoesNotHaveAreNamed() {
    Fixture run = new Fixture(Fixture.fixed("n COUNT"));
    run.event("e1", "k", "10:00:00", null).accept();
    run.event("e2", "k", "10:00:00", null).accept();
    run.event("e3", "k", "10:00:00", null).accept();
    run.send(
        run.cell(
            "k",
            TEN,
            List.of("S/e1", "{\"source\":\"S\",\"source_event_id\":\"e2\"}", "e9", "e8"),
            "n=4"));
    assertThat(run.fold().found().get(0))
        .contains("{\"event_ids\":[\"e3\"],\"n\":3} {\"event_ids\":[\"e8\",\"e9\"],\"n\":4}");
  }

  @Test
  void ofManyEventsOnlyWhatIsSureIsNamed() {
    Fixture run = new Fixture(Fixture.fixed("n COUNT"));
    for (int i = 0; i < PartialCell.MAX_EVENTS + 1; i++) {
      run.event("e" + (1_000_000 + i), "k", "10:00:00", null).accept();
    }
    run.send(run.cell("k", TEN, List.of("e9"), "n=1"));
    run.fold();
    assertThat(run.findings.get(0).expected()).contains("\"e1000000\"").contains("\"n\":1001");
    assertThat(run.findings.get(0).actual()).isEqualTo("{\"n\":1}");
  }

  private static RecordedCell output(
      String version, String events, String hash, String value, int second) {
    return new RecordedCell(
        "p",
        version,
        null,
        OptionalTime.ABSENT,
        OptionalTime.ABSENT,
        value == null ? ImmutableSortedMap.of() : ImmutableSortedMap.of("value", value),
        events == null ? null : RecordedCell.ids(List.of(events.split(",", -1))),
        hash,
        null,
        Fixture.at("10:00:00").plusSeconds(second),
        new Place(Input.PROJECTIONS.ordinal(), 0, 0, second, 0));
  }

  @Test
  void oneVersionMayNotMakeAnotherOutputOfTheSameEvents() {
    // C35: the versions need not be configured
    Fixture run = new Fixture();
    run.send(output("3", "S/e1", "q1", null, 1));
    run.send(output("3", "S/e1", "q2", null, 2));
    run.send(output("4", "S/e1", "q3", null, 3));
    run.send(output("3", "S/e2", "q9", null, 4));
    run.send(output("3", "S/e1", "q1", null, 5));
    run.fold();
    assertThat(run.found())
        .containsExactly(
            "NON_DETERMINISTIC_PROJECTION {\"business_key\":null,\"projection\":\"p\","
                + "\"version\":\"3\",\"window_start\":null}"
                + " {\"event_ids\":[\"S/e1\"],\"output_hash\":\"q1\",\"replay_id\":null}"
                + " {\"event_ids\":[\"S/e1\"],\"output_hash\":\"q2\",\"replay_id\":null} []");
    assertThat(run.findings.get(0).evidence()).hasSize(2);
    assertThat(run.counts).containsEntry("judged NON_DETERMINISTIC_PROJECTION", 2);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      quoteCharacter = '~',
      value = {
        // ids, hash, value of one; of the other; findings
        "a, q, 1, a, q, 2, 0",
        "a, q, 1, a, r, 1, 1",
        "a, -, 1, a, r, 1.0, 0",
        "a, -, 1, a, -, \"1.0\", 0",
        "a, -, 1, a, -, 2, 1",
        "a, q, -, a, -, 2, 0",
        "-, q, 1, -, r, 2, 0",
        "a, q, 1, b, r, 2, 0",
      })
  void outputsAreComparedByHashElseByValue(
      String ids, String hash, String value, String ids2, String hash2, String value2, int found) {
    Fixture run = new Fixture();
    run.send(output("1", ids, hash, value, 1));
    run.send(output("1", ids2, hash2, value2, 2));
    assertThat(run.fold().findings).hasSize(found);
  }

  @Test
  void rowsAreReadByTheirColumns() throws MalformedCellException {
    ProjectionRule rule = Fixture.fixed("n COUNT", "sum SUM /v");
    Layout layout =
        Layout.of(
            Input.PROJECTIONS,
            List.of(
                "business_key",
                "event_ids",
                "n",
                "output_hash",
                "projection",
                "projection_version",
                "values",
                "window_start"));
    RecordedCells reader = new RecordedCells(layout, ImmutableList.of(rule), Limits.DEFAULT.json());
    Object[] values = new Object[layout.columns().size()];
    values[layout.indexOf("projection")] = "p";
    values[layout.indexOf("projection_version")] = "1";
    values[layout.indexOf("business_key")] = "k";
    values[layout.indexOf("window_start")] = Fixture.at("10:00:00");
    values[layout.indexOf("n")] = "2";
    values[layout.indexOf("values")] =
        new Payload("{\"sum\": 2.50, \"x\": null}".getBytes(StandardCharsets.UTF_8), true);
    values[layout.indexOf("event_ids")] = "[\"b\", 7, \"a\", \"a\", null]";
    Place place = new Place(4, 0, 0, 0, 0);
    RecordedCell cell = reader.read(new Row(values, place, null));
    assertThat(reader.rule(cell)).isZero();
    assertThat(cell.values())
        .containsExactly(
            Map.entry("n", "\"2\""), Map.entry("sum", "25e-1"), Map.entry("x", "null"));
    assertThat(cell.eventIds()).containsExactly("7", "a", "b");
    assertThat(cell.windowStart()).isEqualTo(TEN);

    values[layout.indexOf("event_ids")] = "S/e1";
    assertThat(reader.read(new Row(values, place, null)).eventIds()).containsExactly("S/e1");
    values[layout.indexOf("event_ids")] = "[\"a\"";
    assertThatThrownBy(() -> reader.read(new Row(values, place, null)))
        .isInstanceOf(MalformedCellException.class)
        .hasMessageStartingWith("event_ids is not JSON");
    values[layout.indexOf("values")] = new Payload("[]".getBytes(StandardCharsets.UTF_8), true);
    assertThatThrownBy(() -> reader.read(new Row(values, place, null)))
        .hasMessage("values is no JSON object");
    values[layout.indexOf("projection_version")] = "2";
    values[layout.indexOf("values")] = null;
    values[layout.indexOf("event_ids")] = null;
    RecordedCell unknown = reader.read(new Row(values, place, null));
    assertThat(reader.rule(unknown)).isEqualTo(-1);
    assertThat(unknown.eventIds()).isNull();
  }
}
