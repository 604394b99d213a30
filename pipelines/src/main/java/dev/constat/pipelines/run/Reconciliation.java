package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Iterables;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.archive.ArchiveListing;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.pipelines.output.Commit;
import dev.constat.pipelines.output.Execution;
import dev.constat.pipelines.output.ExternalEffects;
import dev.constat.pipelines.output.FindingLines;
import dev.constat.pipelines.output.FindingShards;
import dev.constat.pipelines.output.FindingState;
import dev.constat.pipelines.output.InputFiles;
import dev.constat.pipelines.output.JsonText;
import dev.constat.pipelines.output.LocalBlockStore;
import dev.constat.pipelines.output.LocalSpillSpace;
import dev.constat.pipelines.output.MetricsText;
import dev.constat.pipelines.output.RedactedReport;
import dev.constat.pipelines.output.RunFile;
import dev.constat.pipelines.output.RunJson;
import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.output.ScratchFolder;
import dev.constat.pipelines.output.Staging;
import dev.constat.pipelines.output.SummaryJson;
import dev.constat.pipelines.output.TaskReport;
import dev.constat.pipelines.report.Examples;
import dev.constat.pipelines.report.ReportPage;
import dev.constat.pipelines.tables.TablePart;
import dev.constat.pipelines.tables.TablePlanner;
import dev.constat.rules.baseline.Acknowledgements;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.projection.Projections;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.InputFindings;
import dev.constat.rules.reconcile.ReadTally;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.reconcile.ScopeHints;
import dev.constat.rules.reconcile.VersionFindings;
import dev.constat.rules.redaction.Redaction;
import dev.constat.rules.redaction.RedactionKey;
import dev.constat.rules.redaction.Redactor;
import dev.constat.rules.replay.ReplayOverlaps;
import dev.constat.rules.spec.Baseline;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.time.TimeFindings;
import dev.constat.transforms.buckets.BlockStore;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.outputs.FindingSink;
import dev.constat.transforms.outputs.FindingSorter;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.outputs.TableSink;
import dev.constat.transforms.stages.SlabPlan;
import dev.constat.transforms.stages.StageSinks;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.ReleaseInfo;

/**
 * The main job from a run spec to a committed run: lists the archives, has the pipeline read and
 * judge them, merges what it found, and publishes the run in one step. A run spec that rebuilds
 * leaves projections and their differences alone, and a rerun of that changes nothing; one that
 * plans leaves the plan.
 */
public final class Reconciliation {

  /**
   * About how many bytes of records a byte of an archive becomes: archives are compressed, records
   * are not. It only fixes how many files an output has.
   */
  private static final long RECORD_BYTES_PER_FILE_BYTE = 4;

  /** About how many bytes a row of a table would have in a file; it too fixes no more than that. */
  private static final long FILE_BYTES_PER_ROW = 64;

  private static final int RUN_ID_LENGTH = 16;

  private final Request request;
  private final PrintStream err;
  private final PrintStream progress;
  private final Redaction redaction;

  /**
   * What is asked for.
   *
   * @param spec the run spec, arguments applied
   * @param specFile its file
   * @param specSha256 its digest, in hex
   * @param arguments of the command line
   * @param out the folder that runs go to
   * @param runId the run's id, or null for the digest of all that changes a result
   * @param baseline the findings that somebody answers for, or null
   * @param replayId the id that the cells of a rebuild go by, or null for one that follows from the
   *     run's
   * @param runner which runner does the work
   * @param beamArguments what the user hands to Beam
   * @param version of Constat
   * @param token names the staging folder; no other run uses it
   * @param startedAt wall clock
   * @param terminal whether progress goes to a terminal
   * @param redacted under which key outputs are redacted, or null where they are not
   */
  public record Request(
      RunSpec spec,
      Path specFile,
      String specSha256,
      ImmutableList<String> arguments,
      Path out,
      String runId,
      BaselineFile baseline,
      String replayId,
      RunnerChoice runner,
      ImmutableList<String> beamArguments,
      String version,
      String token,
      Instant startedAt,
      boolean terminal,
      Redacted redacted) {}

  /**
   * That outputs are redacted.
   *
   * @param key the key
   * @param variable the environment variable that holds it
   */
  public record Redacted(RedactionKey key, String variable) {}

