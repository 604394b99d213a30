package dev.constat.pipelines.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.RunFolder;
import dev.constat.pipelines.output.ScratchFolder;
import dev.constat.pipelines.output.Staging;
import dev.constat.pipelines.run.Reconciliation;
import dev.constat.pipelines.run.RunnerChoice;
import dev.constat.pipelines.verify.RunVerification;
import dev.constat.pipelines.verify.Verification;
import dev.constat.rules.spec.SpecException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Makes a run again and compares it with what is there, byte by byte. */
@Command(
    name = "verify",
    description = {
      "Holds a run against its run.json, and against a rerun of the same command with the",
      "same inputs, byte by byte. The run is only read."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat verify out/6f9992298290c4b8",
      "  constat verify out/6f9992298290c4b8 --runner embedded -- --parallelism=4",
      "  constat verify /mnt/reports/6f9992298290c4b8 --spec shop.yaml --format json",
      "",
      "The rerun goes to a folder of its own in the temporary directory, which is",
      "removed. What stands behind -- goes to Beam.",
      "",
      "Exit codes: 0 the same; 1 a byte differs, or a file is missing or too many; 2 usage,",
      "or no run; 3 the run cannot be made again: run spec, inputs or version are others."
    })
final class VerifyCommand implements Callable<Integer> {

  private final Console console;
  private final ImmutableList<String> beamArguments;

  @Parameters(paramLabel = "RUN", description = "A run's folder, or its id below ./out.")
  private String run;

  @Option(
      names = "--spec",
      paramLabel = "FILE",
      description = "The run spec of the run, where it has moved (default: as the run names it).")
  private Path specFile;

  @Option(
      names = "--runner",
      paramLabel = "RUNNER",
      defaultValue = "auto",
      description = "Of the rerun: auto, embedded (Flink) or direct (default: auto).")
  private RunnerChoice runner;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text).")
  private AnswerFormat format;

  /**
   * The command.
   *
   * @param beamArguments what the user hands to Beam for the rerun
   */
  VerifyCommand(Console console, ImmutableList<String> beamArguments) {
    this.console = console;
    this.beamArguments = beamArguments;
  }

  @Override
  public Integer call() throws IOException {
    RunFolder folder = folder();
    Path place = Path.of(folder.json().path("machine").path("folder").asText());
    Path file =
        specFile != null
            ? specFile
            : place.resolve(folder.json().path("spec").path("file").asText());
    if (specFile != null && !Files.isRegularFile(specFile)) {
      throw new UsageException(specFile + " does not exist; name the run spec of the run");
    }
    RunVerification verification = RunVerification.of(folder);
    try (ScratchFolder scratch = ScratchFolder.open()) {
      for (Staging.Leftover leftover : scratch.leftovers()) {
        console.err().println("constat: " + leftover.sentence());
      }
      again(verification, folder, place, file, scratch.path());
    }
    Verification answer = verification.end();
    if (format == AnswerFormat.TEXT) {
      new VerificationText(console.out()).print(answer);
    } else {
      new VerificationText(console.out()).write(answer);
    }
    return switch (answer.verdict()) {
      case SAME -> ExitCode.CLEAN;
      case DIFFERENT -> ExitCode.FINDINGS;
      case NOT_RERUN -> ExitCode.INCONCLUSIVE;
    };
  }

  private RunFolder folder() throws IOException {
    Optional<RunFolder> found = RunFolder.find(Path.of(run));
    Path below = Path.of("out").resolve(run);
    if (found.isEmpty()) {
      found = RunFolder.find(below);
    }
    return found.orElseThrow(
        () ->
            new UsageException(
                "%s is no run, nor is %s; name a run's folder, or its id below out"
                    .formatted(run, below)));
  }

  /** Makes the run again, if that is possible, and compares. */
  private void again(
      RunVerification verification, RunFolder folder, Path place, Path file, Path scratch)
      throws IOException {
    if (!Files.isRegularFile(file)) {
      verification.cannotRerun("the run spec " + file + " is not there; name it with --spec");
      return;
    }
    RunCommand command;
    Reconciliation.Request request;
    try {
      command = command(folder, place);
      command
          .options()
          .repeat(
              new RunOptions.Repetition(
                  file, folder.json().path("name").asText(), scratch, runner, beamArguments));
      request = command.request();
    } catch (ParameterException e) {
      verification.checkVersion(Version.current());
      verification.cannotRerun("the arguments in run.json are not understood: " + e.getMessage());
      return;
    } catch (UsageException | SpecException e) {
      verification.checkVersion(Version.current());
      verification.cannotRerun(e.getMessage());
      return;
    }
    verification.checkSpec(file, request.specSha256());
    if (request.baseline() != null) {
      verification.checkBaseline(request.baseline().file(), request.baseline().sha256());
    }
    if (verification.canRerun()) {
      verification.checkInputs(request.spec(), file.toAbsolutePath().getParent());
    }
    verification.checkVersion(Version.current());
    if (verification.canRerun()) {
      Reconciliation.Result result = command.options().run(request);
      RunFolder again = RunFolder.find(result.folder()).orElseThrow();
      if (verification.checkTables(request.spec(), again)) {
        verification.compare(again, again.json().path("versions").path("runner").asText());
      }
    }
  }

  /** The command of a run, with the arguments that it had, relative to where it was called. */
  private RunCommand command(RunFolder folder, Path place) {
    ImmutableList.Builder<String> all = ImmutableList.builder();
    for (JsonNode argument : folder.json().path("arguments")) {
      all.add(argument.asText());
    }
    Arguments arguments = Arguments.of(all.build());
    CommandLine line =
        arguments
            .withRunCommands(new CommandLine(new Commands()), console)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .registerConverter(Path.class, text -> place.resolve(text));
    CommandLine.ParseResult parsed = line.parseArgs(arguments.own().toArray(String[]::new));
    if (!parsed.hasSubcommand()) {
      throw new UsageException("run.json names no command");
    }
    return (RunCommand) parsed.subcommand().commandSpec().userObject();
  }

  /** Stands where the commands of a run are looked for. */
  @Command
  private static final class Commands {}
}
