package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.report.Html.Fragment;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What was found, by kind, worst first, and what many findings share. */
final class FindingsSection {

  /** Graver ones first, then those of which there are more. */
  private static final Comparator<RunReport.KindCount> WORST_FIRST =
      Comparator.comparing(RunReport.KindCount::level)
          .thenComparing(Comparator.comparingLong(RunReport.KindCount::findings).reversed())
          .thenComparing(count -> count.kind().name());

  private final RunReport report;
  private final Examples examples;
  private final Values values;
  private final ImmutableList<RunReport.KindCount> kinds;

  FindingsSection(RunReport report, Examples examples, Values values) {
    this.report = report;
    this.examples = examples;
    this.values = values;
    this.kinds = ImmutableList.sortedCopyOf(WORST_FIRST, report.findings());
  }

  void into(Html html) {
    if (kinds.isEmpty()) {
      html.open("p")
          .text(
              "None. "
                  + Units.count(report.coverage().size(), "check", "checks")
                  + " looked at "
                  + ReportPage.scope(report)
                  + "; ")
          .element("a", "coverage", "href", "#coverage")
          .text(" says how many each of them judged, and what it could not judge.")
          .close()
          .line();
      return;
    }
    overview(html);
    html.open("p")
        .text("How many there are of each, counted by DuckDB in the run's folder:")
        .close();
    command(
        html,
        "duckdb -c \"SELECT level, kind, count(*) AS findings FROM read_json('findings.jsonl',"
            + " columns = {level: 'VARCHAR', kind: 'VARCHAR'}) GROUP BY ALL ORDER BY ALL\"");
    ImmutableMap<Examples.OfKind, ImmutableList<Fragment>> chosen = examples.chosen();
    for (RunReport.KindCount count : kinds) {
      kind(html, count, chosen);
    }
    clean(html);
  }

  private void overview(Html html) {
    Table table =
        Table.of("Findings by kind", Table.CHECKS)
            .column("kind")
            .number("findings")
            .column("level")
            .number("occurrences")
            .column("since")
            .column("most of them share");
    for (RunReport.KindCount count : kinds) {
      Examples.OfKind kind = examples.of(count.level(), count.kind());
      table.row(
          cell -> cell.element("a", count.kind().name(), "href", "#" + id(count)),
          Table.count(count.findings()),
          cell -> level(cell, count),
          Table.count(count.occurrences()),
          cell -> Values.time(cell, kind == null ? null : kind.first()),
          cell -> {
            List<RunReport.Cause> causes = causesOf(count);
            if (!causes.isEmpty()) {
              cause(cell, causes.get(0));
            }
          });
    }
    table.into(html, "summary.json has all");
  }

  private static void level(Html html, RunReport.KindCount count) {
    html.element("span", count.level().key(), "class", "level " + count.level().key());
  }

  private static String id(RunReport.KindCount count) {
    return count.level().key() + "-" + count.kind().name();
  }

  private void kind(
      Html html,
      RunReport.KindCount count,
      ImmutableMap<Examples.OfKind, ImmutableList<Fragment>> chosen) {
    String id = id(count);
    Examples.OfKind kind = examples.of(count.level(), count.kind());
    html.open("article", "class", "kind", "id", id, "aria-labelledby", id + "-h");
    html.open("h3", "id", id + "-h").text(count.kind().name()).text(" ");
    level(html, count);
    html.close().line();
    html.element("p", count.kind().rule(), "class", "rule").line();
    html.open("p").text(Units.count(count.findings(), "finding", "findings"));
    if (count.occurrences() != count.findings()) {
      html.text(", " + Units.count(count.occurrences(), "occurrence", "occurrences"));
    }
    if (count.acknowledged() > 0) {
      html.text(", " + Units.count(count.acknowledged()) + " of them acknowledged by the baseline");
    }
    if (kind != null && kind.first() != null) {
      html.text(kind.first().equals(kind.last()) ? ", at " : ", from ");
      Values.time(html, kind.first());
      if (!kind.first().equals(kind.last())) {
        html.text(" to ");
        Values.time(html, kind.last());
      }
    }
    html.text(".").close().line();
    List<RunReport.Cause> causes = causesOf(count);
    if (!causes.isEmpty()) {
      html.open("p").text("Most of them share ");
      for (int i = 0; i < Math.min(causes.size(), 5); i++) {
        html.text(i == 0 ? "" : ", ");
        cause(html, causes.get(i));
      }
      html.text(".").close().line();
    }
    ImmutableList<Fragment> shown = kind == null ? ImmutableList.of() : chosen.get(kind);
    shown.forEach(html::put);
    String rest =
        shown.size() < count.findings()
            ? "Shown are "
                + Units.count(shown.size())
                + " of "
                + Units.count(count.findings())
                + "; the page leaves out "
                + Units.count(count.findings() - shown.size())
                + ". All of them:"
            : "All of them, in full:";
    html.element("p", rest, "class", shown.size() < count.findings() ? "leftout" : null);
    command(
        html,
        "grep -F '\"kind\":\""
            + count.kind().name()
            + "\",\"level\":\""
            + count.level().key()
            + "\"' findings.jsonl");
    html.close().line();
  }

