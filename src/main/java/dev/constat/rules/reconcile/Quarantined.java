package dev.constat.rules.reconcile;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.time.Duration;
import java.time.Instant;

/**
 * A version of a contested content, as it goes to {@code quarantine}; its payload is read again by
 * its place.
 *
 * @param side {@code accepted} or {@code deviating}
 * @param rule name of the rule that found the contest
 */
public record Quarantined(
    Place place,
    String key,
    String ingestionId,
    String side,
    String hash,
    String hashRule,
    Instant receivedAt,
    String rule) {

  /** The side that history holds. */
  public static final String ACCEPTED = "accepted";

  /** The side that it does not. */
  public static final String DEVIATING = "deviating";

  /** Appends all but the place. */
  public void write(KeyWriter out) {
    out.text(key).text(ingestionId).text(side).nullableText(hash).nullableText(hashRule);
    out.instant(receivedAt).text(rule);
  }

  /** Reads what {@link #write} wrote. */
  public static Quarantined read(Place place, KeyReader in) {
    return new Quarantined(
        place,
        in.text(),
        in.text(),
        in.text(),
        in.nullableText(),
        in.nullableText(),
        in.instant(),
        in.text());
  }

  /**
   * Its row in {@link dev.constat.rules.table.Tables#QUARANTINE}.
   *
   * @param payload as received, or null where there is none
   * @param asOf the moment its age, in whole seconds, is counted to
   */
  public Object[] row(byte[] payload, Instant asOf) {
    return new Object[] {
      key,
      ingestionId,
      side,
      hash,
      hashRule,
      payload,
      receivedAt,
      rule,
      asOf == null ? null : Duration.between(receivedAt, asOf).toSeconds()
    };
  }
}
