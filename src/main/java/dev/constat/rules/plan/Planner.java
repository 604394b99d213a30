package dev.constat.rules.plan;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.reconcile.KeyVerdict;

/**
 * Follows the judges from event to event, and plans. Of an event comes first what identity says,
 * then its rows by effect type, originals before replays, in contract order, each followed by its
 * folded acknowledgements; what is found comes as the judges state it, a row's own state before the
 * row, what its acknowledgements show before the next row.
 */
public interface Planner {

  /** Plans nothing. */
  Planner NONE = new Nothing();

  /**
   * Begins an event.
   *
   * @param verdict what identity says of it
   * @param ambiguous whether a row names several events, this among them
   * @param looseAck names an acknowledgement that stands for an effect of the event, and whose row
   *     is not there; null where there is none
   */
  void begin(KeyVerdict verdict, boolean ambiguous, String looseAck);

  /** Begins rows that belong to no event. */
  void beginOrphans();

  /** The next row. */
  void row(Delivery next);

  /** How the row that comes next stands in its aggregate, where it takes part in its order. */
  void inAggregate(AggregateRow row);

  /** The next acknowledgements of the row. */
  void fold(AckFold fold);

  /** Something that was found. */
  void finding(Finding finding);

  /** Completes the event. */
  void end();

  /** Plans nothing. */
  final class Nothing implements Planner {

    private Nothing() {}

    @Override
    public void begin(KeyVerdict verdict, boolean ambiguous, String looseAck) {
      // nothing is planned
    }

    @Override
    public void beginOrphans() {
      // nothing is planned
    }

    @Override
    public void row(Delivery next) {
      // nothing is planned
    }

    @Override
    public void inAggregate(AggregateRow row) {
      // nothing is planned
    }

    @Override
    public void fold(AckFold fold) {
      // nothing is planned
    }

    @Override
    public void finding(Finding finding) {
      // nothing is planned
    }

    @Override
    public void end() {
      // nothing is planned
    }
  }
}
