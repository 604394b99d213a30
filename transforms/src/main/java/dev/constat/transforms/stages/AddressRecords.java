package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.OutboxRow;

/**
 * The records of the first stage, which finds out what goes where: everything about an outbox_id
 * comes together, and everything about an ingestion_id where recorded decisions are an input.
 */
final class AddressRecords {

  /** First byte of the group of an outbox_id. */
  static final int OUTBOX_ID = 1;

  /** First byte of the group of an acknowledgement that names no outbox row. */
  static final int NO_OUTBOX_ID = 2;

  /** First byte of the group of an ingestion_id. */
  static final int INGESTION_ID = 3;

  /** A version of an outbox row; its order is the order of versions. */
  static final int ROW = 0;

  /** An acknowledgement; behind the rows. */
  static final int ACK = 1;

  /** A recorded decision; the last in order counts. */
  static final int DECISION = 2;

  /** The key that an ingestion_id was received under; behind the decisions. */
  static final int STUB = 3;

  private final RecordOut out;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  AddressRecords(RecordOut out) {
    this.out = out;
  }

  void row(OutboxRow row) {
    group.clear().octet(OUTBOX_ID).text(row.outboxId());
    order.clear().octet(ROW);
    row.rowVersion().write(order);
    body.clear();
    row.writeContent(body);
    out.append(group, order, ROW, body);
  }

  void ack(Acknowledgement ack) {
    order.clear().octet(ACK);
    ack.writeOrder(order);
    body.clear();
    ack.writeContent(body);
    group.clear();
    if (ack.outboxId() == null) {
      // Copies come together; all of them in one group would be a hot one.
      group.octet(NO_OUTBOX_ID).raw(order.buffer(), 0, order.size());
      group.raw(body.buffer(), 0, body.size() - Place.BYTES);
    } else {
      group.octet(OUTBOX_ID).text(ack.outboxId());
    }
    out.append(group, order, ACK, body);
  }

  void decision(RecordedDecision decision) {
    group.clear().octet(INGESTION_ID).text(decision.ingestionId());
    order.clear().octet(DECISION);
    decision.writeOrder(order);
    body.clear();
    decision.writeContent(body);
    out.append(group, order, DECISION, body);
  }

  void stub(Reception reception) {
    group.clear().octet(INGESTION_ID).text(reception.ingestionId());
    order.clear().octet(STUB);
    KeyWriter key = new KeyWriter();
    reception.key().writeGroup(key);
    order.bytes(key.toBytes());
    reception.key().writeWithinGroup(key.clear());
    order.bytes(key.toBytes());
    body.clear().instant(reception.receivedAt()).raw(reception.place().toBytes());
    out.append(group, order, STUB, body);
  }
}
