package dev.constat.rules.identity;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import java.time.Instant;

/**
 * What the live system decided about a reception; columns of the contract as {@code
 * Input.DECISIONS} names them.
 */
public record RecordedDecision(
    String ingestionId,
    String decision,
    String reason,
    String ruleVersion,
    Instant decidedAt,
    Place place) {

  private static final int INGESTION_ID = Input.DECISIONS.indexOf("ingestion_id");
  private static final int DECISION = Input.DECISIONS.indexOf("decision");
  private static final int REASON = Input.DECISIONS.indexOf("reason");
  private static final int RULE_VERSION = Input.DECISIONS.indexOf("rule_version");
  private static final int DECIDED_AT = Input.DECISIONS.indexOf("decided_at");

  /** Reads a row of the archive. */
  public static RecordedDecision of(Row row) {
    return new RecordedDecision(
        row.text(INGESTION_ID),
        row.text(DECISION),
        row.text(REASON),
        row.text(RULE_VERSION),
        row.instant(DECIDED_AT),
        row.place());
  }

  /** Where it stands among those of its reception: the greatest comes last and counts. */
  public void writeOrder(KeyWriter out) {
    out.nullableInstant(decidedAt);
  }

  /** Appends all but its ingestion_id, place last. */
  public void writeContent(KeyWriter out) {
    out.nullableInstant(decidedAt)
        .text(decision)
        .nullableText(reason)
        .nullableText(ruleVersion)
        .raw(place.toBytes());
  }

  /** Reads what {@link #writeContent} wrote. */
  public static RecordedDecision read(String ingestionId, KeyReader in) {
    Instant decidedAt = in.nullableInstant();
    return new RecordedDecision(
        ingestionId, in.text(), in.nullableText(), in.nullableText(), decidedAt, Place.read(in));
  }
}
