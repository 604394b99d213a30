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
import dev.constat.rules.outbox.OutboxPosition;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.reconcile.Arrived;
import dev.constat.rules.spec.RepairPlan;
import dev.constat.rules.spec.RunSpec;
import java.util.List;

/**
 * The records of the second stage, where everything about an event comes together: that it is
 * corrected, its receptions by key and ingestion_id, each behind what was recorded about it, then
 * the outbox rows that name it, each followed by its acknowledgements, and the corrections that
 * name it. Groups of events begin with the bytes of {@link EventKey#writeGroup}.
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

  /** That a correction names an event, as its events learn before they are judged. */
  static final int KIND_CORRECTED = 5;

  /** A correction that names an event, and waits to hear whether history holds it. */
  static final int KIND_CORRECTION = 6;

  /** That an acknowledgement names an event, and a row that is not there. */
  static final int KIND_ACKNOWLEDGED = 7;

  /** First byte of the order of what an event learns before it is judged. */
  static final int CORRECTED = 0;

  /** First byte of the order of receptions, and of what is recorded about them. */
  static final int RECEPTIONS = 1;

  /** First byte of the order of rows. */
  static final int ROWS = 2;

  /** First byte of the order of the corrections that name the event. */
  static final int CORRECTIONS = 3;

  private final RecordOut out;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  private final RunSpec spec;
  private final boolean integerIds;
  private final boolean plansRepair;

  /**
   * Records for the second stage.
   *
   * @param spec says how outbox ids are ordered, and what keys consist of
   */
  EventRecords(RecordOut out, RunSpec spec) {
    this.out = out;
    this.spec = spec;
    this.integerIds = spec.integerOutboxIds();
    this.plansRepair = spec.plan() instanceof RepairPlan;
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
    if (reception.supersedes() != null && !reception.supersedes().equals(reception.key().id())) {
      correction(reception);
    }
  }

  /**
   * A correction, to the events that it may replace. They must know that they are corrected before
   * they are judged, and can answer only afterwards, so they are told twice.
   */
  private void correction(Reception reception) {
    group.clear();
    EventKey.writeGroup(group, reception.source(), reception.supersedes());
    order.clear().octet(CORRECTED);
    reception.key().writeScope(order);
    body.clear();
    out.append(group, order, KIND_CORRECTED, body);
    order.clear().octet(CORRECTIONS);
    reception.key().writeScope(order);
    List<String> scope = spec.contract(reception.source()).scope();
    Arrived.writeOrder(order, reception, reception.key().text(scope));
    body.clear().nullableText(reception.partition());
    out.append(group, order, KIND_CORRECTION, body);
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
    order
        .bool(fold.replayId() != null)
        .nullableText(fold.consumer())
        .nullableText(fold.replayId())
        .nullableText(fold.effectKey());
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

  /** Rows stand as they are judged: by effect type, originals first, in contract order. */
  private void orderOf(Delivery delivery) {
    OutboxRow row = delivery.row();
    order.clear().octet(ROWS).nullableText(row.effectType()).bool(row.replayed());
    OutboxPosition.write(order, row.createdAt(), row.outboxId(), integerIds);
    order.text(row.outboxId());
  }

  void looseAck(Acknowledgement ack) {
    group.clear().octet(LOOSE_ACK).nullableText(ack.outboxId()).nullableText(ack.ackId());
    order.clear();
    ack.writeOrder(order);
    body.clear().nullableText(ack.outboxId());
    ack.writeOrder(body);
    ack.writeContent(body);
    out.append(group, order, KIND_LOOSE, body);
    if (plansRepair && ack.effective() && !ack.replayed() && ack.namesEvent()) {
      acknowledged(ack);
    }
  }

  /** To the event that it names: whoever plans to send something again must know of it. */
  private void acknowledged(Acknowledgement ack) {
    group.clear();
    EventKey.writeGroup(group, ack.source(), ack.sourceEventId());
    String name = ack.ackId() == null ? ack.outboxId() : ack.ackId();
    order.clear().octet(CORRECTED).nullableText(name);
    out.append(group, order, KIND_ACKNOWLEDGED, body.clear().nullableText(name));
  }

  void finding(Finding finding) {
    group.clear().octet(FINDING).raw(FindingCodec.sortKey(finding));
    order.clear();
    body.clear().raw(FindingCodec.encode(finding));
    out.append(group, order, KIND_LOOSE, body);
  }
}
