package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.order.AggregateRow;

/**
 * The records of the stage that follows the order of aggregates: every row that takes part, as
 * {@link AggregateRow#writePosition} and {@link AggregateRow#writeContent} have it, in the order of
 * the contract; before all of them, in every slab that may hold a later one, the ordered rows that
 * were sent again after they had been given up. It also keeps of each slab what the others are told
 * of it.
 */
final class AggregateRecords {

  /** An ordered row of this slab or an earlier one that was sent again. */
  static final int KIND_RESUBMITTED = 0;

  /** A row. */
  static final int KIND_ROW = 1;

  /** How many bytes of the order stand before the position. */
  static final int POSITION_FROM = 1;

  private final RecordOut out;
  private final Aggregates aggregates;
  private final Aggregates.Keeper keeper;
  private final boolean integerIds;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter position = new KeyWriter();
  private final KeyWriter content = new KeyWriter();

  /**
   * Records for that stage.
   *
   * @param aggregates how large aggregates are cut
   * @param integerIds how outbox ids are ordered
   */
  AggregateRecords(RecordOut out, Aggregates aggregates, boolean integerIds) {
    this.out = out;
    this.aggregates = aggregates;
    this.keeper = aggregates.keeper();
    this.integerIds = integerIds;
  }

  /** Appends a row. */
  void append(AggregateRow row) {
    row.writePosition(position.clear(), integerIds);
    row.writeContent(content.clear());
    aggregates.seek(row);
    aggregates.writeGroup(group.clear());
    append(KIND_ROW);
    if (row.ordered() && row.judged() && row.resubmitted()) {
      for (int later = 0; aggregates.writeLater(group.clear(), later); later++) {
        append(KIND_RESUBMITTED);
      }
    }
    keeper.add(row, position, content);
  }

  private void append(int kind) {
    order.clear().octet(kind).raw(position.buffer(), 0, position.size());
    out.append(group, order, kind, content);
  }

  /** Adds what it kept of slabs to a tally; to be called once, at the end. */
  void addTo(Tally tally) {
    keeper.addTo(tally);
  }
}
