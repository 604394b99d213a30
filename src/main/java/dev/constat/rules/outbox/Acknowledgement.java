package dev.constat.rules.outbox;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
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

  private static final int ACK_ID = Input.ACKNOWLEDGEMENTS.indexOf("ack_id");
  private static final int OUTBOX_ID = Input.ACKNOWLEDGEMENTS.indexOf("outbox_id");
  private static final int CONSUMER = Input.ACKNOWLEDGEMENTS.indexOf("consumer");
  private static final int ACKED_AT = Input.ACKNOWLEDGEMENTS.indexOf("acked_at");
  private static final int EFFECT_KEY = Input.ACKNOWLEDGEMENTS.indexOf("effect_key");
  private static final int APPLIED = Input.ACKNOWLEDGEMENTS.indexOf("applied");
  private static final int WORKER = Input.ACKNOWLEDGEMENTS.indexOf("worker");
  private static final int REPLAY_ID = Input.ACKNOWLEDGEMENTS.indexOf("replay_id");
  private static final int SOURCE = Input.ACKNOWLEDGEMENTS.indexOf("source");
  private static final int SOURCE_EVENT_ID = Input.ACKNOWLEDGEMENTS.indexOf("source_event_id");

  /** Reads a row of the archive. */
  public static Acknowledgement of(Row row) {
    return new Acknowledgement(
        row.text(ACK_ID),
        row.text(OUTBOX_ID),
        row.text(CONSUMER),
        row.instant(ACKED_AT),
        row.text(EFFECT_KEY),
        row.bool(APPLIED),
        row.text(WORKER),
        row.text(REPLAY_ID),
        row.text(SOURCE),
        row.text(SOURCE_EVENT_ID),
        row.place());
  }

  /** Whether it belongs to a replay. */
  public boolean replayed() {
    return replayId != null;
  }

  /** Whether it names an event, besides its row. */
  public boolean namesEvent() {
    return source != null && sourceEventId != null;
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
    out.nullableText(sourceEventId);
    place.write(out);
  }

  /** Reads what {@link #writeOrder} and {@link #writeContent} wrote. */
  public static Acknowledgement read(String outboxId, KeyReader order, KeyReader content) {
    order.bool();
    String consumer = order.nullableRepeatedText();
    String replayId = order.nullableRepeatedText();
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
        content.nullableRepeatedText(),
        replayId,
        content.nullableRepeatedText(),
        content.nullableText(),
        Place.read(content));
  }
}