  private static void command(Html html, String command) {
    html.open("pre").element("code", command).close().line();
  }

  /** Checks that found nothing. */
  private void clean(Html html) {
    Set<String> found = new HashSet<>();
    kinds.forEach(count -> found.add(count.kind().name()));
    ImmutableList<RunReport.Coverage> clean =
        report.coverage().stream()
            .filter(check -> !found.contains(check.check()) && check.judged() > 0)
            .collect(ImmutableList.toImmutableList());
    if (clean.isEmpty()) {
      return;
    }
    html.element("h3", "Checked, and nothing found");
    html.open("ul", "class", "clean");
    for (RunReport.Coverage check : clean.subList(0, Math.min(clean.size(), Table.CHECKS))) {
      html.open("li").text(Units.count(check.judged(), "subject was", "subjects were"));
      html.text(" checked for ").element("b", check.check()).text(": none.").close();
    }
    html.close().line();
  }

  /** What many findings share, largest first among the gravest. */
  void causes(Html html) {
    if (report.causes().isEmpty()) {
      html.element(
              "p",
              kinds.isEmpty()
                  ? "There are no findings to compare."
                  : "Source, effect type, consumer, lease owner, schema version and hour of "
                      + Units.count(
                          kinds.stream().mapToLong(RunReport.KindCount::findings).sum(),
                          "finding",
                          "findings")
                      + " were compared: none is shared by more than half of those of a kind.")
          .line();
      return;
    }
    html.element(
        "p",
        "What more than half of the findings of a kind have in common, where there are several.");
    Table table =
        Table.of("Shared by the findings of a kind")
            .column("kind")
            .column("what they share")
            .column("value")
            .number("findings")
            .number("of them");
    for (RunReport.KindCount count : kinds) {
      if (isGravest(count)) {
        for (RunReport.Cause cause : causesOf(count)) {
          table.row(
              cell -> cell.element("a", cause.kind().name(), "href", "#" + id(count)),
              Table.words(cause.by().replace('_', ' ')),
              cell -> values.value(cell, cause.value()),
              Table.count(cause.findings()),
              Table.words(Units.share(cause.findings(), ofKind(cause))));
        }
      }
    }
    table.into(html, "summary.json has all");
  }

  private boolean isGravest(RunReport.KindCount count) {
    return kinds.stream()
        .filter(other -> other.kind() == count.kind())
        .findFirst()
        .get()
        .equals(count);
  }

  /** Causes know no level: they are of all findings of a kind. */
  private ImmutableList<RunReport.Cause> causesOf(RunReport.KindCount count) {
    return report.causes().stream()
        .filter(cause -> cause.kind() == count.kind())
        .collect(ImmutableList.toImmutableList());
  }

  private long ofKind(RunReport.Cause cause) {
    return kinds.stream()
        .filter(count -> count.kind() == cause.kind())
        .mapToLong(RunReport.KindCount::findings)
        .sum();
  }

  private void cause(Html html, RunReport.Cause cause) {
    html.text(cause.by().replace('_', ' ') + " ");
    if (cause.by().equals("hour") && cause.value() != null && cause.value().endsWith(":00:00Z")) {
      html.element(
          "time",
          cause.value().replace('T', ' ').replace(":00:00Z", ":00"),
          "datetime",
          cause.value(),
          "title",
          cause.value());
    } else {
      values.brief(html, cause.value());
    }
    html.text(" (" + Units.count(cause.findings()) + " of " + Units.count(ofKind(cause)) + ")");
  }
}
