package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.reconcile.AckJudge.JsonSubject;
import dev.constat.rules.replay.FollowedReplay;
import dev.constat.rules.replay.Replay;
import dev.constat.rules.replay.ReplayActivity;
import java.time.Instant;

/**
 * Holds what replays did against what the registry lets them do (spec section 6). Leave comes
 * first: what a replay without leave emitted is UNAUTHORISED_REPLAY_EFFECT, whatever its key, and
 * nothing else is said of it; a replay that the registry does not know has no leave. What an
 * authorised one emitted of an event outside its scope is REPLAY_OUT_OF_SCOPE. Without a registry,
 * or with an empty one, nothing is judged.
 */
public final class ReplayJudge {

  /** Reason of UNAUTHORISED_REPLAY_EFFECT: the registry does not know the replay. */
  public static final String UNKNOWN_REPLAY = "UNKNOWN_REPLAY";

  /** Reason of UNAUTHORISED_REPLAY_EFFECT: the registry knows it, and lets it have no effects. */
  public static final String FORBIDDEN = "FORBIDDEN";

  private static final String RULE = "replays/1";
  private static final String NO_EVENT_KNOWN = "event unknown";
  private static final String ORIGINAL_ABSENT = "event known by replays alone";

  private final RunFacts facts;
  private final Ledger ledger;
  private final ReplayActivity activity;
  private final String unavailable;

  /** A judge that reports to a ledger, and counts what each replay did. */
  public ReplayJudge(RunFacts facts, Ledger ledger, ReplayActivity activity) {
    this.facts = facts;
    this.ledger = ledger;
    this.activity = activity;
    this.unavailable = facts.whyNot(Input.REPLAYS);
  }

  /**
   * Acknowledgements of a replay, of a row that is there.
   *
   * @param replayId the replay
   * @param event describes the event, or what the row names
   * @return whether the replay has leave, so that it is to be asked what effects these are
   */
  public boolean acks(String replayId, OutboxRow row, AckFold fold, JsonSubject event) {
    JsonObject actual =
        event
            .describe(new JsonObject())
            .put("effect_type", row.effectType())
            .put("acks", fold.total());
    return hasLeave(
        replayId,
        subject(replayId, row.outboxId(), fold.consumer(), fold.effectKey()),
        actual,
        new Emitted(
            fold.total(),
            fold.effectiveJudged() + fold.notAppliedJudged(),
            fold.firstAt(),
            fold.firstPlace(),
            fold.lastAt(),
            fold.lastPlace()));
  }

  /**
   * A replay's row that nobody acknowledged.
   *
   * @return whether the replay has leave
   */
  public boolean row(OutboxRow row, JsonSubject event) {
    if (unavailable != null || !facts.judged(row.createdAt())) {
      notJudged(1, unavailable == null ? EffectJudge.OUTSIDE : unavailable);
      return false;
    }
    judged(1);
    Replay replay = facts.replays().replay(row.replayId());
    if (replay != null && replay.effectsAuthorised()) {
      return true;
    }
    JsonObject actual =
        event
            .describe(new JsonObject())
            .put("effect_type", row.effectType())
            .put("status", row.status() == null ? null : row.status().name())
            .put("acks", 0);
    state(
        replay,
        subject(row.replayId(), row.outboxId(), null, null),
        actual,
        new Emitted(1, 1, row.createdAt(), row.place(), row.createdAt(), row.place()));
    return false;
  }

  /** An acknowledgement of a replay whose outbox row is not there. */
  public void looseAck(Acknowledgement ack) {
    JsonObject actual =
        new JsonObject()
            .put("source", ack.source())
            .put("source_event_id", ack.sourceEventId())
            .put("acks", 1)
            .put("outbox_rows", 0);
    boolean hasLeave =
        hasLeave(
            ack.replayId(),
            subject(ack.replayId(), ack.outboxId(), ack.consumer(), ack.effectKey()),
            actual,
            new Emitted(
                1,
                facts.judged(ack.ackedAt()) ? 1 : 0,
                ack.ackedAt(),
                ack.place(),
                ack.ackedAt(),
                ack.place()));
    if (hasLeave) {
      // Of what event it is an effect nobody can tell.
      CheckTally.notJudged(ledger.tally(), Kind.REPLAY_OUT_OF_SCOPE, NO_EVENT_KNOWN);
      ReplayBook.add(ledger.tally(), ReplayBook.NOT_JUDGED, 1);
    }
  }

  /**
   * What a replay emitted under one subject.
   *
   * @param all how much of it there is
   * @param judged how much of it is judged
   */
  private record Emitted(
      long all, long judged, Instant firstAt, Place first, Instant lastAt, Place last) {}

