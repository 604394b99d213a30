package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.plan.PlanLine;
import dev.constat.rules.plan.PlanTables;
import dev.constat.rules.reconcile.LineNumbers;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.table.TableSchema;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.FileNames;
import dev.constat.transforms.outputs.StageReport;
import java.io.IOException;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * Writes a plan from its first line to its last.
 *
 * <p><b>Input</b>: blocks of lines, all of one group. <b>Output</b>: reports; the tables of the
 * plan go to their sink. <b>Cost</b>: a plan has one order, so one worker sorts and writes it; it
 * holds a fixed number of bytes of it in memory.
 */
public final class WritePlan
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollection<StageReport>> {

  private static final long serialVersionUID = 1L;

  /** Blocks of lines, of every stage that makes some. */
  public static final TupleTag<KV<Integer, byte[]>> LINES = new TupleTag<>("plan") {};

  private static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final FileNames names;
  private final StageSinks sinks;

  private WritePlan(
      RunSpec spec, PCollectionView<StageReport> read, FileNames names, StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.names = names;
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param read what all of Read reports
   * @param names names the files that lines give as evidence
   */
  public static WritePlan of(
      RunSpec spec, PCollectionView<StageReport> read, FileNames names, StageSinks sinks) {
    return new WritePlan(spec, read, names, sinks);
  }

  /** Writes all lines; returns how many records it read. */
  static long fold(SortedRecords records, Notebook notes, FileNames names, LineNumbers lines)
      throws IOException {
    long read = 0;
    while (records.nextGroup()) {
      TableSchema table = null;
      long position = 0;
      for (; records.nextRecord(); read++) {
        PlanLine line =
            PlanLine.read(new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo()));
        if (!line.table().equals(table)) {
          if (table != null) {
            notes.complete(table);
          }
          table = line.table();
          position = 0;
        }
        position++;
        line.row()[0] = position;
        putEvidence(line.row(), line.place(), names, lines);
        notes.row(table, line.row());
        line.countInto(notes.tally());
      }
    }
    return read;
  }

  /** Fills the last columns: of a row of Parquet its row group and row, of a line its place. */
  private static void putEvidence(Object[] row, Place place, FileNames names, LineNumbers lines) {
    int column = row.length - PlanTables.evidenceColumns();
    row[column] = names.name(Input.values()[place.input()], place.file());
    Long line = lines.of(place);
    if (line == null) {
      row[column + 1] = (long) place.part();
      row[column + 2] = place.position();
    } else {
      row[column + 3] = line;
      row[column + 4] = place.position();
    }
  }

  @Override
  public PCollection<StageReport> expand(PCollection<KV<Integer, byte[]>> blocks) {
    PCollectionTuple out =
        blocks
            .apply("GroupAsOne", GroupIntoBuckets.create())
            .apply(
                "WriteLines",
                ParDo.of(new Write(new FactsView(spec, read, sinks), names, sinks))
                    .withSideInputs(read)
                    .withOutputTags(REPORTS, TupleTagList.empty()));
    return StageFn.withCoders(out, REPORTS).get(REPORTS);
  }

  static final class Write extends StageFn {

    private static final long serialVersionUID = 1L;

    private final FactsView facts;
    private final FileNames names;

    Write(FactsView facts, FileNames names, StageSinks sinks) {
      super("plan", sinks);
      this.facts = facts;
      this.names = names;
    }

    @Override
    void prepare() {
      // lines are sorted as they come
    }

    @Override
    long fold(SortedRecords records, StageLedger ledger, ProcessContext context)
        throws IOException {
      return WritePlan.fold(records, ledger, names, facts.lines(context));
    }
  }
}
