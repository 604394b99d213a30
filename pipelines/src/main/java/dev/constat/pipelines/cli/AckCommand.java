package dev.constat.pipelines.cli;

import dev.constat.pipelines.output.EditedFile;
import dev.constat.rules.spec.BaselineText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds a finding to a baseline. */
@Command(
    name = "ack",
    description = {
      "Acknowledges a finding: adds an entry to a baseline, for reconcile --baseline.",
      "What stands in the file stays as it is; a file that is not there is begun."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat ack da5dfb336817f575e6df1e3e4149de01 --owner 'mail team' \\",
      "      --reason 'mailer was down' --until 2026-02-01T00:00:00Z",
      "",
      "Exit codes: 0 added; 2 usage, no sound baseline, or acknowledged already; 3 the file cannot be",
      "written."
    })
final class AckCommand implements Callable<Integer> {

  private final Console console;

  @Parameters(paramLabel = "FINGERPRINT", description = "Of the finding, from findings.jsonl.")
  private String fingerprint;

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      defaultValue = "baseline.yaml",
      description = "The baseline (default: ./baseline.yaml).")
  private Path baseline;

  @Option(
      names = "--owner",
      paramLabel = "WHO",
      required = true,
      description = "Who answers for it.")
  private String owner;

  @Option(names = "--reason", paramLabel = "WHY", required = true, description = "Why it is known.")
  private String reason;

  @Option(
      names = "--until",
      paramLabel = "T",
      required = true,
      description = "When the entry expires, judged at a run's as_of.")
  private String until;

  AckCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    String text = Files.exists(baseline) ? SpecFile.text(baseline, "a baseline") : null;
    EditedFile.replace(
        baseline,
        BaselineText.acknowledging(text, baseline.toString(), fingerprint, owner, reason, until));
    console.out().println(baseline + " acknowledges " + fingerprint + " until " + until);
    return ExitCode.CLEAN;
  }
}
