package dev.constat.pipelines.cli;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.Commit;
import dev.constat.pipelines.run.BeamArgumentException;
import dev.constat.pipelines.run.Reconciliation;
import dev.constat.pipelines.run.RunnerChoice;
import dev.constat.pipelines.tables.TablePlanner;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.redaction.RedactionKey;
import dev.constat.rules.spec.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands that run the pipeline are told alike, and how they run it. */
final class RunOptions {

  @Parameters(paramLabel = "SPEC", description = "The run spec (constat.yaml).")
  private Path specFile;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out",
      description = "Where runs go (default: ./out).")
  private Path out;

  @Option(
      names = "--run-id",
      paramLabel = "ID",
      description = "Name of the run (default: a digest of all that changes its result).")
  private String runId;

  @Option(
      names = "--runner",
      paramLabel = "RUNNER",
      defaultValue = "auto",
      description = "auto, embedded (Flink) or direct (default: auto).")
  private RunnerChoice runner;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text).")
  private AnswerFormat format;

  @Mixin private final RedactOption redact;

  private final Console console;
  private final ImmutableList<String> arguments;
  private final ImmutableList<String> beamArguments;
  private Repetition repetition;

  /**
   * The options of a command.
   *
   * @param arguments of the command line
   * @param beamArguments what the user hands to Beam
   */
  RunOptions(
      Console console, ImmutableList<String> arguments, ImmutableList<String> beamArguments) {
    this.redact = new RedactOption(console.environment());
    this.console = console;
    this.arguments = arguments;
    this.beamArguments = beamArguments;
  }

  /** Makes of the run spec as it was read what a command works on. */
  @FunctionalInterface
  interface Work {

    RunSpec of(RunSpec read);
  }

  /**
   * Where and how a run is made once more; what makes its result stays as the arguments say.
   *
   * @param specFile where the run spec lies now
   * @param name what the run spec is called where it does not say itself
   * @param out the folder that the run goes to
   * @param runner which runner does the work
   * @param beamArguments what the user hands to Beam
   */
  record Repetition(
      Path specFile,
      String name,
      Path out,
      RunnerChoice runner,
      ImmutableList<String> beamArguments) {}

  /** Has the options say where and how a run is made once more. */
  void repeat(Repetition again) {
    repetition = again;
  }

  /**
   * What the options ask for.
   *
   * @param work the run spec, arguments applied
   * @param baseline file of the findings that somebody answers for, or null
   * @param replayId the id that a rebuild goes by, or null
   * @throws UsageException if something asked for cannot be
   */
  Reconciliation.Request request(Work work, Path baseline, String replayId) throws IOException {
    Instant startedAt = Instant.now();
    Reconciliation.Redacted redacted = redacted();
    if (runId != null && !Commit.isRunId(runId)) {
      throw new UsageException(
          "--run-id "
              + runId
              + " cannot name a folder; use letters, digits, dots, dashes and underscores");
    }
    Repetition how =
        repetition != null
            ? repetition
            : new Repetition(specFile, null, out, runner, beamArguments);
    SpecFile file = SpecFile.read(how.specFile(), how.name());
    String credential = TablePlanner.missingCredential(file.spec(), console.environment()::get);
    if (credential != null) {
      throw new UsageException(
          "the environment variable "
              + credential
              + " is not set; the run spec takes credentials from it");
    }
    return new Reconciliation.Request(
        SpecFile.withKnownKinds(work.of(file.spec())),
        how.specFile(),
        file.sha256(),
        arguments,
        how.out(),
        runId,
        baseline == null ? null : SpecFile.readBaseline(baseline),
        replayId,
        how.runner(),
        how.beamArguments(),
        Version.current(),
        UUID.randomUUID().toString(),
        startedAt,
        System.console() != null && console.environment().get("NO_COLOR") == null,
        redacted);
  }

  /**
   * Runs the pipeline.
   *
   * @throws UsageException if Beam does not know what is handed to it
   */
  Reconciliation.Result run(Reconciliation.Request request) throws IOException {
    try {
      return Reconciliation.run(request, console.err(), console.progress());
    } catch (BeamArgumentException e) {
      throw new UsageException(e.getMessage());
    }
  }

  private Reconciliation.Redacted redacted() {
    if (!redact.given()) {
      return null;
    }
    RedactionKey key = redact.key();
    console.keepValuesBack();
    return new Reconciliation.Redacted(key, redact.variable());
  }

  /** The exit code of work that findings do not fail. */
  static int exitCode(Reconciliation.Result result) {
    return result.report().verdict() == Verdict.INCONCLUSIVE || result.hasResidue()
        ? ExitCode.INCONCLUSIVE
        : ExitCode.CLEAN;
  }

  /**
   * Answers as was asked.
   *
   * @param text prints a result for people
   */
  void answer(Reconciliation.Result result, Runnable text) throws IOException {
    if (format == AnswerFormat.TEXT) {
      text.run();
      return;
    }
    console.out().write(Files.readAllBytes(result.folder().resolve("summary.json")));
    if (result.outcome() == Commit.Outcome.KEPT) {
      console.say(RebuildText.CONSUMED);
    }
    console.say("report: " + result.folder());
  }
}
