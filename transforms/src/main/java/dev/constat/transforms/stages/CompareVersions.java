package dev.constat.transforms.stages;

import dev.constat.rules.diff.DiffFold;
import dev.constat.rules.diff.DiffTables;
import dev.constat.rules.diff.SessionPlaces;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.StageReport;
import java.io.IOException;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;

/**
 * Compares the versions of a projection, cell by cell, and says which events make each difference
 * and why.
 *
 * <p><b>Input</b>: blocks of cells, and of events that do not count alike in all versions.
 * <b>Output</b>: reports; differences go to their table. <b>Cost</b>: one shuffle of these; where a
 * version has sessions, one more sort. <b>Memory</b>: the cells of one key that begin at one
 * instant; what waits to be sorted spills.
 */
public final class CompareVersions
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollection<StageReport>> {

  private static final long serialVersionUID = 1L;

  private static final long WAITING_BUDGET = 32L << 20;

  private final RunSpec spec;
  private final StageSinks sinks;

  private CompareVersions(RunSpec spec, StageSinks sinks) {
    this.spec = spec;
    this.sinks = sinks;
  }

  /** Creates it. */
  public static CompareVersions of(RunSpec spec, StageSinks sinks) {
    return new CompareVersions(spec, sinks);
  }

  @Override
  public PCollection<StageReport> expand(PCollection<KV<Integer, byte[]>> blocks) {
    return blocks
        .apply("GroupByKey", GroupIntoBuckets.create())
        .apply("FoldDifferences", ParDo.of(new Fold(spec, sinks)))
        .setCoder(StageReport.CODER);
  }

  /**
   * Folds the records of a bucket; returns how many there were.
   *
   * @param waiting sorts what belongs elsewhere than where it was sent, key by key
   */
  static long fold(RunSpec spec, SortedRecords records, Notebook notes, RecordSorter waiting)
      throws IOException {
    DiffFold fold =
        new DiffFold(
            spec.projections(), notes.tally(), row -> notes.row(DiffTables.PROJECTION_DIFF, row));
    SessionPlaces places =
        SessionPlaces.needed(spec.projections()) ? new SessionPlaces(spec.projections()) : null;
    long read = 0;
    while (records.nextGroup()) {
      fold.begin(new KeyReader(records.group()));
      if (places == null) {
        read += each(records, fold);
      } else {
        read += place(records, places, waiting);
        SortedRecords placed = waiting.sort();
        while (placed.nextGroup()) {
          each(placed, fold);
        }
      }
      fold.end();
    }
    return read;
  }

  private static long each(SortedRecords records, DiffFold fold) throws IOException {
    long read = 0;
    for (; records.nextRecord(); read++) {
      fold.next(
          records.kind(),
          new KeyReader(records.buffer(), records.orderFrom(), records.orderTo()),
          new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo()));
    }
    return read;
  }

  private static long place(SortedRecords records, SessionPlaces places, RecordSorter waiting)
      throws IOException {
    KeyWriter group = new KeyWriter();
    KeyWriter order = new KeyWriter();
    KeyWriter body = new KeyWriter();
    places.begin();
    waiting.clear();
    long read = 0;
    for (; records.nextRecord(); read++) {
      boolean placed =
          places.place(
              records.kind(), records.buffer(), records.orderFrom(), records.orderTo(), order);
      if (placed) {
        body.clear().raw(records.buffer(), records.bodyFrom(), records.bodyTo());
        waiting.add(group, order, records.kind(), body);
      }
    }
    return read;
  }

  static final class Fold extends StageFn {

    private static final long serialVersionUID = 1L;

    private final RunSpec spec;
    private transient RecordSorter waiting;

    Fold(RunSpec spec, StageSinks sinks) {
      super("differences", sinks);
      this.spec = spec;
    }

    @Override
    void prepare() {
      waiting = SessionPlaces.needed(spec.projections()) ? sorter(WAITING_BUDGET) : null;
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      return CompareVersions.fold(spec, records, ledger, waiting);
    }
  }
}