  /**
   * A baseline as it was given.
   *
   * @param baseline what it says
   * @param file its file
   * @param sha256 digest of the file, in hex
   */
  public record BaselineFile(Baseline baseline, Path file, String sha256) {}

  /**
   * What came of it.
   *
   * @param spec the run spec, arguments applied
   * @param runId the run's id
   * @param folder where it stands
   * @param report what it found
   * @param task what was made besides judging, or null where that was all
   * @param outcome what stood there before
   */
  public record Result(
      RunSpec spec,
      String runId,
      Path folder,
      RunReport report,
      TaskReport task,
      Commit.Outcome outcome) {

    /** Whether a book does not balance, which is a bug of Constat. */
    public boolean hasResidue() {
      return report.books().stream().anyMatch(book -> book.residue() != 0);
    }
  }

  private Reconciliation(Request request, PrintStream err, PrintStream progress) {
    this.request = request;
    this.err = err;
    this.progress = progress;
    this.redaction =
        request.redacted() == null ? null : Redaction.of(request.redacted().key(), request.spec());
  }

  /**
   * Runs the job.
   *
   * @param err takes messages
   * @param progress takes progress; a terminal obeys what is in it
   * @throws BeamArgumentException if Beam does not know one of its arguments
   */
  public static Result run(Request request, PrintStream err, PrintStream progress)
      throws IOException {
    return new Reconciliation(request, err, progress).run();
  }

  private Result run() throws IOException {
    RunSpec spec = request.spec();
    List<ArchiveFile> listed = new ArrayList<>();
    List<Finding> skipped = new ArrayList<>();
    Path folder = request.specFile().toAbsolutePath().getParent();
    for (Input input : spec.archives().keySet()) {
      if (spec.archives().get(input).table() == null) {
        ArchiveListing listing = ArchiveListing.of(input, spec.archives().get(input), folder);
        listed.addAll(listing.files());
        listing
            .notes()
            .forEach(note -> skipped.add(InputFindings.skipped(input, note.file(), note.text())));
        listing
            .runs()
            .forEach(
                run -> say("%s: %s is a run of Constat, and no input".formatted(input.key(), run)));
      }
    }
    try (TablePlanner planner = TablePlanner.create()) {
      List<TablePart> tables = new ArrayList<>();
      long rows = 0;
      for (Input input : spec.archives().keySet()) {
        if (spec.archives().get(input).table() != null) {
          TablePlanner.Plan plan = planner.plan(input, spec);
          tables.addAll(plan.parts());
          rows += plan.rows();
          skipped.addAll(
              InputFindings.unknownColumns(
                  input, spec.archives().get(input).table().table(), plan.unknownColumns()));
        }
      }
      return run(
          ImmutableList.copyOf(listed),
          ImmutableList.copyOf(tables),
          rows * FILE_BYTES_PER_ROW,
          skipped);
    }
  }

