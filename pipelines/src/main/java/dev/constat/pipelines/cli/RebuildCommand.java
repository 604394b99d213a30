package dev.constat.pipelines.cli;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.Commit;
import dev.constat.pipelines.run.BeamArgumentException;
import dev.constat.pipelines.run.Reconciliation;
import dev.constat.pipelines.run.RunnerChoice;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecOverrides;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Rebuilds versions of a projection from the history of events, and compares them. */
@Command(
    name = "rebuild",
    description = {
      "Rebuilds one or several versions of a projection from the history of events,",
      "side by side, and compares each later version with the first, cell by cell,",
      "in projection-diff/."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat rebuild shop.yaml --projection volume",
      "  constat rebuild shop.yaml --projection volume --version 1 --version 2",
      "  constat rebuild shop.yaml --projection volume --from 2026-01-04T00:00:00Z",
      "",
      "--from and --to choose what is rebuilt, not what is read: cells whose window",
      "has an instant in [from, to); where a version has no windows, events that",
      "occurred in [from, to), a chain of corrections when its first event did.",
      "Which receptions are one event, what came late and which correction is in",
      "force is told from the whole archive.",
      "The same work again has the same run id: it says 'already consumed,",
      "identical' and changes nothing.",
      "",
      "Exit codes: 0 rebuilt, or already there; 2 usage or run spec; 3",
      "inconclusive, or the run broke. Findings do not change it: reconcile judges",
      "them. What follows -- goes to Beam."
    })
final class RebuildCommand implements Callable<Integer> {

  private final Console console;
  private final ImmutableList<String> arguments;
  private final ImmutableList<String> beamArguments;

  @Parameters(paramLabel = "SPEC", description = "The run spec (constat.yaml).")
  private Path specFile;

  @Option(
      names = "--projection",
      paramLabel = "NAME",
      required = true,
      description = "The projection to rebuild.")
  private String projection;

  @Option(
      names = "--version",
      paramLabel = "V",
      description =
          "A version of it; may be repeated, and the first is what others are compared with"
              + " (default: all, in the order of the run spec).")
  private List<String> versions = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "T",
      description = "Rebuild what lies at or behind T (inclusive).")
  private String from;

  @Option(names = "--to", paramLabel = "T", description = "Rebuild what lies before T (exclusive).")
  private String to;

  @Option(
      names = "--as-of",
      paramLabel = "T",
      description = "Rebuild as if nothing received after T were known.")
  private String asOf;

  @Option(
      names = "--replay-id",
      paramLabel = "ID",
      description = "The id that the rebuild goes by (default: rebuild- and the run id).")
  private String replayId;

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
  private ReconcileCommand.Format format;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  @SuppressWarnings("UnusedVariable") // asked for before anything is called
  private boolean help;

  RebuildCommand(
      Console console, ImmutableList<String> arguments, ImmutableList<String> beamArguments) {
    this.console = console;
    this.arguments = arguments;
    this.beamArguments = beamArguments;
  }

  @Override
  public Integer call() throws IOException {
    Instant startedAt = Instant.now();
    refuseWhatNamesNothing();
    SpecFile file = SpecFile.read(specFile);
    RunSpec spec =
        SpecFile.withKnownKinds(
            new RunSpecOverrides(asOf, from, to, null)
                .applyTo(file.spec())
                .rebuilding(projection, versions));
    Reconciliation.Result result;
    try {
      result =
          Reconciliation.run(
              new Reconciliation.Request(
                  spec,
                  specFile,
                  file.sha256(),
                  arguments,
                  out,
                  runId,
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
    answer(result);
    return result.report().verdict() == Verdict.INCONCLUSIVE || result.hasResidue()
        ? ExitCode.INCONCLUSIVE
        : ExitCode.CLEAN;
  }

  private void refuseWhatNamesNothing() {
    if (runId != null && !Commit.isRunId(runId)) {
      throw new UsageException(
          "--run-id "
              + runId
              + " cannot name a folder; use letters, digits, dots, dashes and underscores");
    }
    if (replayId != null && replayId.isBlank()) {
      throw new UsageException("--replay-id is empty; give it a name, or leave it out");
    }
  }

  private void answer(Reconciliation.Result result) throws IOException {
    if (format == ReconcileCommand.Format.JSON) {
      console.out().write(Files.readAllBytes(result.folder().resolve("summary.json")));
      if (result.outcome() == Commit.Outcome.KEPT) {
        console.err().println("constat: " + RebuildText.CONSUMED);
      }
      console.err().println("constat: report: " + result.folder());
    } else {
      new RebuildText(console.out()).print(result);
    }
  }
}
