package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.encoding.RecentTexts;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.reconcile.AckJudge;
import dev.constat.rules.reconcile.ReplayEffects;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;

/**
 * The acknowledgements of an event, of all its rows, put in the order in which they are judged: by
 * effect type, consumer and effect key, originals before those of replays. The only one, as is
 * usual, is not sorted.
 */
final class EffectUnits {

  private static final int ORIGINAL = 0;
  private static final int REPLAYED = 1;
  private static final int REPLAYED_ROW = 2;

  private final RecordSorter sorter;
  private final RecentTexts texts = new RecentTexts();
  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();
  private AckFold only;
  private boolean several;
  private boolean replayed;

  EffectUnits(RecordSorter sorter) {
    this.sorter = sorter;
  }

  /** Begins an event. */
  void clear() throws IOException {
    sorter.clear();
    only = null;
    several = false;
    replayed = false;
  }

  /** Takes the next original fold in. */
  void add(AckFold fold) throws IOException {
    if (only == null && !several) {
      only = fold;
      return;
    }
    beginSorting();
    sort(fold, ORIGINAL, null);
  }

  /** Takes the next fold of a replay that has leave in. */
  void addReplayed(AckFold fold, String replayId) throws IOException {
    beginSorting();
    replayed = true;
    sort(fold, REPLAYED, replayId);
  }

  /** Takes in a row of such a replay that nobody acknowledged. */
  void addReplayedRow(AckFold row, String replayId) throws IOException {
    beginSorting();
    replayed = true;
    sort(row, REPLAYED_ROW, replayId);
  }

  private void beginSorting() throws IOException {
    several = true;
    if (only != null) {
      sort(only, ORIGINAL, null);
      only = null;
    }
  }

  private void sort(AckFold fold, int kind, String replayId) throws IOException {
    order
        .clear()
        .nullableText(fold.effectType())
        .nullableText(fold.consumer())
        .nullableText(fold.effectKey())
        .bool(kind != ORIGINAL)
        .instant(fold.firstAt())
        .nullableText(fold.firstAckId())
        .text(fold.outboxId())
        .raw(fold.firstPlace().toBytes());
    body.clear().nullableText(replayId);
    fold.write(body);
    sorter.add(empty, order, kind, body);
  }

  /**
   * Hands over all of the event's folds, in order.
   *
   * @param acks takes the originals
   * @param replays takes everything, where there is anything of replays
   */
  void drainTo(AckJudge acks, ReplayEffects replays) throws IOException {
    if (only != null) {
      acks.next(only);
      return;
    }
    if (!several) {
      return;
    }
    SortedRecords sorted = sorter.sort();
    while (sorted.nextGroup()) {
      while (sorted.nextRecord()) {
        KeyReader in = new KeyReader(sorted.buffer(), sorted.bodyFrom(), sorted.bodyTo(), texts);
        String replayId = in.nullableRepeatedText();
        AckFold fold = AckFold.read(in);
        switch (sorted.kind()) {
          case REPLAYED -> replays.replayed(fold, replayId);
          case REPLAYED_ROW -> replays.row(fold, replayId);
          default -> {
            acks.next(fold);
            if (replayed) {
              replays.original(fold);
            }
          }
        }
      }
    }
  }
}
