package dev.constat.rules.reconcile;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.StateClass;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.spec.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Says what the state of an outbox row amounts to, and what contradicts itself in it. */
public final class StateJudge {

  /** Why a state is not judged that an as_of given cannot wind back. */
  static final String AS_OF_BEFORE_CUT = "as_of before the cut of outbox";

  private static final String RULE = "states/1";

  private final RunFacts facts;
  private final Horizons horizons;
  private final Ledger ledger;
  private final PendingJudge pending;

  /** A judge of the rows of a run. */
  public StateJudge(RunFacts facts, Ledger ledger) {
    this.facts = facts;
    this.horizons = new Horizons(facts);
    this.ledger = ledger;
    this.pending = new PendingJudge(facts, ledger::finding, ledger::tally);
  }

  /**
   * Judges a row. One that is stuck unless its aggregate holds it back is left to {@link
   * PendingJudge#waiting}, its place in the book of states with it.
   *
   * @param delivery the row with its acknowledgements
   * @param limits the limits it is held to
   * @return its class, apart from its aggregate; the first that applies
   */
  public StateClass judge(Delivery delivery, Effect limits) {
    OutboxRow row = delivery.row();
    StateClass state = classify(delivery, limits);
    Tally tally = ledger.tally();
    boolean waiting = state == StateClass.STUCK_PENDING && AggregateRows.decides(row, limits);
    if (!waiting) {
      tally.add(1, CheckTally.BOOK, "states", state.name());
      tally.add(1, CheckTally.STATES, row.effectType(), state.name());
    }
    if (row.attempts() != null && row.attempts() > 1) {
      tally.add(1, CheckTally.RETRIED, row.effectType());
    }
    if (!facts.judged(row.createdAt())) {
      CheckTally.notJudged(tally, Kind.IMPOSSIBLE_STATE, EffectJudge.OUTSIDE);
      return state;
    }
    if (state == StateClass.NOT_JUDGED) {
      CheckTally.notJudged(
          tally,
          Kind.STUCK_PENDING,
          !facts.statesKnown()
              ? AS_OF_BEFORE_CUT
              : row.status() == null ? "no status" : "visible_at without a zone");
    }
    if (delivery.stateConflict()) {
      CheckTally.judged(tally, Kind.STATE_CONFLICT);
      ledger.finding(conflict(delivery));
      return state;
    }
    CheckTally.judged(tally, Kind.STATE_CONFLICT);
    CheckTally.judged(tally, Kind.IMPOSSIBLE_STATE);
    impossible(delivery);
    implausibleLease(row, limits);
    retryLimit(row, limits);
    if (!waiting) {
      stateFinding(state, delivery, limits);
    }
    return state;
  }

  private StateClass classify(Delivery delivery, Effect limits) {
    if (delivery.stateConflict()) {
      return StateClass.STATE_CONFLICT;
    }
    Status status = delivery.row().status();
    if (status == null || !facts.statesKnown()) {
      return StateClass.NOT_JUDGED;
    }
    return switch (status) {
      case DISPATCHED -> StateClass.DISPATCHED;
      case DLQ -> StateClass.DLQ;
      case PROCESSING ->
          delivery.acknowledged() ? StateClass.ACKED_NOT_TERMINAL : lease(delivery.row(), limits);
      case PENDING ->
          delivery.acknowledged() ? StateClass.ACKED_NOT_TERMINAL : pending(delivery.row(), limits);
    };
  }

  private StateClass lease(OutboxRow row, Effect limits) {
    boolean unknown =
        row.leaseUntil().absent() ? !row.claimedAt().known() : !row.leaseUntil().known();
    if (unknown) {
      return StateClass.LEASE_UNKNOWN;
    }
    return horizons.stuckLease(leaseEnd(row), limits.grace())
        ? StateClass.STUCK_LEASE
        : StateClass.LEASED;
  }

