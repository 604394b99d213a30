package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.UnsignedBytes;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.spec.Aggregate;
import dev.constat.rules.spec.FieldRef;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.WindowRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * A run of projections without a runner: events and recorded cells go in, records are sorted as the
 * stages do, and rows, findings and counts come out.
 */
final class Fixture implements CellLedger {

  static final FieldRef KEY = FieldRef.parse("business_key");

  /** A record on its way. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  private record Sent(byte[] group, byte[] order, int kind, byte[] body) {}

  private static final Comparator<byte[]> BYTES = UnsignedBytes.lexicographicalComparator();

  final ImmutableList<ProjectionRule> rules;
  final ImmutableList<Projector> projectors;
  final PartialCells cells;
  final List<Object[]> rows = new ArrayList<>();
  final List<Finding> findings = new ArrayList<>();
  final TreeMap<String, Integer> counts = new TreeMap<>();
  private final List<Sent> sent = new ArrayList<>();
  private Instant settledUntil = Instant.MAX;
  private Gaps gaps = Gaps.NONE;
  private int places;

  Fixture(ProjectionRule... rules) {
    this(new PartialCells.Limits(1_000, 1_000_000), name -> true, rule -> true, rules);
  }

  Fixture(
      PartialCells.Limits limits,
      Predicate<String> sequences,
      IntPredicate provenance,
      ProjectionRule... rules) {
    this.rules = ImmutableList.copyOf(rules);
    this.projectors = Projector.all(this.rules);
    this.cells =
        new PartialCells(
            projectors,
            limits,
            sequences,
            provenance,
            (group, order, kind, body) ->
                sent.add(new Sent(group.toBytes(), order.toBytes(), kind, body.toBytes())));
  }

  static ProjectionRule windowed(WindowRule window, String... aggregates) {
    ImmutableMap.Builder<String, Aggregate> columns = ImmutableMap.builder();
    for (String aggregate : aggregates) {
      String[] parts = aggregate.split(" ", -1);
      Aggregate.Function function = Aggregate.Function.valueOf(parts[1]);
      columns.put(parts[0], new Aggregate(function, parts.length == 2 ? "" : parts[2]));
    }
    return new ProjectionRule(
        "p",
        "1",
        ProjectionRule.WINDOWED,
        KEY,
        window,
        Duration.ofMinutes(5),
        columns.buildOrThrow(),
        null,
        ImmutableList.of(),
        ImmutableMap.of());
  }

  static ProjectionRule fixed(String... aggregates) {
    return windowed(new WindowRule.Fixed(Duration.ofMinutes(10)), aggregates);
  }

  static ProjectionRule current(String pointer) {
    return new ProjectionRule(
        "p",
        "1",
        ProjectionRule.CURRENT,
        KEY,
        null,
        Duration.ZERO,
        ImmutableMap.of(),
        pointer,
        ImmutableList.of(),
        ImmutableMap.of());
  }

  static ProjectionRule longestGap() {
    return new ProjectionRule(
        "p",
        "1",
        "longest-gap",
        KEY,
        null,
        Duration.ZERO,
        ImmutableMap.of(),
        null,
        ImmutableList.of("/v"),
        ImmutableMap.of("of", "/v"));
  }

  static Instant at(String text) {
    return Instant.parse((text.indexOf('T') < 0 ? "2026-01-05T" + text : text) + "Z");
  }

  Fixture settledUntil(String time) {
    settledUntil = at(time);
    return this;
  }

  Fixture gaps(Gaps value) {
    gaps = value;
    return this;
  }

  /** An event with the value of /v; every rule of the fixture looks at /v or at nothing. */
  Event event(String id, String key, String occurredAt, String value) {
    return new Event(id, key, at(occurredAt), value);
  }

  /** An event to be, as cases.md leaves fields out. */
  final class Event {

    private final String id;
    private final String key;
    private final String value;
    private EventOrder order;
    private Instant watermark;
    private boolean fit = true;
    private boolean withdrawn;

    private Event(String id, String key, Instant occurredAt, String value) {
      this.id = id;
      this.key = key;
      this.value = value;
      this.order = EventOrder.at(occurredAt);
    }

    Event sequence(String name, long number) {
      order = new EventOrder(name, 0, number, order.occurredAt());
      return this;
    }

    Event watermark(String time) {
      watermark = at(time);
      return this;
    }

    Event unfit() {
      fit = false;
      return this;
    }

    Event withdrawn() {
      withdrawn = true;
      return this;
    }

