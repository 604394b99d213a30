package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableSortedSet;
import dev.constat.pipelines.output.RunReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Decisions by source and schema version, and what stands in quarantine. */
final class SourcesSection {

  private static final String REPLAYED = "replayed";

  private final RunReport report;
  private final Values values;

  SourcesSection(RunReport report, Values values) {
    this.report = report;
    this.values = values;
  }

  void into(Html html) {
    if (report.sources().isEmpty()) {
      html.element("p", "No reception was decided about: none was read.").line();
      return;
    }
    ImmutableSortedSet<String> decisions = decisions();
    Table table = Table.of("Decisions by source and schema version").column("source");
    table.column("schema version").number("receptions");
    decisions.forEach(
        decision -> table.number(decision.toLowerCase(Locale.ROOT).replace('_', ' ')));
    for (RunReport.SourceFacts source : report.sources()) {
      List<Html.Part> cells = new ArrayList<>();
      cells.add(cell -> values.value(cell, source.source()));
      cells.add(cell -> version(cell, source));
      cells.add(Table.count(source.decisions().values().stream().mapToLong(Long::longValue).sum()));
      for (String decision : decisions) {
        cells.add(Table.count(source.decisions().getOrDefault(decision, 0L)));
      }
      table.row(cells.toArray(Html.Part[]::new));
    }
    table.into(html, "summary.json has all");
    html.element("h3", "Quarantine").line();
    quarantine(html);
  }

  /** Those that occur, by name. */
  private ImmutableSortedSet<String> decisions() {
    return report.sources().stream()
        .flatMap(source -> source.decisions().keySet().stream())
        .collect(ImmutableSortedSet.toImmutableSortedSet(Comparator.naturalOrder()));
  }

  private void version(Html html, RunReport.SourceFacts source) {
    values.value(html, source.schemaVersion());
    if (!source.knownSchema()) {
      html.text(" ").element("span", "not in the contract", "class", "level warning");
    }
  }

  private void quarantine(Html html) {
    long quarantined =
        report.sources().stream().mapToLong(RunReport.SourceFacts::quarantined).sum();
    if (quarantined == 0) {
      long compared =
          report.sources().stream()
              .flatMap(source -> source.decisions().entrySet().stream())
              .filter(decision -> !decision.getKey().equals(REPLAYED))
              .mapToLong(decision -> decision.getValue())
              .sum();
      html.element(
              "p",
              Units.count(compared, "reception was", "receptions were")
                  + " compared by content: none stands in quarantine.")
          .line();
      return;
    }
    Table table =
        Table.of("Receptions in quarantine")
            .column("source")
            .column("schema version")
            .number("receptions")
            .number("contested keys")
            .column("oldest received")
            .number("its age");
    for (RunReport.SourceFacts source : report.sources()) {
      if (source.quarantined() > 0) {
        table.row(
            cell -> values.value(cell, source.source()),
            cell -> version(cell, source),
            Table.count(source.quarantined()),
            Table.count(source.conflictingKeys()),
            cell -> Values.time(cell, source.oldestQuarantined()),
            cell ->
                Values.duration(
                    cell,
                    source.oldestQuarantined() == null || report.asOf() == null
                        ? null
                        : Duration.between(source.oldestQuarantined(), report.asOf())));
      }
    }
    table.into(html, "summary.json has all");
    html.open("p")
        .text("Every version of a contested content stands in ")
        .element("code", "quarantine/*.parquet")
        .text(", payload included; this page shows no payload.")
        .close()
        .line();
  }
}
