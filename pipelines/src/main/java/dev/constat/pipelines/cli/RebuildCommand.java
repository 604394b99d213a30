package dev.constat.pipelines.cli;

import dev.constat.pipelines.run.Reconciliation;
import dev.constat.rules.spec.RunSpecOverrides;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class RebuildCommand implements RunCommand {

  private final Console console;

  @Mixin private final RunOptions run;

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
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  @SuppressWarnings("UnusedVariable") // asked for before anything is called
  private boolean help;

  RebuildCommand(Console console, RunOptions run) {
    this.console = console;
    this.run = run;
  }

  @Override
  public RunOptions options() {
    return run;
  }

  @Override
  public Reconciliation.Request request() throws IOException {
    if (replayId != null && replayId.isBlank()) {
      throw new UsageException("--replay-id is empty; give it a name, or leave it out");
    }
    RunSpecOverrides overrides = new RunSpecOverrides(asOf, from, to, null);
    return run.request(
        read -> overrides.applyTo(read).rebuilding(projection, versions), null, replayId);
  }

  @Override
  public Integer call() throws IOException {
    Reconciliation.Result result = run.run(request());
    run.answer(result, () -> new RebuildText(console.out()).print(result));
    return RunOptions.exitCode(result);
  }
}
