package dev.constat.pipelines.cli;

import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.run.Reconciliation;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.spec.RunSpecOverrides;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The main job: reconciles archives into findings. */
@Command(
    name = "reconcile",
    description = "Recomputes every decision, reconciles every effect, and states what disagrees.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat reconcile test-data/quickstart/constat.yaml",
      "  constat reconcile shop.yaml --out /var/constat --fail-on warning",
      "  constat reconcile shop.yaml --baseline known.yaml",
      "  constat reconcile shop.yaml --from 2026-01-04T00:00:00Z --to 2026-01-05T00:00:00Z",
      "  constat reconcile shop.yaml --runner embedded -- --parallelism=4",
      "",
      "Exit codes: 0 nothing at or above --fail-on that the baseline does not acknowledge;",
      "1 such findings; 2 usage, run spec or baseline;",
      "3 inconclusive, or the run broke. What follows -- goes to Beam."
    })
final class ReconcileCommand implements RunCommand {

  private final Console console;

  @Mixin private final RunOptions run;

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
      names = "--baseline",
      paramLabel = "FILE",
      description = "Findings that somebody answers for; they do not make the exit code 1.")
  private Path baseline;

  @Option(names = "--history", paramLabel = "DIR", hidden = true)
  private Path history;

  ReconcileCommand(Console console, RunOptions run) {
    this.console = console;
    this.run = run;
  }

  @Override
  public RunOptions options() {
    return run;
  }

  @Override
  public Reconciliation.Request request() throws IOException {
    refuseWhatIsNotThere();
    RunSpecOverrides overrides = new RunSpecOverrides(asOf, from, to, failOn);
    return run.request(overrides::applyTo, baseline, null);
  }

  @Override
  public Integer call() throws IOException {
    Reconciliation.Result result = run.run(request());
    run.answer(result, () -> new ResultText(console.out()).print(result));
    return exitCode(result);
  }

  private void refuseWhatIsNotThere() {
    if (history != null) {
      throw new UsageException("--history is not supported by this version; leave it out");
    }
  }

  private static int exitCode(Reconciliation.Result result) {
    RunReport report = result.report();
    if (report.verdict() == Verdict.INCONCLUSIVE || result.hasResidue()) {
      return ExitCode.INCONCLUSIVE;
    }
    boolean fails =
        report.findings().stream()
            .anyMatch(
                count ->
                    count.findings() > count.acknowledged()
                        && result.spec().failOn().includes(count.level()));
    return fails ? ExitCode.FINDINGS : ExitCode.CLEAN;
  }
}
