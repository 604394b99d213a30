package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.RunReport;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.reconcile.InputFindings;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts findings as they pass into the report: by kind, and by what many of them share. */
final class FindingCounts {

  private static final ImmutableList<String> SHARED =
      ImmutableList.of("source", "effect_type", "consumer", "lease_owner", "schema_version");

  private final EnumMap<Kind, Long> findings = new EnumMap<>(Kind.class);
  private final TreeMap<Level, TreeMap<String, RunReport.KindCount>> counts = new TreeMap<>();
  private final EnumMap<Kind, TreeMap<String, TreeMap<String, Long>>> shared =
      new EnumMap<>(Kind.class);

  private String firstInputError;

  /**
   * Takes the next finding in.
   *
   * @param acknowledged whether the baseline acknowledges it
   */
  void add(Finding finding, boolean acknowledged) {
    Kind kind = finding.kind();
    findings.merge(kind, 1L, Long::sum);
    counts
        .computeIfAbsent(finding.level(), level -> new TreeMap<>())
        .merge(
            kind.name(),
            new RunReport.KindCount(
                kind, finding.level(), 1, finding.occurrences(), acknowledged ? 1 : 0),
            RunReport.KindCount::and);
    JsonValue subject = StrictJson.parseOwn(finding.subject());
    JsonValue actual = StrictJson.parseOwn(finding.actual());
    if (kind == Kind.INPUT_ERROR && firstInputError == null) {
      firstInputError =
          "%s, %s: %s; remedy: %s"
              .formatted(
                  subject.at("/file").asText(),
                  subject.at("/place").asText(),
                  InputFindings.withoutContent(finding),
                  StrictJson.parseOwn(finding.expected()).at("/remedy").asText());
    }
    for (String column : SHARED) {
      JsonValue value = subject.at("/" + column);
      value = value == null ? actual.at("/" + column) : value;
      if (value instanceof JsonValue.Text text) {
        share(kind, column, text.value());
      }
    }
    if (finding.firstAt() != null) {
      share(kind, "hour", finding.firstAt().truncatedTo(ChronoUnit.HOURS).toString());
    }
  }

  private void share(Kind kind, String by, String value) {
    shared
        .computeIfAbsent(kind, key -> new TreeMap<>())
        .computeIfAbsent(by, key -> new TreeMap<>())
        .merge(value, 1L, Long::sum);
  }

  /** The first thing that could not be read, as a sentence with its place and remedy, or null. */
  String firstInputError() {
    return firstInputError;
  }

  /** Findings by kind. */
  Map<Kind, Long> findings() {
    return findings;
  }

  /** Whether there is a finding of a level. */
  boolean any(Level level) {
    return counts.containsKey(level);
  }

  /** Counts by level, gravest first, and kind. */
  ImmutableList<RunReport.KindCount> byKind() {
    return counts.values().stream()
        .flatMap(kinds -> kinds.values().stream())
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * What more than half of the findings of a kind share, where there are several; largest share
   * first.
   */
  ImmutableList<RunReport.Cause> causes() {
    ImmutableList.Builder<RunReport.Cause> causes = ImmutableList.builder();
    shared.forEach(
        (kind, byColumn) -> {
          long all = findings.get(kind);
          List<RunReport.Cause> ofKind = new ArrayList<>();
          byColumn.forEach(
              (column, values) ->
                  values.forEach(
                      (value, count) -> {
                        if (count > 1 && count * 2 > all) {
                          ofKind.add(new RunReport.Cause(kind, column, value, count));
                        }
                      }));
          ofKind.sort(
              Comparator.comparingLong(RunReport.Cause::findings)
                  .reversed()
                  .thenComparing(RunReport.Cause::by));
          causes.addAll(ofKind);
        });
    return causes.build();
  }
}