  private Result run(
      ImmutableList<ArchiveFile> listed,
      ImmutableList<TablePart> parts,
      long tableBytes,
      List<Finding> skipped)
      throws IOException {
    RunSpec spec = request.spec();
    long bytes = tableBytes + listed.stream().mapToLong(ArchiveFile::size).sum();
    Buckets buckets =
        spec.buckets() != null
            ? new Buckets(spec.buckets())
            : Buckets.forInputBytes(bytes * RECORD_BYTES_PER_FILE_BYTE);
    PipelineOptions options =
        request
            .runner()
            .options(
                request.beamArguments().toArray(String[]::new),
                bytes,
                listed.size() + parts.size(),
                "constat-" + spec.name());
    try (Staging staging = Staging.open(request.out(), request.token());
        ScratchFolder scratch = ScratchFolder.open();
        LocalBlockStore local = LocalBlockStore.inTemporaryDirectory(request.token())) {
      for (Staging.Leftover leftover : Iterables.concat(staging.leftovers(), scratch.leftovers())) {
        say(leftover.sentence());
      }
      NativeLibraries.load(scratch.path());
      boolean inThisProcess = RunnerChoice.inThisProcess(options);
      EmbeddedFlink.confine(options, staging, scratch.path());
      String place = staging.folder().toAbsolutePath().toString();
      TableExtracts extracts = new TableExtracts(spec, place);
      List<ArchiveFile> named = new ArrayList<>(listed);
      parts.forEach(part -> named.add(extracts.of(part)));
      RunTables tables = RunTables.below(place, spec, inputFiles(named));
      FindingShards shards = new FindingShards(place);
      StagedReport staged = new StagedReport(place);
      StageSinks sinks =
          new StageSinks(
              buckets,
              SlabPlan.DEFAULT,
              EffectPolicy.asksForTime(spec),
              inThisProcess ? local : BlockStore.TRAVELLING,
              LocalSpillSpace.inTemporaryDirectory(),
              tables.sink(redaction),
              shards,
              new Progress.Counter());
      Pipeline pipeline = Pipeline.create(options);
      pipeline.apply(
          spec.plan() != null ? "PlanReplay" : spec.rebuild() != null ? "Rebuild" : "Reconcile",
          ReconcileArchives.of(
              spec,
              listed,
              parts,
              extracts,
              SplitPlanner.create().withLimits(spec.limits()),
              sinks,
              staged));
      try (Progress watching = Progress.watching(progress, request.terminal())) {
        pipeline.run().waitUntilFinish();
      }
      ImmutableList.Builder<ArchiveFile> files = ImmutableList.builder();
      for (ArchiveFile file : named) {
        files.add(file.isExtract() ? file.asItIsNow() : file);
      }
      return publish(
          staging, staged.read(), tables, shards, skipped, files.build(), buckets, options);
    }
  }

  private Result publish(
      Staging staging,
      StageReport stages,
      RunTables tables,
      FindingShards shards,
      List<Finding> skipped,
      ImmutableList<ArchiveFile> files,
      Buckets buckets,
      PipelineOptions options)
      throws IOException {
    Tally tally = stages.tally();
    UnaryOperator<String> shown =
        redaction == null ? UnaryOperator.identity() : redaction.redactor()::id;
    try (InputNames names = new InputNames(files, tally, shown)) {
      return publish(staging, stages, tables, shards, skipped, files, names, buckets, options);
    }
  }

  private Result publish(
      Staging staging,
      StageReport stages,
      RunTables tables,
      FindingShards shards,
      List<Finding> skipped,
      ImmutableList<ArchiveFile> files,
      InputNames names,
      Buckets buckets,
      PipelineOptions options)
      throws IOException {
    RunSpec spec = request.spec();
    Tally tally = stages.tally();
    RunFacts facts = RunFacts.of(spec, tally);
    List<Finding> stated = new ArrayList<>(skipped);
    stated.addAll(new InputFindings(names).of(facts, tally));
    stated.addAll(VersionFindings.of(facts, tally));
    stated.addAll(TimeFindings.of(tally));
    stated.addAll(ReplayOverlaps.of(facts.replays(), tally));
    for (Input input : spec.archives().keySet()) {
      InputFindings.missingColumns(input, facts, tally)
          .forEach((column, theirs) -> say(InputFindings.missingColumn(input, column, theirs)));
    }

    FindingCounts counts = new FindingCounts();
    Acknowledgements known =
        new Acknowledgements(
            request.baseline() == null ? Baseline.EMPTY : request.baseline().baseline(),
            facts.asOf());
    Examples examples = new Examples(spec.limits().examplesPerKind(), names);
    List<FindingSink.Receipt> findingShards = new ArrayList<>(stages.findings());
    writeShard(shards, stated).ifPresent(findingShards::add);
    List<RunFile> runFiles = new ArrayList<>();
    runFiles.add(
        staging.write(
            "findings.jsonl",
            out ->
                writeFindings(shards, findingShards, names, tally, known, counts, examples, out)));
    ImmutableList<Execution.InputFile> inputs = inputFiles(files, tally);
    String work = digest(inputs, buckets);
    String runId = request.runId() != null ? request.runId() : work;
    RunAssembly assembly = new RunAssembly(facts, tally);
    RunReport found =
        assembly.report(
            request.version(), counts, request.baseline() == null ? null : known.report());
    TaskReport made = assembly.task(found, replayId(runId), work);
    RedactedReport redacted = redaction == null ? null : new RedactedReport(redaction.redactor());
    RunReport report = redacted == null ? found : redacted.of(found);
    TaskReport task = redacted == null ? made : redacted.of(made);
    ExternalEffects effects = new ExternalEffects(codeOfOthers(spec), tablesOf(spec));
    runFiles.add(
        staging.write("summary.json", out -> SummaryJson.write(report, task, effects, out)));
    if (task == null) {
      runFiles.add(staging.write("metrics.prom", out -> MetricsText.write(report, out)));
    }
    runFiles.add(
        staging.write(
            "report.html", out -> ReportPage.write(spec, report, task, inputs, examples, out)));
    List<TableSink.Receipt> receipts = new ArrayList<>(stages.tables());
    receipts.addAll(tables.completing(stages.tables(), buckets));
    receipts.forEach(receipt -> runFiles.add(RunFile.of(receipt)));

    Commit.RunDocument runJson =
        (all, out) ->
            RunJson.write(
                report, task, execution(runId, inputs, buckets, options, Instant.now()), all, out);
    Commit.Committed committed =
        spec.rebuild() == null
            ? Commit.publish(staging, runId, runFiles, runJson)
            : Commit.publishOnce(staging, runId, runFiles, runJson);
    switch (committed.outcome()) {
      case CREATED, REFRESHED, KEPT -> {
        // as it should be
      }
      case REPLACED_DAMAGED -> say(committed.folder() + " was damaged and is replaced");
      case REPLACED_DIFFERENT -> say(committed.folder() + " held other work and is replaced");
    }
    return new Result(spec, runId, committed.folder(), report, task, committed.outcome());
  }

