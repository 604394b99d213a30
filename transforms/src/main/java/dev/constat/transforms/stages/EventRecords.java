package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.Delivery;

/**
 * The records of the second stage, where everything about an event comes together: its receptions
 * by key and ingestion_id, each behind what was recorded about it, then the outbox rows that name
 * it, each followed by its acknowledgements. Groups of events begin with the bytes of {@link
 * EventKey#writeGroup}.
 */
final class EventRecords {

  /** First byte of the group of an outbox row that names no event; those of events come before. */
  static final int LOOSE_ROW = 3;

  /** First byte of the group of an acknowledgement whose outbox row is not there. */
  static final int LOOSE_ACK = 4;

  /** First byte of the group of findings that an earlier stage made. */
  static final int FINDING = 5;

  /** What the live system decided about the ingestion_id that follows. */
  static final int KIND_DECISION = 0;

  /** A reception. */
  static final int KIND_RECEPTION = 1;

  /** An outbox row. */
  static final int KIND_ROW = 2;

  /** Folded acknowledgements of the row before. */
  static final int KIND_FOLD = 3;

  /** Anything that is alone in its group. */
  static final int KIND_LOOSE = 4;

  /** First byte of the order of receptions, and of what is recorded about them. */
  static final int RECEPTIONS = 0;

  /** First byte of the order of rows. */
  static final int ROWS = 1;

  private final RecordOut out;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  EventRecords(RecordOut out) {
    this.out = out;
  }

  void reception(Reception reception) {
    group.clear();
    reception.key().writeGroup(group);
    order.clear().octet(RECEPTIONS);
    reception.key().writeWithinGroup(order);
    order.text(reception.ingestionId());
    body.clear();
    reception.writeArrival(body);
    reception.writeContent(body);
    out.append(group, order, KIND_RECEPTION, body);
  }

  /**
   * A decision about a reception.
   *
   * @param eventGroup bytes of {@link EventKey#writeGroup} of its key
   * @param within bytes of {@link EventKey#writeWithinGroup}
   */
  void decision(byte[] eventGroup, byte[] within, RecordedDecision decision) {
    group.clear().raw(eventGroup);
    order.clear().octet(RECEPTIONS).raw(within).text(decision.ingestionId());
    body.clear();
    decision.writeContent(body);
    out.append(group, order, KIND_DECISION, body);
  }

  void row(Delivery delivery) {
    groupOf(delivery);
    orderOf(delivery);
    body.clear();
    delivery.write(body);
    out.append(group, order, KIND_ROW, body);
  }

  void fold(Delivery delivery, AckFold fold) {
    groupOf(delivery);
    orderOf(delivery);
    body.clear();
    fold.write(body);
    out.append(group, order, KIND_FOLD, body);
  }

  private void groupOf(Delivery delivery) {
    group.clear();
    if (delivery.row().namesEvent() && !delivery.joinsNone()) {
      EventKey.writeGroup(group, delivery.row().source(), delivery.row().sourceEventId());
    } else {
      group.octet(LOOSE_ROW).text(delivery.row().outboxId());
    }
  }

  private void orderOf(Delivery delivery) {
    order.clear().octet(ROWS).text(delivery.row().outboxId());
  }

  void looseAck(Acknowledgement ack) {
    group.clear().octet(LOOSE_ACK).nullableText(ack.outboxId()).raw(ack.place().toBytes());
    order.clear();
    body.clear().nullableText(ack.outboxId());
    ack.writeOrder(body);
    ack.writeContent(body);
    out.append(group, order, KIND_LOOSE, body);
  }

  void finding(Finding finding) {
    group.clear().octet(FINDING).raw(FindingCodec.sortKey(finding));
    order.clear();
    body.clear().raw(FindingCodec.encode(finding));
    out.append(group, order, KIND_LOOSE, body);
  }
}
