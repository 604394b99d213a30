package dev.constat.pipelines.report;

import dev.constat.pipelines.output.RunReport;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec;

/** Replays, what they were meant to do and what they left behind. */
final class ReplaysSection {

  private final RunSpec spec;
  private final RunReport report;
  private final Values values;

  ReplaysSection(RunSpec spec, RunReport report, Values values) {
    this.spec = spec;
    this.report = report;
    this.values = values;
  }

  void into(Html html) {
    boolean registry = spec.archives().containsKey(Input.REPLAYS);
    if (report.replays().isEmpty()) {
      html.element(
              "p",
              ReportPage.scope(report)
                  + " were looked through for a replay_id: none."
                  + (registry ? " The registry lists no replay." : " No registry was given."))
          .line();
      return;
    }
    if (!registry) {
      html.element(
              "p", "No registry of replays was given, so what they were meant to do is not known.")
          .line();
    }
    Table scope =
        Table.of("Replays and their scope")
            .column("replay")
            .column("registered")
            .column("topic")
            .column("from")
            .column("to")
            .column("effects allowed")
            .column("effect keys")
            .number("events in scope")
            .number("seen of them");
    Table left =
        Table.of("What replays left behind")
            .column("replay id")
            .column("first")
            .column("last")
            .number("receptions")
            .number("outbox rows")
            .number("acknowledgements")
            .number("effects of its own")
            .number("redeliveries")
            .number("further effects")
            .number("without leave")
            .number("restarts");
    for (RunReport.ReplayFacts replay : report.replays()) {
      scope.row(
          cell -> values.value(cell, replay.replayId()),
          Table.words(replay.registered() ? "yes" : "no"),
          cell -> {
            if (replay.topic() != null || !replay.registered()) {
              values.value(cell, replay.topic());
            } else {
              cell.text("all");
            }
          },
          cell -> Values.time(cell, replay.from()),
          cell -> Values.time(cell, replay.to()),
          Table.words(
              replay.authorised() == null ? "not known" : replay.authorised() ? "yes" : "no"),
          cell -> values.value(cell, replay.effectKeys()),
          replay.scopeEvents() == null
              ? Table.words("not known")
              : Table.count(replay.scopeEvents()),
          Table.count(replay.seenEvents()));
      RunReport.ReplayActivityFacts did = replay.activity();
      left.row(
          cell -> values.value(cell, replay.replayId()),
          cell -> Values.time(cell, did.firstAt()),
          cell -> Values.time(cell, did.lastAt()),
          Table.count(did.receptions()),
          Table.count(did.rows()),
          Table.count(did.acks()),
          Table.count(did.effects()),
          Table.count(did.redeliveries()),
          Table.count(did.furtherEffects()),
          Table.count(did.unauthorised()),
          Table.count(did.restarts()));
    }
    scope.into(html, "summary.json has all");
    left.into(html, "summary.json has all");
  }
}
