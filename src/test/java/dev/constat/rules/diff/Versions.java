package dev.constat.rules.diff;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.projection.Cell;
import dev.constat.rules.projection.CellFold;
import dev.constat.rules.projection.CellLedger;
import dev.constat.rules.projection.CellSink;
import dev.constat.rules.projection.EventOrder;
import dev.constat.rules.projection.PartialCells;
import dev.constat.rules.projection.ProjectedEvent;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.projection.Window;
import dev.constat.rules.spec.FieldRef;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Versions of a projection over some events: makes their cells and compares them. */
final class Versions {

  private static final String DAY = "2026-01-05T";

  private final RunSpec spec;
  private final ImmutableList<Projector> projectors;
  private final Tally tally = new Tally();
  private final List<Sent> cellRecords = new ArrayList<>();
  private final List<Sent> records = new ArrayList<>();
  private final DiffRecords differences;
  private final PartialCells cells;

  /** A record on its way. */
  private record Sent(byte[] group, byte[] order, int kind, byte[] body) {

    KeyReader orderReader() {
      return new KeyReader(order, 0, order.length);
    }

    KeyReader bodyReader() {
      return new KeyReader(body, 0, body.length);
    }
  }

  private Versions(RunSpec spec) {
    this.spec = spec;
    this.projectors = Projector.all(spec.projections());
    this.differences = new DiffRecords(spec, into(records));
    this.cells =
        new PartialCells(
            projectors,
            new PartialCells.Limits(1_000, 1 << 20),
            sequence -> false,
            rule -> false,
            into(cellRecords));
  }

  /** Versions by what a run spec says of each. */
  static Versions of(List<String> versions) {
    StringBuilder text = new StringBuilder("constat: 1\narchives: {events: {files: e}}\n");
    text.append("projections:\n  name: p\n  versions:\n");
    versions.forEach(version -> text.append("    - {").append(version).append("}\n"));
    RunSpec spec = RunSpecParser.parse(text.toString(), "constat.yaml", "folder");
    return new Versions(spec.rebuilding("p", List.of()));
  }

  private static CellSink into(List<Sent> sent) {
    return (group, order, kind, body) ->
        sent.add(new Sent(group.toBytes(), order.toBytes(), kind, body.toBytes()));
  }

  /**
   * An event; its watermark says how late it is.
   *
   * @param occurred time of day
   * @param watermark time of day, or null
   * @param values by pointer, and of keys by their name: canonical JSON, texts of keys as they are
   */
  ProjectedEvent event(String id, String occurred, String watermark, Map<String, String> values) {
    List<String> projected = new ArrayList<>();
    spec.projectedFields().pointers().forEach(pointer -> projected.add(values.get(pointer)));
    for (FieldRef key : spec.projectedFields().keys()) {
      projected.add(values.get(key.text()));
    }
    return new ProjectedEvent(
        "s",
        id,
        at(occurred),
        watermark == null ? null : at(watermark),
        EventOrder.at(at(occurred)),
        true,
        true,
        false,
        false,
        projected,
        new Place(0, 0, 0, 0, 0));
  }

  private static Instant at(String time) {
    return Instant.parse(DAY + time + ":00Z");
  }

  /** Adds an event of which corrections leave the same in all versions, or this in each. */
  Versions add(ProjectedEvent event, Hold... holds) {
    differences.event(event, event.order(), rule -> hold(holds, rule));
    for (int rule = 0; rule < projectors.size(); rule++) {
      cells.outcomes(rule, event);
      switch (hold(holds, rule)) {
        case IN_TIME -> cells.contribute(rule, event, event.order());
        case EVERYWHERE -> cells.contributeEverywhere(rule, event, event.order());
        case TOO_LATE, NOT_IN_FORCE -> {
          // adds nothing
        }
      }
    }
    return this;
  }

  private static Hold hold(Hold[] holds, int rule) {
    return holds.length == 0 ? Hold.IN_TIME : holds[rule];
  }

  Tally tally() {
    return tally;
  }

  /** The rows, each as short text. */
  List<String> differences() {
    List<String> shown = new ArrayList<>();
    rows().forEach(row -> shown.add(show(row)));
    return shown;
  }

  /** The rows. */
  List<Object[]> rows() {
    cells.flush();
    CellFold cellFold = new CellFold(projectors, (sequence, start, end) -> false, new Cells());
    groups(cellRecords)
        .forEach(
            group -> {
              cellFold.begin(new KeyReader(group.get(0).group));
              group.forEach(r -> cellFold.next(r.kind, r.orderReader(), r.bodyReader()));
              cellFold.end();
            });
    List<Object[]> rows = new ArrayList<>();
    DiffFold fold = new DiffFold(spec.projections(), tally, rows::add);
    SessionPlaces places = new SessionPlaces(spec.projections());
    for (List<Sent> group : groups(records)) {
      fold.begin(new KeyReader(group.get(0).group));
      List<Sent> placed = new ArrayList<>();
      places.begin();
      KeyWriter order = new KeyWriter();
      for (Sent record : group) {
        if (places.place(record.kind, record.order, 0, record.order.length, order)) {
          placed.add(new Sent(record.group, order.toBytes(), record.kind, record.body));
        }
      }
      placed.sort((a, b) -> Arrays.compareUnsigned(a.order, b.order));
      placed.forEach(r -> fold.next(r.kind, r.orderReader(), r.bodyReader()));
      fold.end();
    }
    return rows;
  }

  private static List<List<Sent>> groups(List<Sent> records) {
    records.sort(
        (a, b) -> {
          int byGroup = Arrays.compareUnsigned(a.group, b.group);
          return byGroup != 0 ? byGroup : Arrays.compareUnsigned(a.order, b.order);
        });
    List<List<Sent>> groups = new ArrayList<>();
    for (Sent record : records) {
      if (groups.isEmpty()
          || !Arrays.equals(groups.get(groups.size() - 1).get(0).group, record.group)) {
        groups.add(new ArrayList<>());
      }
      groups.get(groups.size() - 1).add(record);
    }
    return groups;
  }

  private static String show(Object[] row) {
    return "%s %s %s..%s %s: %s | %s %s %s %s"
        .formatted(
            row[2],
            row[3],
            time(row[4]),
            time(row[5]),
            row[6],
            row[7],
            row[8],
            row[9],
            row[10],
            row[11]);
  }

  private static String time(Object instant) {
    return instant == null ? "" : instant.toString().substring(DAY.length(), DAY.length() + 5);
  }

  /** Hands cells on; nothing is recorded. */
  private final class Cells implements CellLedger {

    @Override
    public void cell(Cell cell, Object[] row) {
      differences.cell(cell.rule(), row);
    }

    @Override
    public void recorded(boolean copy) {
      // nothing is
    }

    @Override
    public void outcomes(int rule, long onTime, long refined, long tooLate) {
      // not asked for
    }

    @Override
    public boolean comparesRecorded(int rule) {
      return false;
    }

    @Override
    public boolean settled(Kind check, Window window, Instant time) {
      return false;
    }

    @Override
    public void judged(Kind check) {
      // not asked for
    }

    @Override
    public void notJudged(Kind check, String reason) {
      // not asked for
    }

    @Override
    public void finding(Finding finding) {
      throw new AssertionError(finding);
    }
  }
}
