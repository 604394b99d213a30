package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.RunReport;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.reconcile.DedupMemory;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.reconcile.SideChannels;
import dev.constat.rules.spec.RunSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** What became of the outbox: states and ages, leases, order, dead letters, side channels. */
final class OutboxSection {

  /** What keeps rows from being done, and since when. */
  private static final ImmutableList<Kind> WAITING =
      ImmutableList.of(
          Kind.STUCK_PENDING,
          Kind.STUCK_LEASE,
          Kind.IMPLICIT_DLQ,
          Kind.DLQ,
          Kind.ACKED_NOT_TERMINAL,
          Kind.BLOCKED_BY_HEAD);

  private final RunSpec spec;
  private final RunReport report;
  private final Examples examples;
  private final Values values;

  OutboxSection(RunSpec spec, RunReport report, Examples examples, Values values) {
    this.spec = spec;
    this.report = report;
    this.examples = examples;
    this.values = values;
  }

  void into(Html html) {
    if (!spec.archives().containsKey(Input.OUTBOX)) {
      html.element("p", "No outbox was given to this run, so no delivery was judged.").line();
      sideChannels(html);
      memory(html);
      return;
    }
    if (report.effects().isEmpty()) {
      html.element("p", "The outbox was read and holds no row that counts.").line();
    } else {
      html.element("h3", "States and ages").line();
      states(html);
      ages(html);
    }
    html.element("h3", "Leases and delivery times").line();
    leases(html);
    html.element("h3", "Order").line();
    order(html);
    html.element("h3", "Dead letters").line();
    deadLetters(html);
    html.element("h3", "Past the outbox").line();
    sideChannels(html);
    html.element("h3", "Memory of duplicates").line();
    memory(html);
  }

  private void states(Html html) {
    Table table =
        Table.of("Outbox rows by effect type and state")
            .column("effect type")
            .column("state")
            .number("rows");
    for (RunReport.EffectFacts effect : report.effects()) {
      effect
          .states()
          .forEach(
              (state, rows) ->
                  table.row(
                      cell -> values.value(cell, effect.type()),
                      Table.words(state),
                      Table.count(rows)));
      if (effect.retried() > 0) {
        table.row(
            cell -> values.value(cell, effect.type()),
            Table.words("of these tried more than once"),
            Table.count(effect.retried()));
      }
    }
    table.into(html, "summary.json has all");
  }

  private void ages(Html html) {
    Instant cut =
        report.inputs().stream()
            .filter(input -> input.input().equals(Input.OUTBOX.key()))
            .map(RunReport.InputFacts::cut)
            .filter(time -> time != null)
            .findFirst()
            .orElse(report.asOf());
    Table table =
        Table.of("Rows that are not done for longer than they may be")
            .column("kind")
            .number("rows")
            .column("the first since")
            .number("for how long, at the cut");
    boolean any = false;
    for (Kind kind : WAITING) {
      for (RunReport.KindCount count : report.findings()) {
        if (count.kind() == kind) {
          any = true;
          Examples.OfKind found = examples.of(count.level(), kind);
          Instant first = found == null ? null : found.first();
          table.row(
              cell ->
                  cell.element("a", kind.name(), "href", "#" + count.level().key() + "-" + kind),
              Table.count(count.findings()),
              cell -> Values.time(cell, first),
              cell ->
                  Values.duration(
                      cell, first == null || cut == null ? null : Duration.between(first, cut)));
        }
      }
    }
    if (any) {
      table.into(html, "summary.json has all");
    } else {
      html.element(
              "p",
              Units.count(rows(), "outbox row was", "outbox rows were")
                  + " checked for waiting longer than pending_after, leases that ended, and dead"
                  + " letters: none.")
          .line();
    }
  }

