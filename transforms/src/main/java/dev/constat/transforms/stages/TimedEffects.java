package dev.constat.transforms.stages;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.plan.Planner;
import dev.constat.rules.reconcile.Arrival;
import dev.constat.rules.reconcile.EffectJudge;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.Ledger;
import dev.constat.rules.reconcile.Quarantined;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.time.Timeliness;
import java.util.List;

/**
 * Judges the effects of an event as they are if it was on time, or late, and has what it says wait
 * until that is known.
 */
final class TimedEffects implements Ledger {

  private final Timeliness condition;
  private final ArrivalRecords arrivals;
  private final EffectJudge judge;
  private ArrivalRecords.Position place;
  private Tally counts;
  private Planner planner = Planner.NONE;

  /**
   * A judge of one case.
   *
   * @param condition the case
   * @param arrivals takes what waits
   */
  TimedEffects(RunFacts facts, Timeliness condition, ArrivalRecords arrivals) {
    this.condition = condition;
    this.arrivals = arrivals;
    this.judge = new EffectJudge(facts, this);
  }

  /** Plans besides, for a run that does. */
  TimedEffects planning(RunFacts facts) {
    planner =
        new PlanRecords(
                (group, order, kind, body) ->
                    arrivals
                        .planned(place, condition, PlanRecords.LINES_EXIT)
                        .append(group, order, kind, body),
                (group, order, kind, body) ->
                    arrivals
                        .planned(place, condition, PlanRecords.AGGREGATES_EXIT)
                        .append(group, order, kind, body))
            .planner(facts, this::tally);
    return this;
  }

  /** Plans if the case holds; told of events by whoever has this judge them. */
  Planner planner() {
    return planner;
  }

  /** Begins an event, as {@link EffectJudge#begin} does. */
  EffectJudge begin(KeyVerdict verdict, List<String> scope, boolean ambiguous) {
    place = new ArrivalRecords.Position(verdict.first(), verdict.text());
    counts = new Tally();
    judge.begin(verdict.with(condition), scope, ambiguous);
    return judge;
  }

  /** Has the counts wait, once the judge has ended the event. */
  void end() {
    arrivals.counts(place, condition, counts);
  }

  @Override
  public void decision(Arrival arrival) {
    throw new IllegalStateException("[BUG] Effects decide no reception");
  }

  @Override
  public void effect(Object[] row) {
    arrivals.effect(place, condition, row);
  }

  @Override
  public void quarantine(Quarantined version) {
    throw new IllegalStateException("[BUG] Effects quarantine nothing");
  }

  @Override
  public void inAggregate(AggregateRow row) {
    planner.inAggregate(row);
    arrivals.inAggregate(place, condition, row);
  }

  @Override
  public void finding(Finding finding) {
    planner.finding(finding);
    arrivals.finding(place, condition, finding);
  }

  @Override
  public Tally tally() {
    return counts;
  }
}
