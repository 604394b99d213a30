package dev.constat.pipelines.cli;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.Commit;
import dev.constat.pipelines.output.RunReport;
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
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The main job: reconciles archives into findings. */
@Command(
    name = "reconcile",
    description = "Recomputes every decision, reconciles every effect, and states what disagrees.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat reconcile test-data/quickstart/constat.yaml",
      "  constat reconcile shop.yaml --out /var/constat --fail-on warning",
      "  constat reconcile shop.yaml --from 2026-01-04T00:00:00Z --to 2026-01-05T00:00:00Z",
      "  constat reconcile shop.yaml --runner embedded -- --parallelism=4",
      "",
      "Exit codes: 0 nothing at or above --fail-on; 1 findings; 2 usage or run spec;",
      "3 inconclusive, or the run broke. What follows -- goes to Beam."
    })
final class ReconcileCommand implements Callable<Integer> {

  /** How the answer is written. */
  enum Format {
    TEXT,
    JSON
  }

  private final Console console;
  private final ImmutableList<String> arguments;
  private final ImmutableList<String> beamArguments;

  @Parameters(paramLabel = "SPEC", description = "The run spec (constat.yaml).")
  private Path specFile;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out",
      description = "Where runs go (default: ./out).")
  private Path out;

  @Option(
      names = "--as-of",
      paramLabel = "T",
      description = "The instant to judge by; lowers every later cut to itself.")
  private String asOf;

  @Option(names = "--from", paramLabel = "T", description = "Judge subjects from here (inclusive).")
  private String from;

  @Option(names = "--to", paramLabel = "T", description = "Judge subjects up to here (exclusive).")
  private String to;

  @Option(
      names = "--fail-on",
      paramLabel = "LEVEL",
      description = "Exit 1 from this level on: info, warning, error or none.")
  private String failOn;

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
  private Format format;

  @Option(names = "--baseline", paramLabel = "FILE", hidden = true)
  private Path baseline;

  @Option(names = "--history", paramLabel = "DIR", hidden = true)
  private Path history;

  ReconcileCommand(
      Console console, ImmutableList<String> arguments, ImmutableList<String> beamArguments) {
    this.console = console;
    this.arguments = arguments;
    this.beamArguments = beamArguments;
  }

  @Override
  public Integer call() throws IOException {
    Instant startedAt = Instant.now();
    refuseWhatIsNotThere();
    SpecFile file = SpecFile.read(specFile);
    RunSpec spec =
        SpecFile.withKnownKinds(new RunSpecOverrides(asOf, from, to, failOn).applyTo(file.spec()));
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
                  null,
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
    return exitCode(result, spec);
  }

  private void refuseWhatIsNotThere() {
    if (baseline != null) {
      throw new UsageException("--baseline is not supported by this version; leave it out");
    }
    if (history != null) {
      throw new UsageException("--history is not supported by this version; leave it out");
    }
    if (runId != null && !Commit.isRunId(runId)) {
      throw new UsageException(
          "--run-id "
              + runId
              + " cannot name a folder; use letters, digits, dots, dashes and underscores");
    }
  }

  private void answer(Reconciliation.Result result) throws IOException {
    if (format == Format.JSON) {
      console.out().write(Files.readAllBytes(result.folder().resolve("summary.json")));
      console.err().println("constat: report: " + result.folder());
    } else {
      new ResultText(console.out()).print(result);
    }
  }

  private static int exitCode(Reconciliation.Result result, RunSpec spec) {
    RunReport report = result.report();
    if (report.verdict() == Verdict.INCONCLUSIVE || result.hasResidue()) {
      return ExitCode.INCONCLUSIVE;
    }
    boolean fails =
        report.findings().stream().anyMatch(count -> spec.failOn().includes(count.kind().level()));
    return fails ? ExitCode.FINDINGS : ExitCode.CLEAN;
  }
}
