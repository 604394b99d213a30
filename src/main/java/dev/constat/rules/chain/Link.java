package dev.constat.rules.chain;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.EventKey;
import java.time.Instant;
import java.util.BitSet;

/**
 * An accepted event as a link of a chain of corrections (spec section 5).
 *
 * @param key its key
 * @param ingestionId of its first reception
 * @param receivedAt of its first reception
 * @param occurredAt when it happened
 * @param correction whether it is decided CORRECTION
 * @param supersedes the id it names as its target, or null: then a correction's target is the next
 *     smaller revision of its own id
 * @param supersedesOccurredAt when its target happened, as far as it says so
 * @param withdrawn whether it takes its target back and adds nothing
 * @param watermark of its partition on its arrival, or null where there was none
 * @param projected by index, the versions of projections that project it; not to be changed
 * @param place where its first reception stands
 */
public record Link(
    EventKey key,
    String ingestionId,
    Instant receivedAt,
    Instant occurredAt,
    boolean correction,
    String supersedes,
    OptionalTime supersedesOccurredAt,
    boolean withdrawn,
    Instant watermark,
    BitSet projected,
    Place place) {

  /** Whether it arrived before another: by received_at, then ingestion_id. */
  boolean arrivedBefore(Link other) {
    int byTime = receivedAt.compareTo(other.receivedAt);
    return byTime != 0 ? byTime < 0 : IdOrder.compare(ingestionId, other.ingestionId) < 0;
  }

  /** Appends all but its key to a record, place last. */
  public void writeContent(KeyWriter out) {
    out.text(ingestionId)
        .instant(receivedAt)
        .instant(occurredAt)
        .bool(correction)
        .nullableText(supersedes);
    supersedesOccurredAt.write(out);
    out.bool(withdrawn)
        .nullableInstant(watermark)
        .bytes(projected.toByteArray())
        .raw(place.toBytes());
  }

  /** Reads what {@link #writeContent} wrote. */
  public static Link read(EventKey key, KeyReader in) {
    return new Link(
        key,
        in.text(),
        in.instant(),
        in.instant(),
        in.bool(),
        in.nullableText(),
        OptionalTime.read(in),
        in.bool(),
        in.nullableInstant(),
        BitSet.valueOf(in.bytes()),
        Place.read(in));
  }
}
