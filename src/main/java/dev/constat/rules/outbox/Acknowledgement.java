package dev.constat.rules.outbox;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import java.time.Instant;

/** One acknowledgement; columns of the contract as {@code Input.ACKNOWLEDGEMENTS} names them. */
public record Acknowledgement(
    String ackId,
    String outboxId,
    String consumer,
    Instant ackedAt,
    String effectKey,
    Boolean applied,
    String worker,
    String replayId,
    String source,
    String sourceEventId,
    Place place) {

  /** Reads a row of the archive. */
  public static Acknowledgement of(Row row, Layout layout) {
    return new Acknowledgement(
        row.text(layout.indexOf("ack_id")),
        row.text(layout.indexOf("outbox_id")),
        row.text(layout.indexOf("consumer")),
        row.instant(layout.indexOf("acked_at")),
        row.text(layout.indexOf("effect_key")),
        row.bool(layout.indexOf("applied")),
        row.text(layout.indexOf("worker")),
        row.text(layout.indexOf("replay_id")),
        row.text(layout.indexOf("source")),
        row.text(layout.indexOf("source_event_id")),
        row.place());
  }

  /** Whether it belongs to a replay. */
  public boolean replayed() {
    return replayId != null;
  }

  /** Whether it stands for an effect: anything but {@code applied = false} does. */
  public boolean effective() {
    return !Boolean.FALSE.equals(applied);
  }

  /**
   * Where it stands among the acknowledgements of an outbox row: originals before those of replays,
   * then by consumer, replay and effect key, then by (acked_at, ack_id).
   */
  public void writeOrder(KeyWriter out) {
    out.bool(replayed())
        .nullableText(consumer)
        .nullableText(replayId)
        .nullableText(effectKey)
        .instant(ackedAt)
        .nullableText(ackId);
  }

  /** Appends what {@link #writeOrder} does not hold, place last. */
  public void writeContent(KeyWriter out) {
    out.nullableBool(applied).nullableText(worker).nullableText(source);
    out.nullableText(sourceEventId).raw(place.toBytes());
  }

  /** Reads what {@link #writeOrder} and {@link #writeContent} wrote. */
  public static Acknowledgement read(String outboxId, KeyReader order, KeyReader content) {
    order.bool();
    String consumer = order.nullableText();
    String replayId = order.nullableText();
    String effectKey = order.nullableText();
    Instant ackedAt = order.instant();
    String ackId = order.nullableText();
    return new Acknowledgement(
        ackId,
        outboxId,
        consumer,
        ackedAt,
        effectKey,
        content.nullableBool(),
        content.nullableText(),
        replayId,
        content.nullableText(),
        content.nullableText(),
        Place.fromBytes(content.raw(Place.BYTES), 0));
  }
}
