package dev.constat.rules.reconcile;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.outbox.OutboxPosition;
import dev.constat.rules.outbox.OutboxRow;
import java.time.Instant;
import java.util.Arrays;

/**
 * When an event was created and under which topic, as replays ask for it (spec section 6): at the
 * smallest created_at of its original outbox rows, else when it was first received. A replay's own
 * rows and receptions say nothing of it. The topic is the event's own, else that of the first of
 * these rows.
 */
public final class EventOrigin {

  private final boolean integerIds;
  private final KeyWriter position = new KeyWriter();
  private byte[] first;
  private Instant rowCreatedAt;
  private String rowTopic;
  private Instant createdAt;
  private String topic;

  /**
   * The origin of one event after the other.
   *
   * @param integerIds whether outbox ids are ordered as integers
   */
  public EventOrigin(boolean integerIds) {
    this.integerIds = integerIds;
  }

  /** Begins an event. */
  public void begin() {
    first = null;
    rowCreatedAt = null;
    rowTopic = null;
    createdAt = null;
    topic = null;
  }

  /** The next outbox row of the event. */
  public void row(OutboxRow row) {
    if (row.replayed() || rowCreatedAt != null && row.createdAt().isAfter(rowCreatedAt)) {
      return;
    }
    OutboxPosition.write(position.clear(), row.createdAt(), row.outboxId(), integerIds);
    position.text(row.outboxId());
    byte[] bytes = position.toBytes();
    if (first == null || Arrays.compareUnsigned(bytes, first) < 0) {
      first = bytes;
      rowCreatedAt = row.createdAt();
      rowTopic = row.topic();
    }
  }

  /** Completes the event: its first reception, or null where there is none. */
  public void end(Reception reception) {
    createdAt = rowCreatedAt;
    if (createdAt == null && reception != null && !reception.replayed()) {
      createdAt = reception.receivedAt();
    }
    topic = reception == null || reception.topic() == null ? rowTopic : reception.topic();
  }

  /** When it was created, or null where only replays know it. */
  public Instant createdAt() {
    return createdAt;
  }

  /** Its topic, or null. */
  public String topic() {
    return topic;
  }
}
