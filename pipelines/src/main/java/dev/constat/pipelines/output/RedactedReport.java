package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.lease.Delays;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.order.OrderTally;
import dev.constat.rules.reconcile.Book;
import dev.constat.rules.reconcile.DedupMemory;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.reconcile.SideChannels;
import dev.constat.rules.redaction.Redactor;
import dev.constat.rules.time.SweepRow;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Makes of the report of a run what a redacted run says. Lists stay in the order of the names that
 * they are about, which tells the order of those that became hashes, and nothing else.
 *
 * <p>Reasons and causes come from findings and are redacted with these.
 */
public final class RedactedReport {

  private final Redactor redactor;

  /** Reports redacted so. */
  public RedactedReport(Redactor redactor) {
    this.redactor = redactor;
  }

  /** The report that a redacted run has in the place of {@code report}. */
  public RunReport of(RunReport report) {
    return new RunReport(
        report.name(),
        report.version(),
        report.asOf(),
        report.verdict(),
        report.reasons(),
        report.inputs(),
        report.decisions(),
        report.timeliness(),
        report.findings(),
        report.silent(),
        each(report.books(), this::book),
        report.coverage(),
        each(report.sources(), this::source),
        each(report.lateness(), this::lateness),
        each(report.effects(), this::effect),
        new OrderReport(report.order().idOrder(), each(report.order().types(), this::order)),
        deliveries(report.deliveries()),
        each(report.replays(), this::replay),
        report.causes(),
        report.baseline());
  }

  /** What a redacted run says of what it made besides judging. */
  public TaskReport of(TaskReport task) {
    if (task instanceof RepairPlanReport repair) {
      return new RepairPlanReport(
          each(
              repair.messages(),
              m ->
                  new RepairPlanReport.Messages(
                      type(m.effectType()), m.kind(), m.planned(), m.withheld())),
          repair.withheld(),
          repair.notMended());
    }
    return task; // the others speak of what run spec and command line name
  }

  private static <T> ImmutableList<T> each(List<T> all, UnaryOperator<T> redacted) {
    return all.stream().map(redacted).collect(ImmutableList.toImmutableList());
  }

  private String type(String effectType) {
    return redactor.name("effect_type", effectType);
  }

  private Book book(Book book) {
    return new Book(
        Sentence.ofConfigured(redactor.sentence(book.title())), book.total(), book.lines());
  }

  private RunReport.SourceFacts source(RunReport.SourceFacts source) {
    return new RunReport.SourceFacts(
        redactor.name("source", source.source()),
        redactor.name("schema_version", source.schemaVersion()),
        source.decisions(),
        source.timeliness(),
        source.disorder(),
        source.conflictingKeys(),
        source.quarantined(),
        source.oldestQuarantined(),
        source.knownSchema(),
        source.lags(),
        source.lagMillis());
  }

  private SweepRow lateness(SweepRow row) {
    return new SweepRow(
        redactor.name("source", row.source()),
        row.budget(),
        row.events(),
        row.late(),
        row.changed(),
        row.restated());
  }

  private RunReport.EffectFacts effect(RunReport.EffectFacts effect) {
    return new RunReport.EffectFacts(type(effect.type()), effect.states(), effect.retried());
  }

  private OrderReport.OfType order(OrderReport.OfType order) {
    OrderTally.Longest longest = order.longest();
    return new OrderReport.OfType(
        type(order.effectType()),
        order.ordered(),
        order.delivered(),
        order.overtakings(),
        order.priorityInversions(),
        order.heads(),
        order.freedByDlq(),
        order.still(),
        longest == null
            ? null
            : new OrderTally.Longest(longest.blocked(), redactor.id(longest.outboxId())));
  }

  private DeliveryReport deliveries(DeliveryReport report) {
    return new DeliveryReport(
        each(report.leases(), this::leases),
        each(report.deadLetters(), this::dead),
        each(report.memory(), this::memory),
        new SideChannels(
            each(report.sideChannels().consumers(), this::consumer),
            each(report.sideChannels().types(), this::written)));
  }

  private DeliveryTimes.OfType leases(DeliveryTimes.OfType times) {
    return new DeliveryTimes.OfType(
        type(times.effectType()),
        times.rows(),
        times.lastCreatedAt(),
        times.windows(),
        delays(times.dispatchToAck()),
        delays(times.claimToDispatch()),
        delays(times.lease()),
        times.leaseTtl(),
        times.overTtl());
  }

  private Delays delays(Delays delays) {
    return new Delays(
        delays.counts(), delays.millis(), delays.longest(), redactor.id(delays.outboxId()));
  }

  private DeliveryReport.Dead dead(DeliveryReport.Dead dead) {
    return new DeliveryReport.Dead(
        type(dead.effectType()),
        dead.declared(),
        dead.implicit(),
        byConsumer(dead.received()),
        byConsumer(dead.neverReceived()),
        byConsumer(dead.notJudged()));
  }

  private ImmutableSortedMap<String, Long> byConsumer(ImmutableSortedMap<String, Long> counts) {
    TreeMap<String, Long> redacted = new TreeMap<>();
    counts.forEach(
        (consumer, count) -> redacted.merge(redactor.name("consumer", consumer), count, Long::sum));
    return ImmutableSortedMap.copyOfSorted(redacted);
  }

  private DedupMemory.OfSource memory(DedupMemory.OfSource memory) {
    return new DedupMemory.OfSource(
        redactor.name("source", memory.source()),
        memory.repeats(),
        memory.counts(),
        memory.millis(),
        memory.enough(),
        redactor.id(memory.sourceEventId()),
        memory.retention(),
        memory.beyondRetention(),
        memory.forgotten(),
        memory.raced(),
        memory.shortestForgotten(),
        memory.remembered(),
        memory.longestRemembered(),
        memory.surplusRows());
  }

  private SideChannels.OfConsumer consumer(SideChannels.OfConsumer consumer) {
    return new SideChannels.OfConsumer(
        redactor.name("consumer", consumer.consumer()),
        consumer.declared(),
        consumer.acks(),
        consumer.firstAt(),
        consumer.lastAt());
  }

  private SideChannels.OfType written(SideChannels.OfType type) {
    return new SideChannels.OfType(
        type(type.effectType()),
        type.declared(),
        type.expected(),
        type.rows(),
        type.lastCreatedAt());
  }

  private RunReport.ReplayFacts replay(RunReport.ReplayFacts replay) {
    return new RunReport.ReplayFacts(
        redactor.id(replay.replayId()),
        redactor.name("topic", replay.topic()),
        replay.from(),
        replay.to(),
        replay.registered(),
        replay.authorised(),
        replay.effectKeys(),
        replay.activity(),
        replay.scopeEvents(),
        replay.seenEvents());
  }
}