  private long rows() {
    return report.effects().stream()
        .flatMap(effect -> effect.states().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  private void leases(Html html) {
    if (report.deliveries().leases().isEmpty()) {
      html.element("p", "No row shows a claim or a dispatch, so nothing was measured.").line();
      return;
    }
    Table table =
        Table.of("Leases and delivery times by effect type")
            .column("effect type")
            .number("rows")
            .number("longest claim to dispatch")
            .number("longest dispatch to acknowledgement")
            .number("declared lease")
            .number("claims that needed longer")
            .number("lease that is enough")
            .column("redeliveries by crash window");
    for (DeliveryTimes.OfType type : report.deliveries().leases()) {
      table.row(
          cell -> values.value(cell, type.effectType()),
          Table.count(type.rows()),
          cell -> Values.duration(cell, type.claimToDispatch().longest()),
          cell -> Values.duration(cell, type.dispatchToAck().longest()),
          cell -> Values.duration(cell, type.leaseTtl()),
          Table.count(type.overTtl()),
          cell -> Values.duration(cell, type.lease().longest()),
          cell -> counts(cell, type.windows()));
    }
    table.into(html, "summary.json has all");
  }

  private void counts(Html html, Map<String, Long> counts) {
    boolean next = false;
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      if (count.getValue() > 0) {
        html.text(next ? ", " : "");
        values.brief(html, count.getKey());
        html.text(" " + Units.count(count.getValue()));
        next = true;
      }
    }
    if (!next) {
      values.none(html);
    }
  }

  private void order(Html html) {
    if (report.order().types().isEmpty()) {
      html.element("p", "No row names an aggregate, so there is no order to keep.").line();
      return;
    }
    Table table =
        Table.of("Order of aggregates by effect type")
            .column("effect type")
            .column("order")
            .number("delivered")
            .column("overtaken, by cause")
            .number("rows that held others up")
            .number("still do")
            .number("the longest");
    for (OrderReport.OfType type : report.order().types()) {
      table.row(
          cell -> values.value(cell, type.effectType()),
          Table.words(type.ordered() ? "by aggregate" : "none promised"),
          Table.count(type.delivered()),
          cell -> counts(cell, type.overtakings()),
          Table.count(type.heads()),
          Table.count(type.still()),
          cell -> Values.duration(cell, type.longest() == null ? null : type.longest().blocked()));
    }
    table.into(html, "summary.json has all");
  }

  private void deadLetters(Html html) {
    if (report.deliveries().deadLetters().isEmpty()) {
      html.element(
              "p",
              Units.count(rows(), "outbox row was", "outbox rows were")
                  + " checked for dead letters, declared or not: none.")
          .line();
      return;
    }
    Table table =
        Table.of("Dead letters by effect type")
            .column("effect type")
            .number("declared")
            .number("not declared")
            .column("never received by")
            .column("received all the same by")
            .column("not judged for");
    for (DeliveryReport.Dead dead : report.deliveries().deadLetters()) {
      table.row(
          cell -> values.value(cell, dead.effectType()),
          Table.count(dead.declared()),
          Table.count(dead.implicit()),
          cell -> counts(cell, dead.neverReceived()),
          cell -> counts(cell, dead.received()),
          cell -> counts(cell, dead.notJudged()));
    }
    table.into(html, "summary.json has all");
  }

  private void sideChannels(Html html) {
    SideChannels channels = report.deliveries().sideChannels();
    if (channels.consumers().isEmpty()) {
      html.element(
              "p",
              "No consumer acknowledged a row that is not there"
                  + (spec.archives().containsKey(Input.ACKNOWLEDGEMENTS)
                      ? "."
                      : "; no acknowledgements were given to this run."))
          .line();
    } else {
      Table table =
          Table.of("Consumers that acknowledge rows which are not there")
              .column("consumer")
              .column("in the run spec")
              .number("acknowledgements")
              .column("first")
              .column("last");
      for (SideChannels.OfConsumer consumer : channels.consumers()) {
        table.row(
            cell -> values.value(cell, consumer.consumer()),
            Table.words(consumer.declared() ? "yes" : "no"),
            Table.count(consumer.acks()),
            cell -> Values.time(cell, consumer.firstAt()),
            cell -> Values.time(cell, consumer.lastAt()));
      }
      table.into(html, "summary.json has all");
    }
    channels.types().stream()
        .filter(SideChannels.OfType::unwritten)
        .limit(Table.ROWS)
        .forEach(
            type -> {
              html.open("p", "class", "alarm").text("Nothing writes ");
              values.brief(html, type.effectType());
              html.text(", which " + Units.count(type.expected(), "event is", "events are"));
              html.text(" expected to have.").close().line();
            });
  }

  private void memory(Html html) {
    if (report.deliveries().memory().isEmpty()) {
      html.element("p", "No event came twice, so no memory of duplicates was needed.").line();
      return;
    }
    Table table =
        Table.of("How long duplicates must be remembered")
            .column("source")
            .number("repeats")
            .number("recognised")
            .number("forgotten")
            .number("surplus rows from these")
            .number("a memory that is enough");
    for (DedupMemory.OfSource source : report.deliveries().memory()) {
      table.row(
          cell -> values.value(cell, source.source()),
          Table.count(source.repeats()),
          Table.count(source.remembered()),
          Table.count(source.forgotten()),
          Table.count(source.surplusRows()),
          cell -> Values.duration(cell, source.enough()));
    }
    table.into(html, "summary.json has all");
  }
}