  private StateClass pending(OutboxRow row, Effect limits) {
    if (row.attempts() != null
        && row.attempts() >= limits.maxAttempts()
        && horizons.settledInOutbox(row.createdAt(), limits.grace())) {
      return StateClass.IMPLICIT_DLQ;
    }
    if (!horizons.stuckPending(PendingJudge.due(row), limits.pendingAfter())) {
      return StateClass.WAITING;
    }
    return row.visibleAt().known() ? StateClass.STUCK_PENDING : StateClass.NOT_JUDGED;
  }

  /** When a lease ended, as far as the row shows it. */
  private static Instant leaseEnd(OutboxRow row) {
    if (!row.leaseUntil().absent()) {
      return row.leaseUntil().instant();
    }
    Instant claimed = row.claimedAt().orNull();
    return claimed == null ? row.createdAt() : claimed;
  }

  private void stateFinding(StateClass state, Delivery delivery, Effect limits) {
    OutboxRow row = delivery.row();
    Tally tally = ledger.tally();
    Instant cut = facts.input(Input.OUTBOX).cut();
    switch (state) {
      case STUCK_PENDING -> pending.stuck(row, limits);
      case WAITING ->
          tally.add(1, CheckTally.SILENT, Kind.STUCK_PENDING.name(), Standing.IN_FLIGHT.name());
      case STUCK_LEASE -> {
        CheckTally.judged(tally, Kind.STUCK_LEASE);
        boolean leased = !row.leaseUntil().absent();
        ledger.finding(
            about(Kind.STUCK_LEASE, row)
                .because(
                    leased
                        ? Sentence.of("Lease expired ")
                            .and(Duration.between(leaseEnd(row), cut))
                            .and(" before the cut")
                        : Sentence.of("PROCESSING without lease for ")
                            .and(Duration.between(leaseEnd(row), cut)))
                .sides(
                    new JsonObject().put("recovered_within", limits.grace().toString()),
                    stateSide(row)
                        .put("lease_owner", row.leaseOwner())
                        .put("lease_until", row.leaseUntil().orNull())
                        .put("claimed_at", row.claimedAt().orNull()))
                .when(leaseEnd(row))
                .finding());
      }
      case LEASED -> CheckTally.judged(tally, Kind.STUCK_LEASE);
      case LEASE_UNKNOWN ->
          CheckTally.notJudged(
              tally,
              Kind.STUCK_LEASE,
              (row.leaseUntil().known() ? "claimed_at" : "lease_until") + " without a zone");
      case IMPLICIT_DLQ -> CheckTally.judged(tally, Kind.IMPLICIT_DLQ); // see DeadLetters
      case ACKED_NOT_TERMINAL -> {
        boolean settled = horizons.settledInOutbox(delivery.firstOriginalAt(), limits.grace());
        if (CheckTally.settled(
            tally, Kind.ACKED_NOT_TERMINAL, settled ? Standing.SETTLED : Standing.IN_FLIGHT)) {
          ledger.finding(
              about(Kind.ACKED_NOT_TERMINAL, row)
                  .because(Sentence.of("Acknowledged, yet still ").and(row.status()))
                  .sides(
                      new JsonObject().put("status", Status.DISPATCHED.name()),
                      stateSide(row).put("first_acked_at", delivery.firstOriginalAt()))
                  .seenAt(delivery.firstOriginalPlace())
                  .when(delivery.firstOriginalAt())
                  .finding());
        }
      }
      case DLQ -> CheckTally.judged(tally, Kind.DLQ); // see DeadLetters
      case DISPATCHED, BLOCKED_BY_HEAD, STATE_CONFLICT, NOT_JUDGED -> {
        // nothing to say of the state itself
      }
    }
  }

  private static Finding conflict(Delivery delivery) {
    OutboxRow row = delivery.row();
    return about(Kind.STATE_CONFLICT, row)
        .because("Several contents of one row, and no row_version says which holds")
        .sides(
            new JsonObject().put("contents", 1),
            stateSide(row).put("row_version", row.rowVersion().text()))
        .seenAt(delivery.other())
        .when(row.createdAt())
        .finding();
  }

