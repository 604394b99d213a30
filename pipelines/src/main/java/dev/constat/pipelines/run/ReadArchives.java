package dev.constat.pipelines.run;

import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.archive.ArchiveReader;
import dev.constat.pipelines.archive.ArchiveUnreadableException;
import dev.constat.pipelines.archive.FileDigest;
import dev.constat.pipelines.archive.Split;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.pipelines.tables.TablePart;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.reconcile.ReadTally;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockOutput;
import dev.constat.transforms.buckets.Blocks;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.stages.RowRouter;
import dev.constat.transforms.stages.StageSinks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * Reads the files of every input and sends their records on their way.
 *
 * <p><b>Output</b>: blocks of records for the two stages that judge, and reports of what was read.
 * <b>Guarantees</b>: every record is handed on once or counted and stated; what comes out does not
 * depend on how files are cut. A file that is not what it was when it was listed fails the run.
 * <b>Parallelism</b>: one unit of work per row group, per {@link SplitPlanner#LINE_BYTES} of lines,
 * per gzip file, and one per file for its digest.
 */
final class ReadArchives extends PTransform<PBegin, PCollectionTuple> {

  private static final long serialVersionUID = 1L;

  /** Blocks of records for {@code AddressDeliveries}. */
  static final TupleTag<KV<Integer, byte[]>> ADDRESSES = new TupleTag<>("addresses") {};

  /** Blocks of records for {@code ReconcileEvents}. */
  static final TupleTag<KV<Integer, byte[]>> EVENTS = new TupleTag<>("events") {};

  /** Blocks of recorded cells for {@code ProjectCells}, where they are an input. */
  static final TupleTag<KV<Integer, byte[]>> CELLS = new TupleTag<>("cells") {};

  /** Blocks of what planning has to say to {@code ReconcileEvents}. */
  static final TupleTag<KV<Integer, byte[]>> PLAN_EVENTS = new TupleTag<>("planEvents") {};

  /** Reports of reading. */
  static final TupleTag<StageReport> REPORTS = new TupleTag<>("reports") {};

  /** Reports of planning. */
  static final TupleTag<StageReport> PLAN_REPORTS = new TupleTag<>("planReports") {};

  private static final TupleTag<Split> SPLITS = new TupleTag<>("splits") {};

  private final RunSpec spec;
  private final List<ArchiveFile> files;
  private final List<TablePart> tables;
  private final TableExtracts extracts;
  private final SplitPlanner planner;
  private final StageSinks sinks;

  private ReadArchives(
      RunSpec spec,
      List<ArchiveFile> files,
      List<TablePart> tables,
      TableExtracts extracts,
      SplitPlanner planner,
      StageSinks sinks) {
    this.spec = spec;
    this.files = files;
    this.tables = tables;
    this.extracts = extracts;
    this.planner = planner;
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param files as they were listed
   * @param tables the parts of tables
   * @param extracts where parts of tables are written down
   */
  static ReadArchives of(
      RunSpec spec,
      List<ArchiveFile> files,
      List<TablePart> tables,
      TableExtracts extracts,
      SplitPlanner planner,
      StageSinks sinks) {
    return new ReadArchives(spec, files, tables, extracts, planner, sinks);
  }

  @Override
  public PCollectionTuple expand(PBegin begin) {
    PCollectionTuple planned =
        files(begin)
            .apply("SpreadFiles", Reshuffle.viaRandomKey())
            .apply(
                "PlanSplits",
                ParDo.of(new Plan(spec, planner, sinks))
                    .withOutputTags(SPLITS, TupleTagList.of(PLAN_EVENTS).and(PLAN_REPORTS)));
    planned.get(PLAN_EVENTS).setCoder(Blocks.coder());
    planned.get(PLAN_REPORTS).setCoder(StageReport.CODER);
    PCollection<Split> splits = planned.get(SPLITS).setCoder(SerializableCoder.of(Split.class));
    TupleTagList tags = TupleTagList.of(ADDRESSES).and(REPORTS);
    PCollectionTuple read =
        splits
            .apply("SpreadSplits", Reshuffle.viaRandomKey())
            .apply(
                "ReadSplits",
                ParDo.of(new Read(spec, sinks))
                    .withOutputTags(
                        EVENTS,
                        spec.archives().containsKey(Input.PROJECTIONS) ? tags.and(CELLS) : tags));
    read.get(EVENTS).setCoder(Blocks.coder());
    read.get(ADDRESSES).setCoder(Blocks.coder());
    read.get(REPORTS).setCoder(StageReport.CODER);
    PCollectionTuple all =
        PCollectionTuple.of(EVENTS, read.get(EVENTS))
            .and(ADDRESSES, read.get(ADDRESSES))
            .and(REPORTS, read.get(REPORTS))
            .and(PLAN_EVENTS, planned.get(PLAN_EVENTS))
            .and(PLAN_REPORTS, planned.get(PLAN_REPORTS));
    return read.has(CELLS) ? all.and(CELLS, read.get(CELLS).setCoder(Blocks.coder())) : all;
  }

  private PCollection<ArchiveFile> files(PBegin begin) {
    SerializableCoder<ArchiveFile> coder = SerializableCoder.of(ArchiveFile.class);
    PCollection<ArchiveFile> listed = begin.apply("ListFiles", Create.of(files).withCoder(coder));
    if (tables.isEmpty()) {
      return listed;
    }
    PCollection<ArchiveFile> extracted =
        begin
            .apply("ListTables", Create.of(tables).withCoder(SerializableCoder.of(TablePart.class)))
            .apply("SpreadTables", Reshuffle.viaRandomKey())
            .apply("ExtractTables", ParDo.of(new Extract(extracts)))
            .setCoder(coder);
    return PCollectionList.of(listed)
        .and(extracted)
        .apply("JoinFilesAndTables", Flatten.pCollections());
  }

  /** Reads a part of a table and writes it down. */
  static final class Extract extends DoFn<TablePart, ArchiveFile> {

    private static final long serialVersionUID = 1L;

    private final TableExtracts extracts;

    Extract(TableExtracts extracts) {
      this.extracts = extracts;
    }

    @ProcessElement
    public void processElement(@Element TablePart part, OutputReceiver<ArchiveFile> out)
        throws IOException {
      out.output(extracts.write(part));
    }
  }

  /** Plans a file. */
  static final class Plan extends DoFn<ArchiveFile, Split> {

    private static final long serialVersionUID = 1L;

    private final RunSpec spec;
    private final SplitPlanner planner;
    private final StageSinks sinks;
    private transient BlockAppender events;

    Plan(RunSpec spec, SplitPlanner planner, StageSinks sinks) {
      this.spec = spec;
      this.planner = planner;
      this.sinks = sinks;
    }

    @Setup
    public void setup() {
      events = sinks.appender();
    }

    @StartBundle
    public void startBundle() {
      events.clear();
    }

    @ProcessElement
    public void processElement(ProcessContext context) throws IOException {
      ArchiveFile file = context.element();
      Input input = file.input();
      Tally tally = new Tally();
      events.to(BlockOutput.to(context, PLAN_EVENTS));
      RowRouter router =
          new RowRouter(
              spec,
              input,
              file.rank(),
              tally,
              events::append,
              events::append,
              events::append,
              sinks.slabs(),
              sinks.meter());
      try {
        planner
            .plan(file, spec.layout(input), spec.archives().get(input), router)
            .forEach(context::output);
      } catch (IOException e) {
        throw ArchiveUnreadableException.of(file, e);
      }
      context.output(Split.digest(file));
      router.end();
      context.output(PLAN_REPORTS, StageReport.of(tally));
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) {
      events.to(BlockOutput.to(context, PLAN_EVENTS)).flush();
    }
  }

  /** Reads a split, or takes a file's digest. */
  static final class Read extends DoFn<Split, KV<Integer, byte[]>> {

    private static final long serialVersionUID = 1L;

    private final RunSpec spec;
    private final StageSinks sinks;
    private transient BlockAppender events;
    private transient BlockAppender addresses;
    private transient BlockAppender cells;

    Read(RunSpec spec, StageSinks sinks) {
      this.spec = spec;
      this.sinks = sinks;
    }

    @Setup
    public void setup() {
      events = sinks.appender();
      addresses = sinks.appender();
      cells = sinks.appender();
    }

    @StartBundle
    public void startBundle() {
      events.clear();
      addresses.clear();
      cells.clear();
    }

    @ProcessElement
    public void processElement(ProcessContext context) throws IOException {
      try {
        read(context);
      } catch (IOException e) {
        throw ArchiveUnreadableException.of(context.element().file(), e);
      }
    }

    private void read(ProcessContext context) throws IOException {
      Split split = context.element();
      Input input = split.file().input();
      Tally tally = new Tally();
      if (split.kind() == Split.Kind.DIGEST) {
        tally.min(
            FileDigest.sha256(split.file()).getBytes(StandardCharsets.US_ASCII),
            ReadTally.DIGEST,
            input.key(),
            Integer.toString(split.file().rank()));
      } else {
        events.to(BlockOutput.to(context, EVENTS));
        addresses.to(BlockOutput.to(context, ADDRESSES));
        cells.to(BlockOutput.to(context, CELLS));
        RowRouter router =
            new RowRouter(
                spec,
                input,
                split.file().rank(),
                tally,
                addresses::append,
                events::append,
                cells::append,
                sinks.slabs(),
                sinks.meter());
        new ArchiveReader(spec.limits())
            .read(split, spec.layout(input), spec.archives().get(input), router);
        router.end();
      }
      context.output(REPORTS, StageReport.of(tally));
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) {
      events.to(BlockOutput.to(context, EVENTS)).flush();
      addresses.to(BlockOutput.to(context, ADDRESSES)).flush();
      cells.to(BlockOutput.to(context, CELLS)).flush();
    }
  }
}
