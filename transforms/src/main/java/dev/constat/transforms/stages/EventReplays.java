package dev.constat.transforms.stages;

import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.reconcile.AckJudge;
import dev.constat.rules.reconcile.Arrival;
import dev.constat.rules.reconcile.EventOrigin;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.Ledger;
import dev.constat.rules.reconcile.ReplayEffects;
import dev.constat.rules.reconcile.ReplayJudge;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.replay.ReplayActivity;
import dev.constat.rules.replay.ReplayActivity.What;
import java.io.IOException;

/**
 * What replays did to one event after the other: has it judged by the registry, put in the order of
 * its effects, counted, and sent on to be followed. Events of which no replay left a trace cost it
 * nothing where there is no registry.
 */
final class EventReplays {

  private final ReplayActivity activity;
  private final ReplayJudge judge;
  private final ReplayEffects effects;
  private final EventOrigin origin;
  private final ReplayRecords records;
  private final EffectUnits units;
  private final Ledger ledger;

  private AckJudge.JsonSubject event;
  private OutboxRow row;
  private boolean acknowledged;

  /**
   * What replays did.
   *
   * @param records sends it on, or null where the run has no registry
   * @param units puts acknowledgements of an event in order
   */
  EventReplays(RunFacts facts, Ledger ledger, ReplayRecords records, EffectUnits units) {
    this.activity = new ReplayActivity(facts.replays());
    this.judge = new ReplayJudge(facts, ledger, activity);
    this.effects = new ReplayEffects(facts, ledger, judge, activity);
    this.origin = new EventOrigin(facts.spec().integerOutboxIds());
    this.records = records;
    this.units = units;
    this.ledger = ledger;
  }

  /** Begins an event, or rows that belong to none. */
  void begin(AckJudge.JsonSubject subject) {
    event = subject;
    row = null;
    if (records != null) {
      origin.begin();
      records.begin();
    }
  }

  /** A reception of a replay. */
  void reception(Arrival arrival) throws IOException {
    activity.count(
        arrival.reception().replayId(), What.RECEPTIONS, 1, arrival.reception().receivedAt());
    if (records != null) {
      records.reception(arrival);
    }
  }

  /** The next outbox row. */
  void row(OutboxRow next) throws IOException {
    endRow();
    row = next;
    acknowledged = false;
    if (next.replayed()) {
      activity.count(next.replayId(), What.ROWS, 1, next.createdAt());
    }
    if (records != null) {
      origin.row(next);
      if (next.replayed()) {
        records.trace(next.replayId(), next.createdAt());
      }
    }
  }

  /** The next acknowledgements of the row that are of a replay: their own, else the row's. */
  void fold(AckFold fold) throws IOException {
    String replayId = fold.replayId() == null ? row.replayId() : fold.replayId();
    acknowledged |= replayId.equals(row.replayId());
    activity.count(replayId, What.ACKS, fold.total(), fold.firstAt());
    activity.count(replayId, What.ACKS, 0, fold.lastAt());
    if (records != null) {
      records.trace(replayId, fold.lastAt());
    }
    if (judge.acks(replayId, row, fold, event)) {
      units.addReplayed(fold, replayId);
    }
  }

  /** An acknowledgement of a replay whose outbox row is not there. */
  void looseAck(Acknowledgement ack) {
    activity.count(ack.replayId(), What.ACKS, 1, ack.ackedAt());
    judge.looseAck(ack);
  }

  private void endRow() throws IOException {
    if (row != null && row.replayed() && !acknowledged && judge.row(row, event)) {
      units.addReplayedRow(ReplayEffects.unacknowledged(row), row.replayId());
    }
    row = null;
  }

  /**
   * Completes the event: what its acknowledgements are can be asked now.
   *
   * @param verdict what identity says of it, or null where there is no event
   * @return takes its acknowledgements
   */
  ReplayEffects end(KeyVerdict verdict) throws IOException {
    endRow();
    if (records != null && verdict != null) {
      origin.end(verdict.first());
      records.end(verdict, origin);
    }
    effects.begin(event, verdict == null ? null : origin);
    return effects;
  }

  /** Adds what was counted to the tally; to be called once, at the end. */
  void end() {
    activity.addTo(ledger.tally());
  }
}
