package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.order.Release;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.StateClass;
import dev.constat.rules.spec.Effect;
import java.time.Instant;

/**
 * Says which rows take part in the order of their aggregate, and how (spec section 6, order):
 * originals of one content that name an aggregate. Of ordered rows whose order cannot be judged it
 * counts why.
 */
final class AggregateRows {

  /** Why the order of a row is not judged that names no aggregate. */
  static final String NO_AGGREGATE = "no aggregate_id";

  private final RunFacts facts;
  private final Horizons horizons;

  AggregateRows(RunFacts facts) {
    this.facts = facts;
    this.horizons = new Horizons(facts);
  }

  /** Whether the order of its aggregate decides what a row amounts to that is stuck by itself. */
  static boolean decides(OutboxRow row, Effect limits) {
    return limits.ordered() && !row.replayed() && row.aggregateId() != null;
  }

  /**
   * A row as it stands in its aggregate, or null where it takes no part.
   *
   * @param state what its state amounts to, apart from its aggregate
   */
  AggregateRow of(Delivery delivery, Effect limits, StateClass state, Tally tally) {
    OutboxRow row = delivery.row();
    if (row.replayed()) {
      return null;
    }
    boolean judged = facts.judged(row.createdAt());
    Instant sent = delivery.firstOriginalAt();
    sent = sent == null ? row.dispatchedAt().orNull() : sent;
    sent = afterAsOf(sent) ? null : sent;
    Instant dead = afterAsOf(row.dlqAt().orNull()) ? null : row.dlqAt().orNull();
    if (limits.ordered()) {
      String because = judged ? notJudged(delivery, sent) : EffectJudge.OUTSIDE;
      if (because != null) {
        CheckTally.notJudged(tally, Kind.ORDER_VIOLATION, because);
      }
    }
    if (row.aggregateId() == null || delivery.stateConflict()) {
      return null;
    }
    boolean waiting = state == StateClass.STUCK_PENDING && decides(row, limits);
    return new AggregateRow(
        row.aggregateType(),
        row.aggregateId(),
        row.outboxId(),
        row.createdAt(),
        row.effectType(),
        limits.ordered(),
        judged,
        sent != null && horizons.settledInOutbox(sent, limits.grace()),
        sent != null && !delivery.acknowledged() && maybeAcknowledged(sent, limits),
        waiting,
        row.status(),
        sent == null && !row.dispatchedAt().known()
            ? Release.UNKNOWN
            : Release.of(row.status(), sent, row.dlqAt().known(), dead, facts.statesKnown()),
        sent,
        dead,
        row.attempts(),
        row.priority(),
        row.visibleAt().orNull(),
        waiting ? limits.pendingAfter() : null,
        limits.ordered() ? row.place() : null);
  }

  /** Whether a row that was marked as sent may have been acknowledged beyond the cut. */
  private boolean maybeAcknowledged(Instant sent, Effect limits) {
    return facts.has(Input.ACKNOWLEDGEMENTS)
        && horizons.missingAck(sent, limits.grace()) == Standing.IN_FLIGHT;
  }

  /** Whether something happened after the moment that the run is to judge from. */
  private boolean afterAsOf(Instant time) {
    return time != null && facts.spec().asOf() != null && time.isAfter(facts.spec().asOf());
  }

  /** Why the order of a row cannot be judged, or null where it can or nothing is to be judged. */
  private String notJudged(Delivery delivery, Instant sent) {
    OutboxRow row = delivery.row();
    if (row.aggregateId() == null) {
      return NO_AGGREGATE;
    }
    if (delivery.stateConflict()) {
      return "several contents";
    }
    if (sent != null) {
      return null;
    }
    if (!row.dispatchedAt().known()) {
      return "dispatched_at without a zone";
    }
    if (!row.dlqAt().known()) {
      return "dlq_at without a zone";
    }
    if (row.status() == null) {
      return "no status";
    }
    if (afterAsOf(row.dispatchedAt().orNull()) || afterAsOf(row.dlqAt().orNull())) {
      return StateJudge.AS_OF_BEFORE_CUT;
    }
    return switch (row.status()) {
      case DISPATCHED -> "DISPATCHED without a time";
      case DLQ -> row.dlqAt().absent() ? "DLQ without dlq_at" : null;
      case PENDING, PROCESSING -> facts.statesKnown() ? null : StateJudge.AS_OF_BEFORE_CUT;
    };
  }
}
