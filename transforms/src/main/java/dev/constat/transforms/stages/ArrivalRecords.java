package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.reconcile.Arrival;
import dev.constat.rules.reconcile.Arrived;
import dev.constat.rules.table.RowCodec;
import dev.constat.rules.table.Tables;
import dev.constat.rules.time.Timeliness;

/**
 * The records of the stage that knows the clock: every reception as identity decided it, in its
 * (source, partition) as {@link Arrived#writeOrder} has it. Before one stands that history holds
 * what it replaces; behind it what is to be said only if it was on time, or only if it was late.
 */
final class ArrivalRecords {

  /** That history holds the event which the correction behind replaces. */
  static final int KIND_TARGET_KNOWN = 0;

  /** A reception. */
  static final int KIND_RECEPTION = 1;

  /** What is to be said if the reception before was on time. */
  static final int KIND_IF_ON_TIME = 2;

  /** What is to be said if the reception before was late. */
  static final int KIND_IF_LATE = 3;

  /** First byte of what is to be said: a row of the effects table. */
  static final int EFFECT = 0;

  /** First byte of what is to be said: a finding. */
  static final int FINDING = 1;

  /** First byte of what is to be said: counts. */
  static final int COUNTS = 2;

  /** First byte of what is to be said: a record that a plan is made of. */
  static final int PLANNED = 4;

  /** First byte of what is to be said: a row that takes part in the order of its aggregate. */
  static final int IN_AGGREGATE = 3;

  private final RecordOut out;
  private final Partitions partitions;
  private final boolean integerIds;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  /**
   * Records for the clock stage.
   *
   * @param partitions how large partitions are cut by time
   * @param integerIds how outbox ids are ordered
   */
  ArrivalRecords(RecordOut out, Partitions partitions, boolean integerIds) {
    this.out = out;
    this.integerIds = integerIds;
    this.partitions = partitions;
  }

  /** A reception. */
  void reception(Arrival arrival, Arrived.Linked link) {
    at(arrival.reception(), arrival.key());
    Arrived.write(body.clear(), arrival, link);
    out.append(group, order, KIND_RECEPTION, body);
  }

  /**
   * That history holds what a correction replaces.
   *
   * @param place bytes of {@link Arrived#writeOrder} of the correction
   */
  void targetKnown(String source, String partition, byte[] place) {
    order.clear().raw(place);
    partitions.writeGroup(group.clear(), source, partition, new KeyReader(place).instant());
    out.append(group, order, KIND_TARGET_KNOWN, body.clear());
  }

  /**
   * Where a reception stands.
   *
   * @param key canonical text of its key
   */
  record Position(Reception reception, String key) {}

  /** A row of the effects table, if the first reception of its event was on time, or late. */
  void effect(Position first, Timeliness condition, Object[] row) {
    at(first.reception(), first.key());
    RowCodec.write(body.clear().octet(EFFECT), Tables.EFFECTS, row);
    out.append(group, order, kind(condition), body);
  }

  /** A finding, on the same terms. */
  void finding(Position first, Timeliness condition, Finding finding) {
    at(first.reception(), first.key());
    body.clear().octet(FINDING).raw(FindingCodec.encode(finding));
    out.append(group, order, kind(condition), body);
  }

  /** Counts, on the same terms. */
  void counts(Position first, Timeliness condition, Tally counts) {
    at(first.reception(), first.key());
    body.clear().octet(COUNTS).raw(counts.toBytes());
    out.append(group, order, kind(condition), body);
  }

  /**
   * A record that a plan is made of, on the same terms.
   *
   * @param exit which of the exits it is for, by number
   */
  RecordOut planned(Position first, Timeliness condition, int exit) {
    return (itsGroup, itsOrder, itsKind, itsBody) -> {
      at(first.reception(), first.key());
      body.clear().octet(PLANNED).octet(exit).octet(itsKind);
      body.bytes(itsGroup.toBytes()).bytes(itsOrder.toBytes());
      body.raw(itsBody.buffer(), 0, itsBody.size());
      out.append(group, order, kind(condition), body);
    };
  }

  /** A row that takes part in the order of its aggregate, on the same terms. */
  void inAggregate(Position first, Timeliness condition, AggregateRow row) {
    at(first.reception(), first.key());
    row.write(body.clear().octet(IN_AGGREGATE), integerIds);
    out.append(group, order, kind(condition), body);
  }

  private static int kind(Timeliness condition) {
    return switch (condition) {
      case ON_TIME -> KIND_IF_ON_TIME;
      case LATE -> KIND_IF_LATE;
      case FUTURE -> throw new IllegalArgumentException("FUTURE needs no clock");
    };
  }

  private void at(Reception reception, String key) {
    Arrived.writeOrder(order.clear(), reception, key);
    partitions.writeGroup(
        group.clear(), reception.source(), reception.partition(), reception.receivedAt());
  }
}
