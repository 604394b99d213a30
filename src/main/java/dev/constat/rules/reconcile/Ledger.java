package dev.constat.rules.reconcile;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.order.AggregateRow;

/** Takes down what the rules say about events and their effects, as they say it. */
public interface Ledger {

  /** A reception as identity decided it. */
  void decision(Arrival arrival);

  /** A row of {@link dev.constat.rules.table.Tables#EFFECTS}. */
  void effect(Object[] row);

  /** A version to be quarantined, payload still to be fetched. */
  void quarantine(Quarantined version);

  /** An outbox row that takes part in the order of its aggregate. */
  void inAggregate(AggregateRow row);

  /** A finding, or a part of one. */
  void finding(Finding finding);

  /** Where to count. */
  Tally tally();
}