  private static ImmutableSortedSet<String> tablesOf(RunSpec spec) {
    return spec.archives().values().stream()
        .filter(archive -> archive.table() != null)
        .map(archive -> archive.table().table())
        .collect(ImmutableSortedSet.toImmutableSortedSet(Comparator.naturalOrder()));
  }

  private static ImmutableSortedSet<String> codeOfOthers(RunSpec spec) {
    return spec.projections().stream()
        .filter(ProjectionRule::foundAtRunTime)
        .map(ProjectionRule::kind)
        .collect(ImmutableSortedSet.toImmutableSortedSet(Comparator.naturalOrder()));
  }

  private void say(String message) {
    err.println("constat: " + JsonText.harmless(message));
  }

  /** The names of files, by rank. */
  static InputFiles inputFiles(List<ArchiveFile> files) {
    ImmutableListMultimap.Builder<Input, String> names = ImmutableListMultimap.builder();
    files.stream()
        .sorted(Comparator.comparingInt(ArchiveFile::rank))
        .forEach(file -> names.put(file.input(), file.name()));
    return new InputFiles(names.build());
  }

  private static Optional<FindingSink.Receipt> writeShard(
      FindingShards shards, List<Finding> stated) throws IOException {
    try (FindingSorter sorter = new FindingSorter(LocalSpillSpace.inTemporaryDirectory());
        FindingSink.Shard shard = shards.open("run", 0)) {
      for (Finding finding : stated) {
        sorter.add(finding);
      }
      sorter.drainTo(shard::add);
      return shard.finish();
    }
  }

  /**
   * Writes every finding once, in order; of a redacted run, in the order of what is shown of their
   * subjects. Errors of reading get the subject that people read only here, where it is known which
   * line is which, so they are sorted once more.
   */
  private void writeFindings(
      FindingShards shards,
      List<FindingSink.Receipt> receipts,
      InputNames names,
      Tally tally,
      Acknowledgements known,
      FindingCounts counts,
      Examples examples,
      OutputStream out)
      throws IOException {
    ImmutableSortedMap<String, String> scopes = ScopeHints.of(tally);
    InputFindings inputFindings = new InputFindings(names);
    try (FindingLines lines = FindingLines.to(out, names);
        FindingSorter errors = new FindingSorter(LocalSpillSpace.inTemporaryDirectory());
        FindingSorter redacted = new FindingSorter(LocalSpillSpace.inTemporaryDirectory())) {
      FindingSorter.Reader last =
          finding -> {
            boolean acknowledged = known.acknowledge(finding);
            counts.add(finding, acknowledged);
            examples.add(finding);
            lines.write(finding, acknowledged ? FindingState.ACKNOWLEDGED : null);
          };
      Redactor redactor = redaction == null ? null : redaction.redactor();
      FindingSorter.Reader write =
          finding -> {
            Finding hinted = withScopeHint(finding, scopes);
            if (redactor == null) {
              last.accept(hinted);
            } else {
              redacted.add(redactor.finding(hinted));
            }
          };
      shards.merge(
          receipts,
          finding -> {
            if (finding.kind() == Kind.INPUT_ERROR) {
              errors.add(inputFindings.named(finding));
            } else {
              errors.drainTo(write); // kinds come one after the other
              write.accept(finding);
            }
          });
      errors.drainTo(write);
      redacted.drainTo(last);
    }
  }

