package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.order.AggregateScan;
import dev.constat.rules.order.Heads;
import dev.constat.rules.reconcile.PendingJudge;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.scan.Slabs;
import java.io.IOException;
import java.time.Instant;

/** Folds one bucket of {@link AggregateRecords}: follows the order of every aggregate. */
final class AggregateFold {

  private final Aggregates.Surroundings surroundings;
  private final Notebook notes;
  private final PendingJudge pending;
  private final Instant cut;
  private final AggregateScan scan;

  /**
   * A fold.
   *
   * @param surroundings what stands before and behind each slab
   * @param notes takes down what is said
   */
  AggregateFold(RunFacts facts, Aggregates.Surroundings surroundings, Notebook notes) {
    this.surroundings = surroundings;
    this.notes = notes;
    this.pending = new PendingJudge(facts, notes::finding, notes::tally);
    this.cut = facts.input(Input.OUTBOX).cut();
    this.scan = new AggregateScan(cut, facts.spec().integerOutboxIds(), new Desk());
  }

  /** Folds all groups; returns how many records it read. */
  long fold(SortedRecords records) throws IOException {
    long read = 0;
    while (records.nextGroup()) {
      begin(records.groupBuffer(), records.groupFrom(), records.groupTo());
      for (; records.nextRecord(); read++) {
        next(records);
      }
      scan.end();
    }
    scan.flush(notes.tally());
    return read;
  }

  private void begin(byte[] buffer, int groupFrom, int groupTo) {
    KeyReader scope = new KeyReader(buffer, groupFrom, Slabs.scopeTo(groupTo));
    scan.begin(
        scope.nullableText(),
        scope.text(),
        surroundings.before(buffer, groupFrom, groupTo),
        surroundings.next(buffer, groupFrom, groupTo));
  }

  private void next(SortedRecords records) {
    byte[] buffer = records.buffer();
    int positionFrom = records.orderFrom() + AggregateRecords.POSITION_FROM;
    if (records.kind() == AggregateRecords.KIND_ROW) {
      scan.row(buffer, positionFrom, records.orderTo(), records.bodyFrom(), records.bodyTo());
    } else {
      scan.resubmitted(
          buffer, positionFrom, records.orderTo(), records.bodyFrom(), records.bodyTo());
    }
  }

  /** Takes down what the scan says. */
  private final class Desk implements AggregateScan.Out {

    @Override
    public void finding(Finding finding) {
      notes.finding(finding);
    }

    @Override
    public void waiting(AggregateRow row, AggregateRow head) {
      pending.waiting(row, head);
    }

    @Override
    public void head(AggregateRow row, Instant since, Instant until) {
      notes.row(Tables.HEADS, Heads.row(row, since, until, cut));
    }
  }
}
