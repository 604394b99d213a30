package dev.constat.transforms.stages;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.projection.ProjectionTables;
import dev.constat.rules.reconcile.Book;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.reconcile.Quarantined;
import dev.constat.rules.reconcile.ReadTally;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came of an {@link InMemoryRun}, and each part of it as sorted lines that a case can spell
 * out.
 *
 * @param tables rows by name of their table
 * @param quarantine versions that were quarantined
 * @param findings merged, in the order of reports
 * @param books closed
 * @param tally of all stages
 * @param spills how many sorted runs went to the spill space
 */
record RunOutcome(
    SortedMap<String, List<Object[]>> tables,
    List<Quarantined> quarantine,
    List<Finding> findings,
    List<Book> books,
    Tally tally,
    int spills) {

  /** Rows of {@code decisions}. */
  List<Object[]> decisions() {
    return tables.getOrDefault(Tables.DECISIONS.name(), List.of());
  }

  /** Rows of {@code effects}. */
  List<Object[]> effects() {
    return tables.getOrDefault(Tables.EFFECTS.name(), List.of());
  }

  /** {@code i3 EXACT_DUPLICATE against i1: same key and hash as i1 [HEURISTIC]}. */
  List<String> decisionLines(String withoutSource) {
    return decisions().stream()
        .filter(row -> !Objects.equals(value(Tables.DECISIONS, row, "source"), withoutSource))
        .map(RunOutcome::decisionLine)
        .sorted()
        .toList();
  }

  private static String decisionLine(Object[] row) {
    TableSchema table = Tables.DECISIONS;
    Object against = value(table, row, "against");
    Object repeats = value(table, row, "repeats");
    return value(table, row, "ingestion_id")
        + " "
        + value(table, row, "decision")
        + (against == null ? "" : " against " + against)
        + ": "
        + value(table, row, "reason")
        + (repeats.equals(0L)
            ? ""
            : "; " + repeats + " repeats, last " + value(table, row, "last_received_at"))
        + bracketed(value(table, row, "flags"));
  }

  /** {@code i1 key/1[source, source_event_id] jcs-exact/1}: the rules of key and hash. */
  List<String> ruleLines(String withoutSource) {
    TableSchema table = Tables.DECISIONS;
    return decisions().stream()
        .filter(row -> !Objects.equals(value(table, row, "source"), withoutSource))
        .map(
            row ->
                value(table, row, "ingestion_id")
                    + " "
                    + value(table, row, "rule")
                    + " "
                    + value(table, row, "hash_rule"))
        .sorted()
        .toList();
  }

  /**
   * {@code i3 LATE after 2026-01-05T10:00:00Z, moves current; p 1 2026-01-05T09:50:00Z REFINES
   * [OUT_OF_ORDER]}: how a reception stands to the watermark, whether it may move the current
   * value, what becomes of it in its windows.
   */
  List<String> timeLines(String withoutSource) {
    TableSchema table = Tables.DECISIONS;
    return decisions().stream()
        .filter(row -> !Objects.equals(value(table, row, "source"), withoutSource))
        .map(RunOutcome::timeLine)
        .sorted()
        .toList();
  }

  private static String timeLine(Object[] row) {
    TableSchema table = Tables.DECISIONS;
    Object watermark = value(table, row, "watermark");
    boolean movesCurrent = value(table, row, "moves_current").equals(true);
    StringBuilder line = new StringBuilder();
    line.append(value(table, row, "ingestion_id"))
        .append(' ')
        .append(Objects.toString(value(table, row, "timeliness"), "-"))
        .append(watermark == null ? "" : " after " + watermark)
        .append(movesCurrent ? ", moves current" : "");
    ((List<?>) value(table, row, "windows")).forEach(window -> line.append("; ").append(window));
    return line.append(bracketed(value(table, row, "flags"))).toString();
  }

  /**
   * {@code p 1 b1 2026-01-05T10:00:00Z/2026-01-05T10:10:00Z n=2 high=5, 1 on time, 1 refined
   * [INCOMPLETE]}: the cells of all projections; - where there is no window.
   */
  List<String> cellLines(RunSpec spec) {
    List<String> lines = new ArrayList<>();
    for (ProjectionRule rule : spec.projections()) {
      TableSchema table = ProjectionTables.of(rule);
      for (Object[] row : tables.getOrDefault(table.name(), List.of())) {
        lines.add(rule.name() + " " + rule.version() + " " + cellLine(table, row));
      }
    }
    lines.sort(null);
    return lines;
  }

  private static String cellLine(TableSchema table, Object[] row) {
    Object start = value(table, row, "window_start");
    Object candidates = value(table, row, "candidates");
    StringBuilder line = new StringBuilder();
    line.append(value(table, row, "business_key"))
        .append(' ')
        .append(start == null ? "-" : start + "/" + value(table, row, "window_end"));
    for (int i = 3; i < row.length - 5; i++) {
      line.append(' ').append(table.columns().get(i).name()).append('=').append(row[i]);
    }
    return line.append(counted(value(table, row, "on_time"), "on time"))
        .append(counted(value(table, row, "refined"), "refined"))
        .append(counted(value(table, row, "too_late"), "too late"))
        .append(bracketed(value(table, row, "flags")))
        .append(candidates.equals(List.of()) ? "" : " of " + candidates)
        .toString();
  }

  private static String counted(Object count, String what) {
    return count == null || count.equals(0L) ? "" : ", " + count + " " + what;
  }

  /** {@code S e1 notify o1 DISPATCHED c1 DONE key k1, 2 acks, 1 repeats}; - where there is none. */
  List<String> effectLines(String withoutSource) {
    return effects().stream()
        .filter(row -> !Objects.equals(value(Tables.EFFECTS, row, "source"), withoutSource))
        .map(RunOutcome::effectLine)
        .sorted()
        .toList();
  }

  private static String effectLine(Object[] row) {
    TableSchema table = Tables.EFFECTS;
    Object key = value(table, row, "effect_key");
    Object acks = value(table, row, "acks");
    Object repeats = value(table, row, "repeats");
    Object against = value(table, row, "against");
    return Stream.of(
                "source",
                "source_event_id",
                "effect_type",
                "outbox_id",
                "status",
                "consumer",
                "outcome")
            .map(column -> Objects.toString(value(table, row, column), "-"))
            .collect(Collectors.joining(" "))
        + (key == null ? "" : " key " + key)
        + (acks.equals(0L) ? "" : ", " + acks + " acks")
        + (repeats.equals(0L) ? "" : ", " + repeats + " repeats")
        + (against == null ? "" : ", against " + against);
  }

  /**
   * {@code acct a1 o1 notify DISPATCHED 2026-01-05T10:00:01Z/2026-01-05T10:00:09Z 8000 ms
   * DELIVERY}: heads, and how long they made the next row wait; - where they still do.
   */
  List<String> headLines() {
    return tables.getOrDefault(Tables.HEADS.name(), List.of()).stream()
        .map(RunOutcome::headLine)
        .sorted()
        .toList();
  }

  private static String headLine(Object[] row) {
    TableSchema table = Tables.HEADS;
    Object freedBy = value(table, row, "freed_by");
    return Stream.of("aggregate_type", "aggregate_id", "outbox_id", "effect_type", "status")
            .map(column -> Objects.toString(value(table, row, column), "-"))
            .collect(Collectors.joining(" "))
        + " "
        + value(table, row, "since")
        + "/"
        + Objects.toString(value(table, row, "until"), "-")
        + " "
        + value(table, row, "blocked_ms")
        + " ms"
        + (freedBy == null ? "" : " " + freedBy);
  }

  /** {@code notify aggregate: 2 delivered, 1 PRIORITY, 1 heads}: what is not 0. */
  List<String> orderLines() {
    List<String> lines = new ArrayList<>();
    for (OrderReport.OfType type : OrderReport.of(tally, false).types()) {
      StringBuilder line = new StringBuilder();
      line.append(type.effectType()).append(type.ordered() ? " aggregate: " : " none: ");
      line.append(type.delivered()).append(" delivered");
      type.overtakings().forEach((cause, count) -> line.append(counted(count, cause)));
      line.append(counted(type.priorityInversions(), "inversions"))
          .append(counted(type.heads(), "heads"))
          .append(counted(type.freedByDlq(), "dead"))
          .append(counted(type.still(), "still"));
      lines.add(line.toString());
    }
    lines.sort(null);
    return lines;
  }

  /** {@code error MISSING_ACK outbox_id=o2 consumer=c1 x1 [retention unknown]}. */
  List<String> findingLines() {
    return findings.stream().map(RunOutcome::findingLine).sorted().toList();
  }

  static String findingLine(Finding finding) {
    StringBuilder line = new StringBuilder();
    line.append(finding.level().key()).append(' ').append(finding.kind());
    ArchiveRecord.object(finding.subject())
        .properties()
        .forEach(
            member ->
                line.append(' ')
                    .append(member.getKey())
                    .append('=')
                    .append(
                        member.getValue().isArray()
                            ? member.getValue().toString()
                            : member.getValue().asText()));
    if (finding.occurrences() != 1) {
      line.append(" x").append(finding.occurrences());
    }
    return line.append(bracketed(finding.hints().asList())).toString();
  }

  /** Reasons and sides of findings: {@code DLQ: reason}, {@code DLQ actual status=DLQ}. */
  List<String> factLines() {
    List<String> lines = new ArrayList<>();
    for (Finding finding : findings) {
      lines.add(finding.kind() + ": " + finding.reason());
      addSide(lines, finding.kind() + " expected ", finding.expected());
      addSide(lines, finding.kind() + " actual ", finding.actual());
    }
    return lines;
  }

  private static void addSide(List<String> lines, String prefix, String side) {
    ArchiveRecord.object(side)
        .properties()
        .forEach(
            member -> {
              JsonNode value = member.getValue();
              String text = value.isValueNode() ? value.asText() : value.toString();
              lines.add(prefix + member.getKey() + "=" + text);
            });
  }

  /** {@code i1 accepted under identity/1}: what is quarantined, by side. */
  List<String> quarantineLines() {
    return quarantine.stream()
        .map(version -> version.ingestionId() + " " + version.side() + " under " + version.rule())
        .sorted()
        .toList();
  }

  /** {@code IN_FLIGHT MISSING_OUTBOX 1}: what is silent for its age. */
  List<String> silentLines() {
    return tally.sumsUnder(CheckTally.SILENT).entrySet().stream()
        .map(e -> e.getKey().get(1) + " " + e.getKey().get(0) + " " + e.getValue())
        .sorted()
        .toList();
  }

  /** {@code MISSING_ACK: expected consumers not configured 1}: what was not judged, and why. */
  List<String> coverageLines() {
    return tally.sumsUnder(CheckTally.NOT_JUDGED).entrySet().stream()
        .map(e -> e.getKey().get(0) + ": " + e.getKey().get(1) + " " + e.getValue())
        .sorted()
        .toList();
  }

  /** {@code events kept: EXACT_DUPLICATE 2}: every line of every book that is not 0. */
  List<String> bookLines() {
    List<String> lines = new ArrayList<>();
    for (Book book : books) {
      for (Book.Line line : book.lines()) {
        if (line.count() != 0) {
          lines.add(book.name() + ": " + line.name() + " " + line.count());
        }
      }
    }
    lines.sort(null);
    return lines;
  }

  /** Books that do not balance. */
  List<Book> unbalanced() {
    return books.stream().filter(book -> book.residue() != 0).toList();
  }

  /** What a line of the books of that name counts, all of them together. */
  long booked(String name, String line) {
    return books.stream()
        .filter(book -> book.name().matches(name))
        .flatMap(book -> book.lines().stream())
        .filter(candidate -> candidate.name().equals(line))
        .mapToLong(Book.Line::count)
        .sum();
  }

  /** How often all findings of a kind happened. */
  long occurrences(Kind kind) {
    return findings.stream()
        .filter(finding -> finding.kind() == kind)
        .mapToLong(Finding::occurrences)
        .sum();
  }

  /**
   * All that a report would show, as lines: two runs that give equal lines leave equal reports.
   *
   * @param withPlaces whether it counts where records stand
   */
  List<String> report(boolean withPlaces) {
    List<String> lines = new ArrayList<>();
    tables.forEach(
        (name, rows) ->
            rows.forEach(
                row ->
                    lines.add(
                        name
                            + " "
                            + Arrays.deepToString(withPlaces ? row : withoutPlaces(name, row)))));
    for (Quarantined version : quarantine) {
      String place = withPlaces ? " " + version.place() : "";
      lines.add("quarantined " + Arrays.deepToString(version.row(null, null)) + place);
    }
    lines.sort(null);
    findings.forEach(f -> lines.add((withPlaces ? f : withoutPlaces(f)).toString()));
    books.forEach(book -> lines.add(book.toString()));
    tally
        .sumsUnder()
        .forEach(
            (path, sum) -> {
              // Notes and unknown columns come once from each part that met them.
              if (!path.get(0).equals(CheckTally.NOTES)
                  && !path.get(0).equals(ReadTally.UNKNOWN_COLUMN)) {
                lines.add(path + " = " + sum);
              }
            });
    return lines;
  }

  /** What two reports do not share: lines of the first behind a minus, of the second a plus. */
  static List<String> differences(List<String> first, List<String> second) {
    List<String> differences = new ArrayList<>();
    List<String> onlyFirst = new ArrayList<>(first);
    for (String line : second) {
      if (!onlyFirst.remove(line)) {
        differences.add("+ " + line);
      }
    }
    onlyFirst.forEach(line -> differences.add("- " + line));
    if (differences.isEmpty() && !first.equals(second)) {
      differences.add("the order of lines");
    }
    return differences;
  }

  private static Object[] withoutPlaces(String name, Object[] row) {
    Object[] without = row.clone();
    for (TableSchema table : Tables.ALL) {
      for (int i = 0; table.name().equals(name) && i < row.length; i++) {
        String column = table.columns().get(i).name();
        if (column.endsWith("_file") || column.endsWith("_position")) {
          without[i] = null;
        }
      }
    }
    return without;
  }

  private static Finding withoutPlaces(Finding finding) {
    return new Finding(
        finding.kind(),
        finding.level(),
        finding.subject(),
        finding.sentence(),
        finding.expected(),
        finding.actual(),
        finding.rule(),
        ImmutableList.of(),
        finding.firstAt(),
        finding.lastAt(),
        finding.hints(),
        finding.occurrences());
  }

  /** A value of a row of a table. */
  static Object value(TableSchema table, Object[] row, String column) {
    for (int i = 0; i < row.length; i++) {
      if (table.columns().get(i).name().equals(column)) {
        Object value = row[i];
        if (table.columns().get(i).type() == TableSchema.Type.SENTENCE && value != null) {
          return value instanceof byte[] bytes ? Sentence.read(bytes).toString() : value.toString();
        }
        return value;
      }
    }
    throw new IllegalArgumentException("There is no column " + column);
  }

  private static String bracketed(Object list) {
    return list.equals(List.of()) ? "" : " " + list;
  }
}