  private static Finding withScopeHint(Finding finding, ImmutableSortedMap<String, String> scopes) {
    if (finding.kind() != Kind.CONFLICTING_DUPLICATE || scopes.isEmpty()) {
      return finding;
    }
    JsonValue subject = StrictJson.parseOwn(finding.subject());
    String column = scopes.get(subject.at("/source").asText());
    return column == null ? finding : finding.withHint(ScopeHints.hint(column));
  }

  private static ImmutableList<Execution.InputFile> inputFiles(
      ImmutableList<ArchiveFile> files, Tally tally) {
    ImmutableList.Builder<Execution.InputFile> inputs = ImmutableList.builder();
    for (ArchiveFile file : files) {
      String input = file.input().key();
      String rank = Integer.toString(file.rank());
      inputs.add(
          new Execution.InputFile(
              input,
              file.name(),
              tally.sum(ReadTally.FILE_ROWS, input, rank),
              file.size(),
              new String(tally.min(ReadTally.DIGEST, input, rank), StandardCharsets.US_ASCII)));
    }
    return inputs.build();
  }

  /** The id of the work: spec, inputs, layout and version; not when, where or by which runner. */
  private String digest(ImmutableList<Execution.InputFile> inputs, Buckets buckets) {
    Hasher hasher = Hashing.sha256().newHasher();
    KeyWriter work = new KeyWriter();
    work.text(request.version()).text(request.spec().canonical()).unsigned(buckets.count());
    if (request.baseline() != null) {
      work.text("baseline").text(request.baseline().baseline().canonicalText());
    }
    if (request.replayId() != null) {
      work.text("replay").text(request.replayId());
    }
    if (request.redacted() != null) {
      work.text("redacted").text(request.redacted().key().check());
    }
    for (ProjectionRule rule : request.spec().projections()) {
      if (rule.foundAtRunTime()) {
        work.text(rule.kind()).text(Projections.named(rule.kind()).version());
      }
    }
    for (Execution.InputFile input : inputs) {
      work.text(input.input()).text(input.file()).text(input.sha256());
    }
    return hasher.putBytes(work.toBytes()).hash().toString().substring(0, RUN_ID_LENGTH);
  }

  private String replayId(String runId) {
    return request.replayId() != null ? request.replayId() : "rebuild-" + runId;
  }

  private Execution execution(
      String runId,
      ImmutableList<Execution.InputFile> inputs,
      Buckets buckets,
      PipelineOptions options,
      Instant finishedAt) {
    return new Execution(
        runId,
        request.spec().task().command(),
        request.arguments(),
        new Execution.UserFile(request.specFile().toString(), request.specSha256()),
        request.baseline() == null
            ? null
            : new Execution.UserFile(
                request.baseline().file().toString(), request.baseline().sha256()),
        inputs,
        buckets.count(),
        request.spec().limits().byKey(),
        ImmutableSortedMap.of(
            "beam", ReleaseInfo.getReleaseInfo().getVersion(),
            "constat", request.version(),
            "java", Runtime.version().toString(),
            "runner", options.getRunner().getSimpleName()),
        ImmutableSortedMap.of(
            "cores", Integer.toString(Runtime.getRuntime().availableProcessors()),
            "folder", Path.of("").toAbsolutePath().toString(),
            "heap_bytes", Long.toString(Runtime.getRuntime().maxMemory()),
            "os", System.getProperty("os.name") + " " + System.getProperty("os.arch")),
        request.redacted() == null
            ? null
            : new Execution.Redacted(
                request.redacted().variable(), request.redacted().key().check()),
        request.startedAt(),
        finishedAt);
  }
}
