package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import java.time.Duration;
import java.time.Instant;

/**
 * Where each absence stops being explained by an extract's edge (the table of horizons in spec
 * section 6). Absence is judged between the two inputs concerned; each method names its row of the
 * table, and takes the subject's time and the limits of its effect.
 */
public final class Horizons {

  private final RunFacts facts;
  private final Duration largestGrace;

  /** The horizons of a run. */
  public Horizons(RunFacts facts) {
    this.facts = facts;
    this.largestGrace = new EffectPolicy(facts.spec()).largestGrace();
  }

  /** MISSING_OUTBOX: of an event by its first received_at. */
  public Standing missingOutbox(Instant received, Duration grace) {
    return standing(
        received, earlier(cut(Input.EVENTS), cut(Input.OUTBOX)), grace, start(Input.OUTBOX));
  }

  /** ORPHAN_OUTBOX: of a row by its created_at. */
  public Standing orphanOutbox(Instant created, Duration grace, Duration pendingAfter) {
    return standing(
        created,
        earlier(cut(Input.OUTBOX), cut(Input.EVENTS)),
        grace,
        plus(start(Input.EVENTS), pendingAfter));
  }

  /** MISSING_ACK: of a row by its dispatched_at, else created_at. */
  public Standing missingAck(Instant sent, Duration grace) {
    return standing(
        sent,
        earlier(cut(Input.OUTBOX), cut(Input.ACKNOWLEDGEMENTS)),
        grace,
        start(Input.ACKNOWLEDGEMENTS));
  }

  /** ORPHAN_ACK: of an acknowledgement by its acked_at. */
  public Standing orphanAck(Instant acked, Duration grace, Duration pendingAfter) {
    return standing(
        acked,
        earlier(cut(Input.ACKNOWLEDGEMENTS), cut(Input.OUTBOX)),
        grace,
        plus(start(Input.OUTBOX), pendingAfter));
  }

  /** DECISION_MISSING: of a reception by its received_at. */
  public Standing decisionMissing(Instant received, Duration grace) {
    return standing(
        received, earlier(cut(Input.EVENTS), cut(Input.DECISIONS)), grace, start(Input.DECISIONS));
  }

  /** DECISION_ORPHAN: of a recorded decision by its decided_at; without one it is settled. */
  public Standing decisionOrphan(Instant decided, Duration grace) {
    return decided == null
        ? Standing.SETTLED
        : standing(
            decided, earlier(cut(Input.EVENTS), cut(Input.DECISIONS)), grace, start(Input.EVENTS));
  }

  /**
   * Cells: by the end of their window and the allowed lateness, else by when their last event was
   * received. A window that begins before the events do is out of horizon: some of it is missing.
   *
   * @param windowStart start of its window, or null where it has none
   * @param time that time; null, where no event is known, is settled
   */
  public Standing cell(Instant windowStart, Instant time) {
    Instant events = start(Input.EVENTS);
    if (windowStart != null && events != null && windowStart.isBefore(events)) {
      return Standing.OUT_OF_HORIZON;
    }
    return time == null
        ? Standing.SETTLED
        : standing(time, cut(Input.PROJECTIONS), largestGrace, start(Input.PROJECTIONS));
  }

  /** STUCK_PENDING: whether a row has waited for longer than it may. */
  public boolean stuckPending(Instant due, Duration pendingAfter) {
    return due.isBefore(cut(Input.OUTBOX).minus(pendingAfter));
  }

  /** STUCK_LEASE: whether a lease ended longer ago than the grace allows. */
  public boolean stuckLease(Instant ended, Duration grace) {
    return ended.isBefore(cut(Input.OUTBOX).minus(grace));
  }

  /** IMPLICIT_DLQ and ACKED_NOT_TERMINAL: whether a state has stood for the grace. */
  public boolean settledInOutbox(Instant since, Duration grace) {
    return !since.isAfter(cut(Input.OUTBOX).minus(grace));
  }

  private static Standing standing(
      Instant time, Instant cut, Duration grace, Instant outOfHorizonBefore) {
    if (outOfHorizonBefore != null && time.isBefore(outOfHorizonBefore)) {
      return Standing.OUT_OF_HORIZON;
    }
    return time.isAfter(cut.minus(grace)) ? Standing.IN_FLIGHT : Standing.SETTLED;
  }

  private Instant cut(Input input) {
    return facts.input(input).cut();
  }

  private Instant start(Input input) {
    return facts.input(input).start();
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Instant plus(Instant instant, Duration duration) {
    return instant == null ? null : instant.plus(duration);
  }
}
