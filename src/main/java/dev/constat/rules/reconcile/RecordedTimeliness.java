package dev.constat.rules.reconcile;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.time.Timeliness;
import java.time.Instant;

/**
 * Compares what the live system recorded about the time of an accepted reception with what the
 * clock of its partition says (spec section 3.7).
 */
public final class RecordedTimeliness {

  static final String RULE = "recorded-decision/1";

  private RecordedTimeliness() {}

  /** Whether a recorded decision is about time: LATE or FUTURE. */
  static boolean speaksOf(RecordedDecision recorded) {
    return recorded != null
        && (recorded.decision().equals(Timeliness.LATE.name())
            || recorded.decision().equals(Timeliness.FUTURE.name()));
  }

  /**
   * The finding where the two differ, or null where they agree or there is no clock to ask.
   *
   * @param timeliness as recomputed, or null for an event that only a replay brought
   */
  public static Finding judge(
      RecordedDecision recorded,
      Timeliness timeliness,
      JsonObject expected,
      Place place,
      Instant receivedAt) {
    if (timeliness == null || recorded.decision().equals(timeliness.name())) {
      return null;
    }
    return mismatch(recorded, timeliness.name(), expected, place, receivedAt);
  }

  /** The finding about a reception that was recorded as one thing and recomputed as another. */
  static Finding mismatch(
      RecordedDecision recorded,
      String recomputed,
      JsonObject expected,
      Place place,
      Instant receivedAt) {
    return Statement.of(
            Kind.DECISION_MISMATCH, new JsonObject().put("ingestion_id", recorded.ingestionId()))
        .because(
            Sentence.of("Recorded as ")
                .configured(recorded.decision()) // a word of the contract, or the file is refused
                .and(", recomputed as ")
                .configured(recomputed))
        .sides(
            expected,
            new JsonObject()
                .put("decision", recorded.decision())
                .put("reason", recorded.reason())
                .put("rule_version", recorded.ruleVersion()))
        .under(RULE)
        .seenAt(place, recorded.place())
        .when(receivedAt, recorded.decidedAt())
        .finding();
  }
}