    ProjectedEvent get() {
      boolean hasPointer = projectors.get(0).rule().kind().equals(ProjectionRule.CURRENT);
      hasPointer |= !rules.get(0).fields().isEmpty();
      for (Aggregate aggregate : rules.get(0).aggregates().values()) {
        hasPointer |= aggregate.function() != Aggregate.Function.COUNT;
      }
      return new ProjectedEvent(
          "S",
          "{\"source\":\"S\",\"source_event_id\":\"" + id + "\"}",
          order.occurredAt().plusSeconds(1),
          watermark,
          order,
          fit,
          fit,
          false,
          withdrawn,
          hasPointer ? Arrays.asList(value, key) : Arrays.asList(key),
          place(Input.EVENTS));
    }

    /** Accepted and in force. */
    void accept() {
      for (Placement placement : cells.accept(0, get())) {
        count(placement.outcome().name());
      }
    }

    /** Accepted, and its contribution is not in force. */
    void acceptWithout() {
      cells.outcomes(0, get());
    }

    void mark(CellFlag flag) {
      cells.mark(0, get(), flag);
    }
  }

  private Place place(Input input) {
    return new Place(input.ordinal(), 0, 0, places++, 0);
  }

  /** A recorded cell; values as "name=json". */
  RecordedCell cell(String key, OptionalTime start, List<String> events, String... values) {
    ImmutableSortedMap.Builder<String, String> byName = ImmutableSortedMap.naturalOrder();
    for (String value : values) {
      int equals = value.indexOf('=');
      byName.put(value.substring(0, equals), value.substring(equals + 1));
    }
    return new RecordedCell(
        "p",
        "1",
        key,
        start,
        OptionalTime.ABSENT,
        byName.buildOrThrow(),
        events == null ? null : RecordedCell.ids(events),
        null,
        null,
        at("11:00:00").plusSeconds(places),
        place(Input.PROJECTIONS));
  }

  void record(String key, String start, String... values) {
    send(cell(key, start == null ? OptionalTime.ABSENT : OptionalTime.at(at(start)), null, values));
  }

  void send(RecordedCell cell) {
    RecordedCell read = RecordedCell.read(reader(cell));
    new RecordedCells(Layout.of(Input.PROJECTIONS, List.of()), rules, Limits.DEFAULT.json())
        .append(
            read,
            (group, order, kind, body) ->
                sent.add(new Sent(group.toBytes(), order.toBytes(), kind, body.toBytes())));
  }

  private static KeyReader reader(RecordedCell cell) {
    KeyWriter out = new KeyWriter();
    cell.write(out);
    return new KeyReader(out.toBytes());
  }

  /** Folds everything sent; returns itself. */
  Fixture fold() {
    cells.flush();
    sent.sort(
        Comparator.comparing(Sent::group, BYTES)
            .thenComparing(Sent::order, BYTES)
            .thenComparingInt(Sent::kind)
            .thenComparing(Sent::body, BYTES));
    CellFold fold = new CellFold(projectors, gaps, this);
    byte[] group = null;
    for (Sent record : sent) {
      if (group == null || !Arrays.equals(group, record.group)) {
        if (group != null) {
          fold.end();
        }
        group = record.group;
        fold.begin(new KeyReader(group));
      }
      fold.next(record.kind, new KeyReader(record.order), new KeyReader(record.body));
    }
    if (group != null) {
      fold.end();
    }
    sent.clear();
    return this;
  }

  /** The rows, each as text without times' date. */
  List<String> table() {
    return rows.stream()
        .map(row -> Arrays.toString(row).replace("2026-01-05T", "").replace("Z", ""))
        .toList();
  }

  /** The findings as "KIND key start expected actual hints". */
  List<String> found() {
    return findings.stream()
        .map(
            finding ->
                String.join(
                    " ",
                    finding.kind().name(),
                    finding.subject(),
                    finding.expected(),
                    finding.actual(),
                    finding.hints().toString()))
        .toList();
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  @Override
  public void cell(Cell cell, Object[] row) {
    rows.add(row);
  }

  @Override
  public void outcomes(int rule, long onTime, long refined, long tooLate) {
    // the counts of cells are looked at
  }

  @Override
  public void recorded(boolean copy) {
    count(copy ? "recorded copy" : "recorded");
  }

  @Override
  public boolean comparesRecorded(int rule) {
    return true;
  }

  @Override
  public boolean settled(Kind check, Window window, Instant time) {
    boolean settled = time == null || !time.isAfter(settledUntil);
    count((settled ? "judged " : "in flight ") + check.name());
    return settled;
  }

  @Override
  public void judged(Kind check) {
    count("judged " + check.name());
  }

  @Override
  public void notJudged(Kind check, String reason) {
    count(check.name() + ": " + reason);
  }

  @Override
  public void finding(Finding finding) {
    findings.add(finding);
  }
}