  private void impossible(Delivery delivery) {
    OutboxRow row = delivery.row();
    List<Sentence> reasons = new ArrayList<>();
    before(reasons, "claimed_at", row.claimedAt().orNull(), row.createdAt());
    before(reasons, "dispatched_at", row.dispatchedAt().orNull(), row.createdAt());
    before(reasons, "dlq_at", row.dlqAt().orNull(), row.createdAt());
    before(reasons, "first acked_at", delivery.firstAckAt(), row.createdAt());
    if (row.status() == Status.DISPATCHED && row.attempts() != null && row.attempts() == 0) {
      reasons.add(Sentence.of("DISPATCHED with 0 attempts"));
    }
    if (delivery.acknowledgedEvent() != null) {
      reasons.add(
          Sentence.of("an acknowledgement names the event ")
              .value("event", delivery.acknowledgedEvent()));
    }
    if (reasons.isEmpty()) {
      return;
    }
    JsonObject actual =
        stateSide(row)
            .put("created_at", row.createdAt())
            .put("source", row.source())
            .put("source_event_id", row.sourceEventId())
            .put("contradictions", reasons.stream().map(Sentence::toString).toList());
    ledger.finding(
        about(Kind.IMPOSSIBLE_STATE, row)
            .because(Sentence.of("No history leads to this row: ").and(joined(reasons)))
            .sides(new JsonObject().put("contradictions", List.of()), actual)
            .seenAt(delivery.firstOriginalPlace())
            .when(row.createdAt(), delivery.firstAckAt())
            .finding());
  }

  private static Sentence joined(List<Sentence> sentences) {
    Sentence all = sentences.get(0);
    for (Sentence next : sentences.subList(1, sentences.size())) {
      all = all.and("; ").and(next);
    }
    return all;
  }

  private static void before(List<Sentence> reasons, String column, Instant time, Instant created) {
    if (time != null && time.isBefore(created)) {
      reasons.add(Sentence.ofConfigured(column).and(" ").and(time).and(" is before created_at"));
    }
  }

  private void implausibleLease(OutboxRow row, Effect limits) {
    Instant claimed = row.claimedAt().orNull();
    if (claimed == null || row.leaseUntil().absent()) {
      return;
    }
    CheckTally.judged(ledger.tally(), Kind.IMPLAUSIBLE_LEASE);
    Duration lease = Duration.between(claimed, row.leaseUntil().instant());
    if (lease.compareTo(limits.leaseTtl()) <= 0) {
      return;
    }
    ledger.finding(
        about(Kind.IMPLAUSIBLE_LEASE, row)
            .because(
                row.leaseUntil().known()
                    ? Sentence.of("A lease of ")
                        .and(lease)
                        .and(" is longer than any that is given out")
                    : Sentence.of("Even read as UTC, the lease of ")
                        .and(lease)
                        .and(" is longer than any given out"))
            .sides(
                new JsonObject().put("lease_ttl", limits.leaseTtl().toString()),
                new JsonObject()
                    .put("lease", lease.toString())
                    .put("lease_owner", row.leaseOwner())
                    .put("claimed_at", claimed))
            .when(claimed)
            .finding());
  }

  private void retryLimit(OutboxRow row, Effect limits) {
    if (row.attempts() == null) {
      return;
    }
    CheckTally.judged(ledger.tally(), Kind.RETRY_LIMIT_EXCEEDED);
    if (row.attempts() <= limits.maxAttempts() || !row.dlqAt().absent()) {
      return;
    }
    ledger.finding(
        about(Kind.RETRY_LIMIT_EXCEEDED, row)
            .because(Sentence.of("Tried ").and(row.attempts()).and(" times, more than the limit"))
            .sides(new JsonObject().put("max_attempts", limits.maxAttempts()), stateSide(row))
            .when(row.createdAt())
            .finding());
  }

  private static Statement about(Kind kind, OutboxRow row) {
    return Statement.of(kind, new JsonObject().put("outbox_id", row.outboxId()))
        .under(RULE)
        .seenAt(row.place());
  }

  private static JsonObject stateSide(OutboxRow row) {
    return new JsonObject()
        .put("status", row.status() == null ? null : row.status().name())
        .putNullable("attempts", row.attempts())
        .put("effect_type", row.effectType());
  }
}
