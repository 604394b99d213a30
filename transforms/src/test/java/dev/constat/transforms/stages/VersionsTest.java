package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.diff.DiffTables;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.projection.ProjectionTables;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.rules.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Versions of a projection differ where their tables do, and events explain every difference. */
final class VersionsTest {

  private static final int HISTORIES = 200;

  private static final String SPEC =
      """
      constat: 1
      archives: {events: {files: e, allow_empty: true}}
      sources: {source: "*", lateness: {budget: PT10M, version: "1"}, schema_versions: ["1"]}
      projections:
        name: p
        versions:
      """;

  private static final ImmutableList<String> VERSIONS =
      ImmutableList.of(
          "kind: windowed, window: {fixed: PT30M}",
          "kind: windowed, window: {fixed: PT30M}, allowed_lateness: PT2H",
          "kind: windowed, window: {sliding: PT1H, every: PT30M}, allowed_lateness: PT1H",
          "kind: windowed, window: {session: PT30M}",
          "kind: windowed, window: {session: PT30M}, allowed_lateness: PT2H",
          "kind: windowed, window: {session: PT1H}, allowed_lateness: PT2H");

  static LongStream seeds() {
    return LongStream.range(0, HISTORIES);
  }

  /** Three of the versions, the first of them another one each time. */
  private static RunSpec spec(long seed) {
    StringBuilder text = new StringBuilder(SPEC);
    for (int i = 0; i < 3; i++) {
      int version = (int) ((seed + i * (1 + seed / VERSIONS.size() % 2)) % VERSIONS.size());
      text.append(
          "    - {version: v%s, key: business_key, %s, aggregates: %s}\n"
              .formatted(
                  i, VERSIONS.get(version), "{n: count, sum: {sum: /v}, last: {last: /rev}}"));
    }
    return RunSpecParser.parse(text.toString(), "constat.yaml", "history")
        .rebuilding("p", List.of());
  }

  private static List<ArchiveRecord> events(long seed) {
    List<ArchiveRecord> events = new ArrayList<>();
    for (long part = 0; part < 3; part++) {
      for (ArchiveRecord record : RandomHistory.wild(seed * 3 + part)) {
        if (record.input() == Input.EVENTS) {
          ArchiveRecord copy = record.copy();
          for (String id : List.of("ingestion_id", "source_event_id", "supersedes")) {
            if (copy.text(id) != null && (part + seed) % 2 == 0) {
              copy.columns().put(id, copy.text(id) + "-" + part);
            }
          }
          events.add(copy);
        }
      }
    }
    return events;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theyDifferWhereTheirTablesDoAndEventsSayWhy(long seed) {
    RunSpec spec = spec(seed);
    RunOutcome outcome = InMemoryRun.of(spec).run(events(seed));
    TreeSet<String> differing = new TreeSet<>();
    for (ProjectionRule other : spec.projections().subList(1, 3)) {
      differing.addAll(differing(outcome, spec.projections().get(0), other));
    }
    TreeSet<String> stated = new TreeSet<>();
    for (Object[] row : rows(outcome, DiffTables.PROJECTION_DIFF)) {
      Object column = row[6];
      String a = column == null ? row[7] == null ? "none" : "cell" : String.valueOf(row[7]);
      String b = column == null ? row[8] == null ? "none" : "cell" : String.valueOf(row[8]);
      stated.add(line(row[2], row[3], row[4], row[5], column, a, b));
      explains(outcome, spec, row);
    }
    assertThat(stated).isEqualTo(differing);
  }

  /** The events that a difference names make exactly this difference, where numbers tell. */
  private static void explains(RunOutcome outcome, RunSpec spec, Object[] row) {
    long events = (Long) row[11];
    assertThat(String.valueOf(row[9]))
        .as("causes")
        .matches("\\[[a-z, ]+]")
        .doesNotContain("definition", "schema");
    assertThat(events).isPositive().isEqualTo(((List<?>) row[10]).size());
    if (row[6] == null) {
      ProjectionRule holder =
          spec.projections().stream()
              .filter(rule -> rule.version().equals(row[7] == null ? row[2] : row[1]))
              .findFirst()
              .orElseThrow();
      Object[] cell = cells(outcome, holder).get(line(row[3], row[4], row[5]));
      assertThat(events).as("events of a whole cell").isEqualTo((Long) cell[3]);
    } else if (row[6].equals("n")) {
      long difference = Math.abs(Long.parseLong((String) row[7]) - number(row[8]));
      assertThat(events).isGreaterThanOrEqualTo(difference);
      assertThat((events - difference) % 2).as("what is left cancels out").isZero();
    }
  }

  private static long number(Object value) {
    return Long.parseLong((String) value);
  }

  /** Compares two tables as they are. */
  private static TreeSet<String> differing(
      RunOutcome outcome, ProjectionRule first, ProjectionRule other) {
    TreeMap<String, Object[]> ours = cells(outcome, first);
    TreeMap<String, Object[]> theirs = cells(outcome, other);
    TreeSet<String> addresses = new TreeSet<>(ours.keySet());
    addresses.addAll(theirs.keySet());
    TreeSet<String> lines = new TreeSet<>();
    for (String address : addresses) {
      Object[] a = ours.get(address);
      Object[] b = theirs.get(address);
      if (a == null || b == null) {
        lines.add(
            line(
                other.version(),
                address,
                null,
                a == null ? "none" : "cell",
                b == null ? "none" : "cell"));
        continue;
      }
      for (int i = 3; i < 6; i++) {
        if (!Objects.equals(a[i], b[i])) {
          String column = ProjectionTables.of(first).columns().get(i).name();
          lines.add(line(other.version(), address, column, a[i], b[i]));
        }
      }
    }
    return lines;
  }

  private static TreeMap<String, Object[]> cells(RunOutcome outcome, ProjectionRule rule) {
    TreeMap<String, Object[]> cells = new TreeMap<>();
    rows(outcome, ProjectionTables.of(rule))
        .forEach(row -> cells.put(line(row[0], row[1], row[2]), row));
    return cells;
  }

  private static List<Object[]> rows(RunOutcome outcome, TableSchema table) {
    return outcome.tables().getOrDefault(table.name(), List.of());
  }

  private static String line(Object... values) {
    List<String> texts = new ArrayList<>();
    for (Object value : values) {
      texts.add(String.valueOf(value));
    }
    return String.join(" ", texts);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theAnswerDoesNotDependOnHowTheWorkIsCut(long seed) {
    RunSpec spec = spec(seed);
    List<ArchiveRecord> events = events(seed);
    assertThat(shown(InMemoryRun.of(spec).buckets(4).slabs(3).shuffledBy(seed).run(events)))
        .isEqualTo(shown(InMemoryRun.of(spec).run(events)));
  }

  private static TreeSet<String> shown(RunOutcome outcome) {
    TreeSet<String> shown = new TreeSet<>();
    rows(outcome, DiffTables.PROJECTION_DIFF).forEach(row -> shown.add(line(row)));
    return shown;
  }
}
