package dev.constat.pipelines.report;

import dev.constat.pipelines.output.RebuildReport;
import dev.constat.pipelines.output.RepairPlanReport;
import dev.constat.pipelines.output.ReplayPlanReport;
import dev.constat.pipelines.output.TaskReport;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;

/** What a run made besides judging: projections, or a plan. */
final class TaskSection {

  private final TaskReport task;
  private final Values values;

  TaskSection(TaskReport task, Values values) {
    this.task = task;
    this.values = values;
  }

  /** The heading for what was made. */
  static String title(TaskReport task) {
    return task instanceof RebuildReport ? "What was rebuilt" : "What was planned";
  }

  void into(Html html) {
    if (task instanceof RebuildReport rebuild) {
      rebuild(html, rebuild);
    } else if (task instanceof ReplayPlanReport replay) {
      replay(html, replay);
    } else if (task instanceof RepairPlanReport repair) {
      repair(html, repair);
    }
  }

  private void interval(Html html, Instant from, Instant to) {
    html.text(from == null ? " from the beginning" : " from ");
    if (from != null) {
      Values.time(html, from);
    }
    html.text(to == null ? " to the end" : " to ");
    if (to != null) {
      Values.time(html, to);
    }
  }

  private void rebuild(Html html, RebuildReport rebuild) {
    html.open("p").text("Projection ");
    values.brief(html, rebuild.projection());
    html.text(" as replay ");
    values.brief(html, rebuild.replayId());
    html.text(",");
    interval(html, rebuild.from(), rebuild.to());
    html.text(".").close().line();
    Table versions =
        Table.of("Versions that were rebuilt")
            .column("version")
            .number("cells")
            .number("on time")
            .number("refined")
            .number("too late");
    for (RebuildReport.Version version : rebuild.versions()) {
      versions.row(
          cell -> values.value(cell, version.version()),
          Table.count(version.cells()),
          Table.count(version.onTime()),
          Table.count(version.refined()),
          Table.count(version.tooLate()));
    }
    versions.into(html, "summary.json has all");
    if (rebuild.differences().isEmpty()) {
      html.element("p", "One version was rebuilt, so none was compared with another.").line();
      return;
    }
    TreeSet<String> causes = new TreeSet<>();
    rebuild.differences().forEach(difference -> causes.addAll(difference.causes().keySet()));
    Table differences =
        Table.of("Differences from the first version")
            .column("version")
            .number("cells that differ")
            .number("differences");
    causes.forEach(differences::number);
    for (RebuildReport.Difference difference : rebuild.differences()) {
      Html.Part[] cells = new Html.Part[3 + causes.size()];
      cells[0] = cell -> values.value(cell, difference.version());
      cells[1] = Table.count(difference.cells());
      cells[2] = Table.count(difference.rows());
      int next = 3;
      for (String cause : causes) {
        cells[next++] = Table.count(difference.causes().getOrDefault(cause, 0L));
      }
      differences.row(cells);
    }
    differences.into(html, "summary.json has all");
  }

  private void replay(Html html, ReplayPlanReport replay) {
    html.open("p").text(Units.count(replay.events(), "event", "events") + " of topic ");
    values.brief(html, replay.topic());
    interval(html, replay.from(), replay.to());
    html.text(" would be published, as batch ");
    values.brief(html, replay.batchId());
    html.text(". Nothing was published.").close().line();
    withheld(html, replay.withheld(), "events");
    Table table =
        Table.of("Effects that would happen again")
            .column("effect type")
            .column("replays may have it")
            .number("events")
            .number("effects")
            .number("consumers not known")
            .number("acknowledged before")
            .number("withheld");
    for (ReplayPlanReport.Effect effect : replay.effects()) {
      table.row(
          cell -> values.value(cell, effect.type()),
          Table.words(effect.replayable() ? "yes" : "no"),
          Table.count(effect.events()),
          Table.count(effect.predicted()),
          Table.count(effect.consumersUnknown()),
          effect.alreadyAcknowledged() == null
              ? Table.words("not known")
              : Table.count(effect.alreadyAcknowledged()),
          Table.count(effect.withheld()));
    }
    table.into(html, "summary.json has all");
    html.open("p").text("Line by line: ").element("code", "replay-plan.jsonl").text(" and ");
    html.element("code", "withheld.jsonl").text(".").close().line();
  }

  private void repair(Html html, RepairPlanReport repair) {
    html.element(
            "p",
            Units.count(repair.planned(), "message", "messages")
                + " would have to be sent again. Nothing was sent.")
        .line();
    if (!repair.messages().isEmpty()) {
      Table table =
          Table.of("Messages to send again")
              .column("effect type")
              .column("mends")
              .number("planned")
              .number("withheld");
      for (RepairPlanReport.Messages messages : repair.messages()) {
        table.row(
            cell -> values.value(cell, messages.effectType()),
            cell -> values.value(cell, messages.kind()),
            Table.count(messages.planned()),
            Table.count(messages.withheld()));
      }
      table.into(html, "summary.json has all");
    }
    withheld(html, repair.withheld(), "messages");
    if (!repair.notMended().isEmpty()) {
      Table table = Table.of("Errors that no message mends").column("kind").number("findings");
      repair
          .notMended()
          .forEach((kind, findings) -> table.row(Table.words(kind), Table.count(findings)));
      table.into(html, "summary.json has all");
    }
    html.open("p").text("Line by line: ").element("code", "repair-plan.jsonl").text(" and ");
    html.element("code", "withheld.jsonl").text(".").close().line();
  }

  private void withheld(Html html, Map<String, Long> reasons, String counted) {
    if (reasons.isEmpty()) {
      html.element("p", "None is withheld.").line();
      return;
    }
    Table table = Table.of("Withheld").column("why").number(counted);
    reasons.forEach(
        (reason, count) -> table.row(cell -> values.value(cell, reason), Table.count(count)));
    table.into(html, "summary.json has all");
  }
}
