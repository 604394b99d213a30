package dev.constat.pipelines.cli;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.Commit;
import dev.constat.pipelines.run.BeamArgumentException;
import dev.constat.pipelines.run.Reconciliation;
import dev.constat.pipelines.run.RunnerChoice;
import dev.constat.pipelines.tables.TablePlanner;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.spec.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
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

  private final Console console;
  private final ImmutableList<String> arguments;
  private final ImmutableList<String> beamArguments;

  /**
   * The options of a command.
   *
   * @param arguments of the command line
   * @param beamArguments what the user hands to Beam
   */
  RunOptions(
      Console console, ImmutableList<String> arguments, ImmutableList<String> beamArguments) {
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
   * Runs the pipeline.
   *
   * @param work the run spec, arguments applied
   * @param baseline file of the findings that somebody answers for, or null
   * @param replayId the id that a rebuild goes by, or null
   * @throws UsageException if something asked for cannot be
   */
  Reconciliation.Result run(Work work, Path baseline, String replayId) throws IOException {
    Instant startedAt = Instant.now();
    if (runId != null && !Commit.isRunId(runId)) {
      throw new UsageException(
          "--run-id "
              + runId
              + " cannot name a folder; use letters, digits, dots, dashes and underscores");
    }
    SpecFile file = SpecFile.read(specFile);
    String credential = TablePlanner.missingCredential(file.spec());
    if (credential != null) {
      throw new UsageException(
          "the environment variable "
              + credential
              + " is not set; the run spec takes credentials from it");
    }
    Reconciliation.BaselineFile known = baseline == null ? null : SpecFile.readBaseline(baseline);
    try {
      return Reconciliation.run(
          new Reconciliation.Request(
              SpecFile.withKnownKinds(work.of(file.spec())),
              specFile,
              file.sha256(),
              arguments,
              out,
              runId,
              known,
              replayId,
              runner,
              beamArguments,
              Version.current(),
              UUID.randomUUID().toString(),
              startedAt,
              System.console() != null && System.getenv("NO_COLOR") == null),
          console.err());
    } catch (BeamArgumentException e) {
      throw new UsageException(e.getMessage());
    }
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
      console.err().println("constat: " + RebuildText.CONSUMED);
    }
    console.err().println("constat: report: " + result.folder());
  }
}
