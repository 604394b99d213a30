package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.encoding.RecentTexts;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.reconcile.AckJudge;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;

/**
 * The acknowledgements of an event, of all its rows, put in the order in which they are judged. The
 * only one, as is usual, is not sorted.
 */
final class EffectUnits {

  private final RecordSorter sorter;
  private final RecentTexts texts = new RecentTexts();
  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();
  private AckFold only;
  private boolean several;

  EffectUnits(RecordSorter sorter) {
    this.sorter = sorter;
  }

  /** Begins an event. */
  void clear() throws IOException {
    sorter.clear();
    only = null;
    several = false;
  }

  /** Takes the next fold in. */
  void add(AckFold fold) throws IOException {
    if (only == null && !several) {
      only = fold;
      return;
    }
    if (!several) {
      several = true;
      sort(only);
      only = null;
    }
    sort(fold);
  }

  private void sort(AckFold fold) throws IOException {
    order
        .clear()
        .nullableText(fold.effectType())
        .nullableText(fold.consumer())
        .nullableText(fold.effectKey())
        .instant(fold.firstAt())
        .nullableText(fold.firstAckId())
        .text(fold.outboxId())
        .raw(fold.firstPlace().toBytes());
    body.clear();
    fold.write(body);
    sorter.add(empty, order, 0, body);
  }

  /** Hands over all of the event's folds, in order. */
  void drainTo(AckJudge acks) throws IOException {
    if (only != null) {
      acks.next(only);
    } else if (several) {
      SortedRecords sorted = sorter.sort();
      while (sorted.nextGroup()) {
        while (sorted.nextRecord()) {
          acks.next(
              AckFold.read(
                  new KeyReader(sorted.buffer(), sorted.bodyFrom(), sorted.bodyTo(), texts)));
        }
      }
    }
  }
}
