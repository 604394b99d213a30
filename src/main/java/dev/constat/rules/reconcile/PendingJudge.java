package dev.constat.rules.reconcile;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.outbox.OutboxPosition;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.StateClass;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.spec.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Says of rows that are PENDING for longer than they may what that amounts to: STUCK_PENDING, or
 * BLOCKED_BY_HEAD where an earlier row of an aggregate that keeps its order is not terminal, which
 * is known only where the aggregate is scanned.
 */
public final class PendingJudge {

  private static final String RULE = "states/1";

  private final RunFacts facts;
  private final Consumer<Finding> findings;
  private final Supplier<Tally> tallies;

  /** What of a row is asked for. */
  private record Pending(
      String outboxId,
      String effectType,
      Long attempts,
      Instant createdAt,
      Instant due,
      Duration pendingAfter,
      Place place) {}

  /**
   * A judge of the rows of a run.
   *
   * @param findings is told what it finds
   * @param tallies gives where to count
   */
  public PendingJudge(RunFacts facts, Consumer<Finding> findings, Supplier<Tally> tallies) {
    this.facts = facts;
    this.findings = findings;
    this.tallies = tallies;
  }

  /** From when on a PENDING row could have been sent. */
  static Instant due(OutboxRow row) {
    Instant visible = row.visibleAt().orNull();
    return visible != null && visible.isAfter(row.createdAt()) ? visible : row.createdAt();
  }

  /** That a row which nothing can hold back is stuck. */
  void stuck(OutboxRow row, Effect limits) {
    if (limits.ordered() && !row.replayed()) {
      CheckTally.notJudged(tallies.get(), Kind.BLOCKED_BY_HEAD, AggregateRows.NO_AGGREGATE);
    }
    stuck(
        new Pending(
            row.outboxId(),
            row.effectType(),
            row.attempts(),
            row.createdAt(),
            due(row),
            limits.pendingAfter(),
            row.place()));
  }

  /**
   * That a row is stuck, or held back; counted in its book.
   *
   * @param row a row that is waiting
   * @param head the first earlier row of its aggregate that is not terminal, or null
   */
  public void waiting(AggregateRow row, AggregateRow head) {
    Tally tally = tallies.get();
    StateClass state = head == null ? StateClass.STUCK_PENDING : StateClass.BLOCKED_BY_HEAD;
    tally.add(1, CheckTally.BOOK, "states", state.name());
    tally.add(1, CheckTally.STATES, row.effectType(), state.name());
    if (!row.judged()) {
      return;
    }
    CheckTally.judged(tally, Kind.BLOCKED_BY_HEAD);
    Pending pending =
        new Pending(
            row.outboxId(),
            row.effectType(),
            row.attempts(),
            row.createdAt(),
            row.due(),
            row.pendingAfter(),
            row.place());
    if (head == null) {
      stuck(pending);
    } else {
      CheckTally.judged(tally, Kind.STUCK_PENDING);
      blocked(pending, head);
    }
  }

  private void stuck(Pending row) {
    CheckTally.judged(tallies.get(), Kind.STUCK_PENDING);
    Duration pending = Duration.between(row.due(), cut());
    KeyWriter position = new KeyWriter();
    OutboxPosition.write(
        position, row.createdAt(), row.outboxId(), facts.spec().integerOutboxIds());
    findings.accept(
        about(Kind.STUCK_PENDING, row)
            .because(Sentence.of("PENDING for ").and(pending).and(" at the cut"))
            .sides(
                new JsonObject().put("pending_at_most", row.pendingAfter().toString()),
                side(row).put("pending", pending.toString()))
            .when(row.due())
            .hint(
                row.attempts() != null
                    && row.attempts() == 0
                    && facts.dispatchedBehind(position.toBytes()),
                "CURSOR_SKIP")
            .finding());
  }

  private void blocked(Pending row, AggregateRow head) {
    Duration blocked = Duration.between(row.due(), cut());
    findings.accept(
        about(Kind.BLOCKED_BY_HEAD, row)
            .because(
                Sentence.of("Held back for ")
                    .and(blocked)
                    .and(" by ")
                    .value("outbox_id", head.outboxId())
                    .and(", ")
                    .and(head.status()))
            .sides(
                new JsonObject()
                    .put("head_status", List.of(Status.DISPATCHED.name(), Status.DLQ.name())),
                side(row)
                    .put("blocked", blocked.toString())
                    .put("blocked_since", row.due())
                    .put("head", head.outboxId())
                    .put("head_status", head.status().name())
                    .putNullable("head_attempts", head.attempts())
                    .put("aggregate_type", head.aggregateType())
                    .put("aggregate_id", head.aggregateId()))
            .seenAt(head.place())
            .when(row.due())
            .finding());
  }

  private Instant cut() {
    return facts.input(Input.OUTBOX).cut();
  }

  private static Statement about(Kind kind, Pending row) {
    return Statement.of(kind, new JsonObject().put("outbox_id", row.outboxId()))
        .under(RULE)
        .seenAt(row.place());
  }

  private static JsonObject side(Pending row) {
    return new JsonObject()
        .put("status", Status.PENDING.name())
        .putNullable("attempts", row.attempts())
        .put("effect_type", row.effectType());
  }
}
