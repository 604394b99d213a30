package dev.constat.rules.projection;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * What projections need of an accepted event, or of a version of it that is in quarantine.
 *
 * @param source its source
 * @param event the canonical text of its key
 * @param receivedAt when it was received
 * @param watermark of its partition on its arrival, or null where there was none
 * @param order where it stands in the order of {@code current}; its occurred_at is the event's
 * @param fit whether it may be projected at all: neither FUTURE nor UNIT_SUSPECT, and of a known
 *     schema version
 * @param schemaKnown whether its schema version is known
 * @param contested whether its content is disputed: of a key with a deviating version, or such a
 *     version itself
 * @param withdrawn whether it takes its target back
 * @param values what it has in the {@link dev.constat.rules.spec.ProjectedFields}: canonical JSON
 *     of the values at pointers, text of the keys; null where there is none
 * @param place where the reception stands
 */
public record ProjectedEvent(
    String source,
    String event,
    Instant receivedAt,
    Instant watermark,
    EventOrder order,
    boolean fit,
    boolean schemaKnown,
    boolean contested,
    boolean withdrawn,
    List<String> values,
    Place place) {

  /** When it happened. */
  public Instant occurredAt() {
    return order.occurredAt();
  }

  /** Appends it to a record. */
  public void write(KeyWriter out) {
    out.text(source).text(event).instant(receivedAt).nullableInstant(watermark);
    order.write(out);
    out.bool(fit).bool(schemaKnown).bool(contested).bool(withdrawn);
    for (String value : values) {
      out.nullableText(value);
    }
    place.write(out);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param fields how many values it carries
   */
  public static ProjectedEvent read(KeyReader in, int fields) {
    String source = in.text();
    String event = in.text();
    Instant receivedAt = in.instant();
    Instant watermark = in.nullableInstant();
    EventOrder order = EventOrder.read(in);
    boolean fit = in.bool();
    boolean schemaKnown = in.bool();
    boolean contested = in.bool();
    boolean withdrawn = in.bool();
    String[] values = new String[fields];
    for (int i = 0; i < fields; i++) {
      values[i] = in.nullableText();
    }
    return new ProjectedEvent(
        source,
        event,
        receivedAt,
        watermark,
        order,
        fit,
        schemaKnown,
        contested,
        withdrawn,
        Arrays.asList(values),
        Place.read(in));
  }
}
