package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.holds;

import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.archive.ArchiveReader;
import dev.constat.pipelines.archive.Split;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** All that reading a file told, as lines that do not depend on how it was split. */
final class Heard implements RowSink {

  /** Columns that are told per part before they are too many to tell. */
  private static final int UNKNOWN_LIMIT = 101;

  /** One line for each record, where it stands in front: rows, and what could not be read. */
  final List<String> records = new ArrayList<>();

  /** What was told of whole files and row groups. */
  final List<String> wholes = new ArrayList<>();

  final TreeSet<String> aboutFile = new TreeSet<>();
  final List<Split> splits = new ArrayList<>();
  final Map<Split, Integer> rowsOf = new HashMap<>();
  int unknownColumns;
  long lines;
  private int rows;
  private long lastPosition = -1;

  /** Plans and reads a file. */
  static Heard of(
      ArchiveFile file, Layout layout, Archive archive, SplitPlanner planner, ArchiveReader reader)
      throws IOException {
    Heard heard = new Heard();
    for (Split split : planner.plan(file, layout, archive, heard)) {
      heard.splits.add(split);
      int before = heard.rows;
      reader.read(split, layout, archive, heard);
      heard.rowsOf.put(split, heard.rows - before);
    }
    return heard;
  }

  /** Its records without where they stand. */
  List<String> contents() {
    return records.stream().map(r -> r.substring(r.indexOf(' ') + 1)).toList();
  }

  boolean hasTooManyUnknownColumns() {
    return unknownColumns >= UNKNOWN_LIMIT;
  }

  private void record(Place place, String what) {
    holds(place.position() > lastPosition, "places do not ascend", what);
    lastPosition = place.position();
    records.add(place.position() + " " + what);
  }

  @Override
  public void row(Row row) {
    StringBuilder content = new StringBuilder("row");
    for (Object value : row.values()) {
      content
          .append('|')
          .append(
              value instanceof Payload payload
                  ? payload.nested() + new String(payload.bytes(), StandardCharsets.ISO_8859_1)
                  : value);
    }
    rows++;
    record(row.place(), content.append('|').append(row.occurredAsReceived()).toString());
  }

  @Override
  public void unreadable(Unreadable problem) {
    String text =
        problem.column()
            + "|"
            + problem.value()
            + "|"
            + problem.problem()
            + "|"
            + problem.remedy()
            + "|"
            + new String(problem.raw(), StandardCharsets.ISO_8859_1)
            + "|"
            + problem.length();
    holds(!problem.problem().isBlank() && !problem.remedy().isBlank(), "says nothing", text);
    holds(problem.raw().length <= Unreadable.RAW_LIMIT, "keeps too many raw bytes", text);
    if (problem.record()) {
      record(problem.place(), "unreadable " + text);
    } else {
      wholes.add(problem.place().position() + " " + text);
    }
  }

  @Override
  public void undecided(Place place) {
    record(place, "undecided");
  }

  @Override
  public void unzoned(String column, Place place, boolean required) {
    aboutFile.add("unzoned " + column + " at " + place.position() + " " + required);
  }

  @Override
  public void unknownColumn(String name) {
    unknownColumns++;
    aboutFile.add("unknown " + name);
  }

  @Override
  public void present(String column) {
    aboutFile.add("present " + column);
  }

  @Override
  public void note(String note) {
    aboutFile.add("note " + note);
  }

  @Override
  public void lines(int part, int count) {
    lines += count;
  }
}
