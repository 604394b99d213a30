package dev.constat.rules.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.spec.RunSpec.Archive;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowBuilderTest {

  private static final Layout LAYOUT = Layout.of(Input.EVENTS, ImmutableList.of());
  private static final Place PLACE = new Place(0, 0, 0, 0, 0);

  private final Told told = new Told();

  private RowBuilder builder(Map<String, String> constants) {
    return new RowBuilder(LAYOUT, archive(constants), told);
  }

  private static Archive archive(Map<String, String> constants) {
    return new Archive(
        ImmutableList.of("x"),
        null,
        null,
        ImmutableMap.of(),
        ImmutableMap.copyOf(constants),
        null,
        null,
        null,
        null,
        null,
        false,
        false,
        ImmutableMap.of());
  }

  private static void give(RowBuilder rows, String... columnsAndTexts) {
    rows.begin();
    for (int i = 0; i < columnsAndTexts.length; i += 2) {
      rows.text(LAYOUT.indexOf(columnsAndTexts[i]), columnsAndTexts[i + 1]);
    }
    rows.end(PLACE);
  }

  private static void giveEvent(RowBuilder rows, String occurredAt, String receivedAt) {
    give(
        rows,
        "ingestion_id",
        "i1",
        "source",
        "S",
        "occurred_at",
        occurredAt,
        "received_at",
        receivedAt);
  }

  @Test
  void keepsTheLiteralOfAnOccurredAtBeyondNanoseconds() {
    RowBuilder rows = builder(Map.of());
    giveEvent(rows, "+472976-06-15T20:09:57.269Z", "2026-01-05T10:00:01Z");
    giveEvent(rows, "2262-04-11T23:47:16.854775807Z", "2026-01-05T10:00:01Z");
    giveEvent(rows, "2262-04-11T23:47:16.854775808Z", "2026-01-05T10:00:01Z");
    giveEvent(rows, "1677-09-21T00:12:43.145224192Z", "2026-01-05T10:00:01Z");
    giveEvent(rows, "1677-09-21T00:12:43.145224191Z", "2026-01-05T10:00:01Z");

    assertThat(told.rows)
        .extracting(Row::occurredAsReceived)
        .containsExactly(
            "+472976-06-15T20:09:57.269Z",
            null,
            "2262-04-11T23:47:16.854775808Z",
            null,
            "1677-09-21T00:12:43.145224191Z");
  }

  @Test
  void aRequiredTimeWithoutZoneLeavesTheRecordUndecided() {
    giveEvent(builder(Map.of()), "2026-01-05T10:00:00", "2026-01-05 10:00:01");

    assertThat(told.rows).isEmpty();
    assertThat(told.other)
        .containsExactly(
            "unzoned occurred_at required", "unzoned received_at required", "undecided");
  }

  @Test
  void anOptionalTimeWithoutZoneStaysInItsRow() {
    RowBuilder rows = builder(Map.of());
    give(
        rows,
        "ingestion_id",
        "i1",
        "source",
        "S",
        "occurred_at",
        "2026-01-05T10:00:00Z",
        "received_at",
        "2026-01-05T10:00:00Z",
        "supersedes_occurred_at",
        "2026-01-05T10:00:00");

    assertThat(told.other).containsExactly("unzoned supersedes_occurred_at optional");
    assertThat(told.rows).hasSize(1);
    assertThat(told.rows.get(0).unzoned(LAYOUT.indexOf("supersedes_occurred_at"))).isNotNull();
  }

  @Test
  void tellsTheProblemOfTheFirstColumn() {
    RowBuilder rows = builder(Map.of());
    give(rows, "received_at", "soon", "source_sequence", "x", "ingestion_id", "i1");

    Unreadable unreadable = told.unreadable.get(0);
    assertThat(unreadable.column()).isEqualTo("source");
    assertThat(unreadable.problem()).isEqualTo("source is null or absent");
    assertThat(unreadable.remedy())
        .isEqualTo(
            "name its column in events with columns: {source: ...}, or give constants: {source:"
                + " ...}");
    assertThat(unreadable.value()).isNull();
    assertThat(unreadable.record()).isTrue();
  }

  @Test
  void keepsTheBytesOfTheValueAtFault() {
    RowBuilder rows = builder(Map.of("source", "S"));
    give(rows, "ingestion_id", "i1", "occurred_at", "0000-00-00T00:00:00Z");

    Unreadable unreadable = told.unreadable.get(0);
    assertThat(unreadable.problem()).isEqualTo("occurred_at has no such month");
    assertThat(unreadable.value()).isEqualTo("0000-00-00T00:00:00Z");
    assertThat(new String(unreadable.raw(), StandardCharsets.UTF_8))
        .isEqualTo("0000-00-00T00:00:00Z");
  }

  @Test
  void aConstantStandsOnlyWhereTheColumnIsMissing() {
    RowBuilder rows = builder(Map.of("partition", "p0", "source", "S"));
    give(
        rows,
        "ingestion_id",
        "i1",
        "occurred_at",
        "2026-01-05T10:00:00Z",
        "received_at",
        "2026-01-05T10:00:00Z");
    rows.begin();
    rows.text(LAYOUT.indexOf("ingestion_id"), "i2");
    rows.text(LAYOUT.indexOf("source"), "T");
    rows.nothing(LAYOUT.indexOf("partition"));
    rows.text(LAYOUT.indexOf("occurred_at"), "2026-01-05T10:00:00Z");
    rows.text(LAYOUT.indexOf("received_at"), "2026-01-05T10:00:00Z");
    rows.end(PLACE);

    int source = LAYOUT.indexOf("source");
    int partition = LAYOUT.indexOf("partition");
    assertThat(told.rows.get(0).text(source)).isEqualTo("S");
    assertThat(told.rows.get(0).text(partition)).isEqualTo("p0");
    assertThat(told.rows.get(1).text(source)).isEqualTo("T");
    assertThat(told.rows.get(1).text(partition)).isNull();
    assertThat(told.other)
        .containsExactly(
            "the constant of source is not used where the file has the column",
            "the constant of partition is not used where the file has the column");
  }

  @Test
  void constantsFollowTheRulesOfTheirColumn() {
    assertThatThrownBy(
            () -> RowBuilder.checkConstants(LAYOUT, archive(Map.of("received_at", "soon"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("constants of events: received_at is no ISO 8601 time (soon)");
    assertThatThrownBy(() -> RowBuilder.checkConstants(LAYOUT, archive(Map.of("sauce", "S"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("constants of events: there is no column sauce");
  }

  @Test
  void notesNumbersInTextOnce() {
    RowBuilder rows = builder(Map.of());
    for (int i = 0; i < 3; i++) {
      rows.begin();
      rows.number(LAYOUT.indexOf("source_event_id"), "1.0");
      rows.integer(LAYOUT.indexOf("source_sequence"), 1);
      rows.end(PLACE);
    }

    assertThat(told.other)
        .containsExactly("source_event_id holds numbers, read as the text of their literal");
  }

  @Test
  void aRecordThatIsGivenUpIsNotNoted() {
    RowBuilder rows = builder(Map.of("source", "S"));
    rows.begin();
    rows.text(LAYOUT.indexOf("source"), "T");
    rows.number(LAYOUT.indexOf("source_event_id"), "1.0");
    rows.begin();
    rows.number(LAYOUT.indexOf("source_event_id"), "2");
    rows.end(PLACE);

    assertThat(told.other)
        .containsExactly("source_event_id holds numbers, read as the text of their literal");
  }

  @Test
  void aRepeatableValueIsGivenAgain() {
    RowBuilder rows = builder(Map.of("received_at", "2026-01-05T10:00:00Z"));
    int source = LAYOUT.indexOf("source");
    int occurredAt = LAYOUT.indexOf("occurred_at");
    int receivedAt = LAYOUT.indexOf("received_at");
    rows.begin();
    rows.text(source, "S");
    rows.fail(LAYOUT.indexOf("ingestion_id"), UnreadableValue.ofNothing("a", "b"));
    rows.text(occurredAt, "+472976-06-15T20:09:57.269Z");
    assertThat(rows.repeatable(source)).isEqualTo("S");
    assertThat(rows.repeatable(occurredAt)).isNull();
    rows.text(receivedAt, "soon");
    assertThat(rows.repeatable(receivedAt)).isNull();
    rows.begin();
    rows.again(source, "S");
    assertThat(rows.repeatable(source)).isEqualTo("S");
  }

  @Test
  void recordedCellsKeepNestedValuesAsTheyStand() {
    Layout layout = Layout.of(Input.PROJECTIONS, ImmutableList.of("total", "value"));
    RowBuilder rows = new RowBuilder(layout, archive(Map.of("projection", "volume")), told);
    rows.begin();
    rows.text(layout.indexOf("window_start"), "2026-01-05T10:00:00Z");
    rows.nested(layout.indexOf("values"), "{\"n\": 1}".getBytes(StandardCharsets.UTF_8));
    rows.nested(layout.indexOf("event_ids"), "[\"e1\"]".getBytes(StandardCharsets.UTF_8));
    rows.number(layout.indexOf("total"), "1.50");
    rows.end(PLACE);
    rows.begin();
    rows.end(PLACE);

    Row row = told.rows.get(0);
    assertThat(row.text(layout.indexOf("projection"))).isEqualTo("volume");
    assertThat(row.instant(layout.indexOf("window_start")))
        .isEqualTo(Instant.parse("2026-01-05T10:00:00Z"));
    assertThat(row.payload(layout.indexOf("values")).bytes()).asString().isEqualTo("{\"n\": 1}");
    assertThat(row.payload(layout.indexOf("event_ids")).nested()).isTrue();
    assertThat(row.text(layout.indexOf("total"))).isEqualTo("1.50");
    assertThat(told.rows).hasSize(2);
    assertThat(told.unreadable).isEmpty();
  }

  /** What a builder told its sink. */
  private static final class Told implements RowSink {
    final List<Row> rows = new ArrayList<>();
    final List<Unreadable> unreadable = new ArrayList<>();
    final List<String> other = new ArrayList<>();

    @Override
    public void row(Row row) {
      rows.add(row);
    }

    @Override
    public void unreadable(Unreadable problem) {
      unreadable.add(problem);
    }

    @Override
    public void undecided(Place place) {
      other.add("undecided");
    }

    @Override
    public void unzoned(String column, Place place, boolean required) {
      other.add("unzoned " + column + (required ? " required" : " optional"));
    }

    @Override
    public void unknownColumn(String name) {
      other.add("unknown " + name);
    }

    @Override
    public void note(String note) {
      other.add(note);
    }

    @Override
    public void lines(int part, int count) {
      other.add("lines " + part + " " + count);
    }
  }
}
