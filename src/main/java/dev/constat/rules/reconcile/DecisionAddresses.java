package dev.constat.rules.reconcile;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Brings what the live system recorded about one ingestion_id to the keys that were received under
 * it: first the decisions come, of which the last one counts, then the keys.
 */
public final class DecisionAddresses {

  private static final String RULE = "recorded-decision/1";

  private final RunFacts facts;
  private final String ingestionId;
  private final Tally tally;
  private final Consumer<Finding> findings;
  private RecordedDecision decision;
  private int keys;
  private Instant firstReceived;
  private Place firstPlace;
  private Instant lastReceived;
  private Place secondPlace;

  /** For one ingestion_id. */
  public DecisionAddresses(
      RunFacts facts, String ingestionId, Tally tally, Consumer<Finding> findings) {
    this.facts = facts;
    this.ingestionId = ingestionId;
    this.tally = tally;
    this.findings = findings;
  }

  /** The next decision, in the order of decided_at. */
  public void decision(RecordedDecision next) {
    decision = next;
  }

  /**
   * The next key, with a reception of it.
   *
   * @return the decision to bring to it, or null
   */
  public RecordedDecision key(Instant receivedAt, Place place) {
    keys++;
    if (keys == 1) {
      firstPlace = place;
    } else if (keys == 2) {
      secondPlace = place;
    }
    firstReceived =
        firstReceived == null || receivedAt.isBefore(firstReceived) ? receivedAt : firstReceived;
    lastReceived =
        lastReceived == null || receivedAt.isAfter(lastReceived) ? receivedAt : lastReceived;
    return decision;
  }

  /** Completes the ingestion_id. */
  public void end() {
    if (keys == 0) {
      orphan();
      return;
    }
    if (decision != null) {
      if (outside()) {
        CheckTally.notJudged(tally, Kind.DECISION_ORPHAN, EffectJudge.OUTSIDE);
      } else {
        CheckTally.judged(tally, Kind.DECISION_ORPHAN);
      }
    }
    if (!facts.judged(firstReceived)) {
      CheckTally.notJudged(tally, Kind.INGESTION_ID_REUSED, EffectJudge.OUTSIDE);
      return;
    }
    CheckTally.judged(tally, Kind.INGESTION_ID_REUSED);
    if (keys > 1) {
      findings.accept(
          about(Kind.INGESTION_ID_REUSED)
              .because(Sentence.of("One ingestion_id names receptions of ").and(keys).and(" keys"))
              .sides(new JsonObject().put("keys", 1), new JsonObject().put("keys", keys))
              .seenAt(firstPlace, secondPlace)
              .when(firstReceived, lastReceived)
              .finding());
    }
  }

  private boolean outside() {
    return decision.decidedAt() != null && !facts.judged(decision.decidedAt());
  }

  private void orphan() {
    String unavailable = facts.whyNot(Input.EVENTS);
    if (unavailable == null && outside()) {
      unavailable = EffectJudge.OUTSIDE;
    }
    if (unavailable != null) {
      CheckTally.notJudged(tally, Kind.DECISION_ORPHAN, unavailable);
      return;
    }
    Standing standing =
        new Horizons(facts)
            .decisionOrphan(decision.decidedAt(), new EffectPolicy(facts.spec()).largestGrace());
    if (CheckTally.settled(tally, Kind.DECISION_ORPHAN, standing)) {
      findings.accept(
          about(Kind.DECISION_ORPHAN)
              .because("A decision is recorded about a reception that is not in the archive")
              .sides(
                  new JsonObject().put("receptions", 1),
                  new JsonObject().put("receptions", 0).put("decision", decision.decision()))
              .seenAt(decision.place())
              .when(decision.decidedAt())
              .hint(facts.incomplete(Input.EVENTS), EffectJudge.INPUT_INCOMPLETE)
              .hint(!facts.input(Input.EVENTS).retentionKnown(), EffectJudge.RETENTION_UNKNOWN)
              .finding());
    }
  }

  private Statement about(Kind kind) {
    return Statement.of(kind, new JsonObject().put("ingestion_id", ingestionId)).under(RULE);
  }
}
