package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.StateClass;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.spec.Effect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * States dead letters once their acknowledgements are known: DLQ, which somebody declared, and
 * IMPLICIT_DLQ, which nobody did (spec section 6). Both say who never received the effect: each
 * expected consumer without an effective original acknowledgement. A row of a replay is a dead
 * letter like any other, but its deliveries have books of their own.
 */
final class DeadLetters {

  /** Line of the book of dead letters: the consumer received it all the same. */
  static final String RECEIVED = "received";

  /** Line of the book of dead letters: nothing shows that the consumer received it. */
  static final String NEVER_RECEIVED = "never received";

  /** Line of the book of dead letters. */
  static final String NOT_JUDGED = "not judged";

  private static final String RULE = "states/1";

  private final RunFacts facts;
  private final Horizons horizons;
  private final Ledger ledger;
  private final List<String> neverReceived = new ArrayList<>();
  private String notKnownBecause;
  private boolean consumersKnown;

  DeadLetters(RunFacts facts, Ledger ledger) {
    this.facts = facts;
    this.horizons = new Horizons(facts);
    this.ledger = ledger;
  }

  /** Whether a row of this state is a dead letter. */
  static boolean isDead(StateClass state) {
    return state == StateClass.DLQ || state == StateClass.IMPLICIT_DLQ;
  }

  /** Begins a row that is one and that {@code --from/--to} choose. */
  void begin(OutboxRow row, StateClass state, Effect limits) {
    neverReceived.clear();
    consumersKnown = limits.consumers() != null;
    notKnownBecause = null;
    if (!row.replayed()) {
      boolean declared = state == StateClass.DLQ;
      ledger
          .tally()
          .add(1, declared ? CheckTally.DEAD_DECLARED : CheckTally.DEAD_IMPLICIT, row.effectType());
    }
  }

  /**
   * Takes an expected consumer in; they come by name.
   *
   * @param received whether an effective original acknowledgement of its is there
   */
  void consumer(OutboxRow row, Effect limits, String consumer, boolean received) {
    String line = received ? RECEIVED : absent(row, limits);
    if (line.equals(NEVER_RECEIVED)) {
      neverReceived.add(consumer);
    }
    Tally tally = ledger.tally();
    tally.add(1, CheckTally.BOOK, CheckTally.DEAD, row.effectType(), consumer, line);
  }

  /** What it means that an acknowledgement is not there; the same of every consumer of the row. */
  private String absent(OutboxRow row, Effect limits) {
    String unavailable = facts.whyNot(Input.ACKNOWLEDGEMENTS);
    if (unavailable != null) {
      notKnownBecause = unavailable;
      return NOT_JUDGED;
    }
    Standing standing = horizons.missingAck(since(row), limits.grace());
    if (standing == Standing.OUT_OF_HORIZON) {
      notKnownBecause = "acknowledgements do not reach back so far";
      return NOT_JUDGED;
    }
    return NEVER_RECEIVED;
  }

  /**
   * States the row.
   *
   * @param event the members that name its event
   */
  void end(OutboxRow row, StateClass state, Effect limits, JsonObject event) {
    JsonObject actual =
        event
            .put("status", row.status().name())
            .putNullable("attempts", row.attempts())
            .put("effect_type", row.effectType());
    Statement statement;
    if (state == StateClass.DLQ) {
      statement =
          about(Kind.DLQ, row)
              .because(Sentence.of("Given up: ").and(lost()))
              .sides(
                  new JsonObject().put("status", Status.DISPATCHED.name()),
                  actual.put("dlq_at", row.dlqAt().orNull()))
              .when(since(row));
    } else {
      statement =
          about(Kind.IMPLICIT_DLQ, row)
              .because("PENDING with no attempt left: nobody will send it and nobody says so")
              .sides(
                  new JsonObject()
                      .put("status", Status.DLQ.name())
                      .put("max_attempts", limits.maxAttempts()),
                  actual)
              .when(row.createdAt());
    }
    if (!row.replayed()) {
      say(actual);
    }
    ledger.finding(statement.finding());
  }

  private Sentence lost() {
    if (!consumersKnown || notKnownBecause != null) {
      return Sentence.of("the effect did not happen");
    }
    if (neverReceived.isEmpty()) {
      return Sentence.of("every consumer received it all the same");
    }
    Sentence lost = Sentence.of("");
    String separator = "";
    for (String consumer : neverReceived) {
      lost = lost.configured(separator).value("consumer", consumer);
      separator = ", ";
    }
    return lost.and(" never received it");
  }

  private void say(JsonObject actual) {
    String because = consumersKnown ? notKnownBecause : EffectJudge.NO_CONSUMERS;
    if (because == null) {
      actual.put("never_received", ImmutableList.copyOf(neverReceived));
    } else {
      actual.put("never_received", (String) null).put("never_received_unknown", because);
    }
  }

  /** When it died, as far as the row says so. */
  private static Instant since(OutboxRow row) {
    Instant dead = row.dlqAt().orNull();
    return dead == null ? row.createdAt() : dead;
  }

  private static Statement about(Kind kind, OutboxRow row) {
    return Statement.of(kind, new JsonObject().put("outbox_id", row.outboxId()))
        .under(RULE)
        .seenAt(row.place());
  }
}
