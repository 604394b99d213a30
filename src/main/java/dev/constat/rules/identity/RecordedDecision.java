package dev.constat.rules.identity;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Layout;
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

  /** Reads a row of the archive. */
  public static RecordedDecision of(Row row, Layout layout) {
    return new RecordedDecision(
        row.text(layout.indexOf("ingestion_id")),
        row.text(layout.indexOf("decision")),
        row.text(layout.indexOf("reason")),
        row.text(layout.indexOf("rule_version")),
        row.instant(layout.indexOf("decided_at")),
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
        ingestionId,
        in.text(),
        in.nullableText(),
        in.nullableText(),
        decidedAt,
        Place.fromBytes(in.raw(Place.BYTES), 0));
  }
}
