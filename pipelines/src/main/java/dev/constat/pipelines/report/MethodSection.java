package dev.constat.pipelines.report;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.io.BaseEncoding;
import dev.constat.pipelines.output.RunReport;
import dev.constat.rules.spec.Effect;
import dev.constat.rules.spec.Lateness;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.SourceContract;
import dev.constat.rules.spec.WindowRule;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** What the result follows from, so that anybody can compute it again. */
final class MethodSection {

  private final RunSpec spec;
  private final RunReport report;
  private final Values values;

  MethodSection(RunSpec spec, RunReport report, Values values) {
    this.spec = spec;
    this.report = report;
    this.values = values;
  }

  void into(Html html) {
    html.element(
            "p",
            "The result follows from the files under Inputs, the run spec and the version of"
                + " Constat alone: the same of these give the same files, byte for byte, on any"
                + " machine and at any time. When, where and by which runner it was computed stands"
                + " in run.json and nowhere else.")
        .line();
    html.element(
            "p",
            "No external effect was caused. Constat read those inputs and wrote this folder. It has"
                + " no code that publishes, sends or calls: its build fails if any of its classes"
                + " uses a socket, an HTTP client or another process, but for those that ask a"
                + " database for the rows of a table, by connections that only read. This page loads"
                + " nothing and runs no script.",
            "id",
            "no-effect")
        .line();
    html.open("dl", "class", "facts");
    html.fact("Constat", part -> values.value(part, report.version()));
    html.fact("command", part -> part.text(spec.task().command()));
    html.fact("as of", part -> Values.time(part, report.asOf()));
    if (spec.from() != null || spec.to() != null) {
      html.fact("judged from", part -> Values.time(part, spec.from()));
      html.fact("judged up to", part -> Values.time(part, spec.to()));
      html.fact("read before that", part -> Values.duration(part, spec.lookBack()));
    }
    html.fact(
        "exit code 1 from level", part -> part.text(spec.failOn().name().toLowerCase(Locale.ROOT)));
    html.fact(
        "SHA-256 of the run spec, defaults filled in",
        part ->
            part.element(
                "code",
                BaseEncoding.base16()
                    .lowerCase()
                    .encode(ReportPage.sha256(spec.withoutLayout().canonical())),
                "class",
                "digest"));
    html.close().line();
    html.element(
            "p",
            "The run's id is the name of this folder unless another was given; it stands in"
                + " run.json, with a digest of every file, this page included.")
        .line();
    contracts(html);
    effects(html);
    projections(html);
    html.open("p").text("Limits of reading in force: ");
    boolean next = false;
    for (Map.Entry<String, Integer> limit : spec.limits().byKey().entrySet()) {
      html.text(next ? ", " : "").element("code", limit.getKey());
      html.text(" " + Units.count(limit.getValue()));
      next = true;
    }
    html.text(".").close().line();
  }

  private void contracts(Html html) {
    Table table =
        Table.of("Contracts of sources")
            .column("source")
            .column("ids are unique in")
            .column("revision")
            .column("contents compared by")
            .column("schema versions")
            .column("lateness budget")
            .number("future tolerance")
            .column("sequence");
    for (SourceContract contract : spec.sources()) {
      table.row(
          cell -> {
            if (contract.source().equals(SourceContract.ANY)) {
              cell.text("every other");
            } else {
              values.value(cell, contract.source());
            }
          },
          cell -> values.value(cell, Joiner.on(", ").join(scope(contract))),
          cell ->
              values.value(cell, contract.revision() == null ? null : contract.revision().text()),
          Table.words(contract.hash().id()),
          cell -> {
            if (contract.schemaVersions() == null) {
              cell.text("any");
            } else {
              values.value(cell, Joiner.on(", ").join(contract.schemaVersions()));
            }
          },
          cell -> budgets(cell, contract),
          cell -> Values.duration(cell, contract.futureTolerance()),
          cell ->
              cell.text(
                  contract.sequence() == null
                      ? "not documented"
                      : contract.sequence().dense() ? "dense" : "with holes"));
    }
    table.into(html, "the run spec has all");
  }

  private static Iterable<String> scope(SourceContract contract) {
    return Iterables.concat(ImmutableList.of("source"), contract.scope());
  }

  private void budgets(Html html, SourceContract contract) {
    boolean next = false;
    for (Lateness.Budget budget : contract.lateness().budgets()) {
      html.text(next ? ", " : "");
      Values.duration(html, budget.length());
      html.text(" (version ");
      values.brief(html, budget.version());
      if (budget.from() != null) {
        html.text(", from ");
        Values.time(html, budget.from());
      }
      html.text(")");
      next = true;
    }
  }

  private void effects(Html html) {
    if (spec.effects().isEmpty()) {
      html.element("p", "The run spec names no effects.").line();
      return;
    }
    Table table =
        Table.of("Effects that are expected, and their limits")
            .column("effect type")
            .column("when")
            .column("consumers")
            .number("grace")
            .number("pending after")
            .number("lease")
            .number("attempts")
            .column("order")
            .column("replays may have it");
    for (Effect effect : spec.effects()) {
      table.row(
          cell -> values.value(cell, effect.type()),
          cell -> values.value(cell, when(effect)),
          cell ->
              values.value(
                  cell,
                  effect.consumers() == null ? null : Joiner.on(", ").join(effect.consumers())),
          cell -> Values.duration(cell, effect.grace()),
          cell -> Values.duration(cell, effect.pendingAfter()),
          cell -> Values.duration(cell, effect.leaseTtl()),
          Table.count(effect.maxAttempts()),
          Table.words(effect.ordered() ? "by aggregate" : "none"),
          Table.words(effect.replayable() ? "yes" : "no"));
    }
    table.into(html, "the run spec has all");
  }

  private static String when(Effect effect) {
    StringBuilder words = new StringBuilder();
    for (Map.Entry<String, Effect.AnyOf> condition : effect.when().entrySet()) {
      words
          .append(words.isEmpty() ? "" : " and ")
          .append(condition.getKey())
          .append(" is ")
          .append(Joiner.on(" or ").join(condition.getValue().values()))
          .append(condition.getValue().orAbsent() ? " or absent" : "");
    }
    return words.isEmpty() ? "always" : words.toString();
  }

  private void projections(Html html) {
    if (spec.projections().isEmpty()) {
      return;
    }
    Table table =
        Table.of("Projections")
            .column("projection")
            .column("version")
            .column("kind")
            .column("key")
            .column("window")
            .number("allowed lateness");
    for (ProjectionRule rule : spec.projections()) {
      table.row(
          cell -> values.value(cell, rule.name()),
          cell -> values.value(cell, rule.version()),
          cell -> values.value(cell, rule.kind()),
          cell -> values.value(cell, rule.key() == null ? null : rule.key().text()),
          cell -> values.value(cell, window(rule.window())),
          cell -> {
            if (rule.windowed()) {
              Values.duration(cell, rule.allowedLateness());
            } else {
              values.none(cell);
            }
          });
    }
    table.into(html, "the run spec has all");
  }

  private static String window(WindowRule window) {
    if (window instanceof WindowRule.Fixed fixed) {
      return words(fixed.size()) + " each";
    }
    if (window instanceof WindowRule.Sliding sliding) {
      return words(sliding.size()) + ", one every " + words(sliding.every());
    }
    if (window instanceof WindowRule.Session session) {
      return "sessions, with a gap of " + words(session.gap());
    }
    return window instanceof WindowRule.Days days ? "days in " + days.zone().getId() : null;
  }

  private static String words(Duration duration) {
    return Units.duration(duration);
  }
}