  /** Whether a replay has leave; where it has none, or nobody can say, everything is said here. */
  private boolean hasLeave(
      String replayId, JsonObject subject, JsonObject actual, Emitted emitted) {
    if (unavailable != null) {
      notJudged(emitted.all(), unavailable);
      ReplayBook.add(ledger.tally(), ReplayBook.NOT_JUDGED, emitted.all());
      return false;
    }
    long outside = emitted.all() - emitted.judged();
    judged(emitted.judged());
    notJudged(outside, EffectJudge.OUTSIDE);
    Replay replay = facts.replays().replay(replayId);
    if (replay != null && replay.effectsAuthorised()) {
      return true;
    }
    ReplayBook.add(ledger.tally(), ReplayBook.NOT_JUDGED, outside);
    ReplayBook.add(ledger.tally(), ReplayBook.UNAUTHORISED, emitted.judged());
    if (emitted.judged() > 0) {
      activity.count(replayId, ReplayActivity.What.UNAUTHORISED, emitted.judged(), null);
      state(replay, subject, actual, emitted);
    }
    return false;
  }

  private void state(Replay replay, JsonObject subject, JsonObject actual, Emitted emitted) {
    ledger.finding(
        Statement.of(Kind.UNAUTHORISED_REPLAY_EFFECT, subject)
            .because(
                replay == null
                    ? UNKNOWN_REPLAY + ": an effect of a replay that the registry does not know"
                    : FORBIDDEN + ": an effect of a replay that may have none")
            .sides(
                new JsonObject().put("effects", 0),
                actual
                    .put("registered", replay != null)
                    .put("reason", replay == null ? UNKNOWN_REPLAY : FORBIDDEN))
            .under(RULE)
            .seenAt(emitted.first(), emitted.last(), replay == null ? null : replay.place())
            .when(emitted.firstAt(), emitted.lastAt())
            .hint(replay == null && facts.incomplete(Input.REPLAYS), EffectJudge.INPUT_INCOMPLETE)
            .times(emitted.judged())
            .finding());
  }

  /**
   * What an authorised replay emitted, once it is known where its event comes from.
   *
   * @param emitted the acknowledgements, or a row that has none as {@link ReplayEffects} has it
   * @param rowOnly whether it is such a row
   * @param origin of the event, or null where no event is known
   */
  public void scope(
      String replayId, AckFold emitted, boolean rowOnly, EventOrigin origin, JsonSubject event) {
    Replay replay = facts.replays().replay(replayId);
    if (emitted.effectiveJudged() + emitted.notAppliedJudged() == 0) {
      CheckTally.notJudged(ledger.tally(), Kind.REPLAY_OUT_OF_SCOPE, EffectJudge.OUTSIDE);
      return;
    }
    if (origin == null || origin.createdAt() == null) {
      CheckTally.notJudged(
          ledger.tally(),
          Kind.REPLAY_OUT_OF_SCOPE,
          origin == null ? NO_EVENT_KNOWN : ORIGINAL_ABSENT);
      return;
    }
    Replay.Scope scope = replay.scopeOf(origin.createdAt(), origin.topic());
    if (scope == Replay.Scope.UNKNOWN) {
      CheckTally.notJudged(ledger.tally(), Kind.REPLAY_OUT_OF_SCOPE, FollowedReplay.NO_ZONE);
      return;
    }
    CheckTally.judged(ledger.tally(), Kind.REPLAY_OUT_OF_SCOPE);
    if (scope == Replay.Scope.INSIDE) {
      return;
    }
    ledger.finding(
        Statement.of(
                Kind.REPLAY_OUT_OF_SCOPE,
                subject(
                    replayId,
                    emitted.outboxId(),
                    rowOnly ? null : emitted.consumer(),
                    rowOnly ? null : emitted.effectKey()))
            .because(
                switch (scope) {
                  case OTHER_TOPIC -> "The replay emitted an event of another topic than its own";
                  case BEFORE -> "The replay emitted an event older than its interval";
                  case AFTER -> "The replay emitted an event younger than its interval";
                  case INSIDE, UNKNOWN -> throw new IllegalStateException("[BUG] In scope");
                })
            .sides(
                replay.describeScope(new JsonObject()),
                event
                    .describe(new JsonObject())
                    .put("effect_type", emitted.effectType())
                    .put("created_at", origin.createdAt())
                    .put("topic", origin.topic())
                    .put("acks", rowOnly ? 0 : emitted.total()))
            .under(RULE)
            .seenAt(emitted.firstPlace(), replay.place())
            .when(emitted.firstAt(), emitted.lastAt())
            .times(rowOnly ? 1 : emitted.effectiveJudged() + emitted.notAppliedJudged())
            .finding());
  }

  private void judged(long count) {
    if (count > 0) {
      ledger.tally().add(count, CheckTally.JUDGED, Kind.UNAUTHORISED_REPLAY_EFFECT.name());
    }
  }

  private void notJudged(long count, String reason) {
    if (count > 0) {
      ledger
          .tally()
          .add(count, CheckTally.NOT_JUDGED, Kind.UNAUTHORISED_REPLAY_EFFECT.name(), reason);
    }
  }

  private static JsonObject subject(
      String replayId, String outboxId, String consumer, String effectKey) {
    return new JsonObject()
        .put("replay_id", replayId)
        .put("outbox_id", outboxId)
        .put("consumer", consumer)
        .put("effect_key", effectKey);
  }
}
