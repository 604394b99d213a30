package dev.constat.pipelines.archive;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.Format;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import dev.constat.rules.spec.RunSpecParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** An archive of a test, and what reading it told. */
final class Reading implements RowSink {

  private final Input input;
  private final Layout layout;
  private ImmutableMap<String, String> columns = ImmutableMap.of();
  private ImmutableMap<String, String> constants = ImmutableMap.of();
  private ImmutableMap<String, String> values = ImmutableMap.of();
  private Format format;
  private Archive given;
  private TimeUnit timeUnit;
  private ZoneId zone;
  private Limits limits = Limits.DEFAULT;
  private long lineBytes = SplitPlanner.LINE_BYTES;

  final List<Row> rows = new ArrayList<>();
  final List<Unreadable> unreadable = new ArrayList<>();
  final List<Place> undecided = new ArrayList<>();
  final List<String> unzoned = new ArrayList<>();
  final TreeSet<String> unknownColumns = new TreeSet<>();
  final TreeSet<String> notes = new TreeSet<>();
  final TreeMap<Integer, Integer> lines = new TreeMap<>();
  final List<Split> splits = new ArrayList<>();

  private Reading(Input input, String... named) {
    this.input = input;
    this.layout = Layout.of(input, List.of(named));
  }

  static Reading events(String... named) {
    return new Reading(Input.EVENTS, named);
  }

  static Reading of(Input input) {
    return new Reading(input);
  }

  Reading columns(Map<String, String> map) {
    columns = ImmutableMap.copyOf(map);
    return this;
  }

  Reading constants(Map<String, String> map) {
    constants = ImmutableMap.copyOf(map);
    return this;
  }

  Reading values(Map<String, String> map) {
    values = ImmutableMap.copyOf(map);
    return this;
  }

  /** An archive as a run spec gives it. */
  Reading as(Archive archive) {
    given = archive;
    return this;
  }

  Reading format(Format declared) {
    format = declared;
    return this;
  }

  Reading timeUnit(TimeUnit unit) {
    timeUnit = unit;
    return this;
  }

  Reading zone(String id) {
    zone = ZoneId.of(id);
    return this;
  }

  Reading splitEvery(long bytes) {
    lineBytes = bytes;
    return this;
  }

  /** Limits as a run spec gives them: {@code "nesting: 5"}. */
  Reading limits(String keys) {
    String text = "{constat: 1, archives: {events: {files: x}}, limits: {" + keys + "}}";
    limits = RunSpecParser.parse(text, "constat.yaml", "test").limits();
    return this;
  }

  Limits limits() {
    return limits;
  }

  /** Lists, plans and reads the files of a pattern, in order. */
  Reading read(Path folder, String pattern) throws IOException {
    Archive archive = archive(pattern);
    for (ArchiveFile file : ArchiveListing.of(input, archive, folder).files()) {
      SplitPlanner planner = SplitPlanner.create().withLimits(limits).withLineBytes(lineBytes);
      for (Split split : planner.plan(file, layout, archive, this)) {
        splits.add(split);
        new ArchiveReader(limits).read(split, layout, archive, this);
      }
    }
    return this;
  }

  Archive archive(String pattern) {
    if (given != null) {
      return given;
    }
    return new Archive(
        ImmutableList.of(pattern),
        null,
        format,
        columns,
        constants,
        timeUnit,
        zone,
        null,
        null,
        null,
        false,
        false,
        values);
  }

  /** The values of a column in all rows. */
  List<Object> column(String name) {
    int column = layout.indexOf(name);
    return rows.stream().map(row -> row.values()[column]).toList();
  }

  /** The payloads of all rows as text. */
  List<String> payloads() {
    int column = layout.indexOf("payload");
    return rows.stream().map(row -> text(row.payload(column))).toList();
  }

  static String text(Payload payload) {
    return payload == null ? null : new String(payload.bytes(), StandardCharsets.UTF_8);
  }

  /** The values and offsets of all rows, comparable whatever the splits. */
  List<String> content() {
    return rows.stream().map(this::content).toList();
  }

  private String content(Row row) {
    StringBuilder content = new StringBuilder().append(row.place().position());
    for (Object value : row.values()) {
      content.append('|').append(value instanceof Payload payload ? text(payload) : value);
    }
    return content.append('|').append(row.occurredAsReceived()).toString();
  }

  List<String> problems() {
    return unreadable.stream().map(Unreadable::problem).toList();
  }

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
    undecided.add(place);
  }

  @Override
  public void unzoned(String column, Place place, boolean required) {
    unzoned.add(column + " at " + place.position() + (required ? " required" : " optional"));
  }

  @Override
  public void unknownColumn(String name) {
    unknownColumns.add(name);
  }

  @Override
  public void note(String note) {
    notes.add(note);
  }

  @Override
  public void lines(int part, int count) {
    lines.put(part, count);
  }
}
