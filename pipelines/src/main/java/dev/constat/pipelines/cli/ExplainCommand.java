package dev.constat.pipelines.cli;

import dev.constat.pipelines.explain.EventExplanation;
import dev.constat.pipelines.explain.Explanation;
import dev.constat.pipelines.explain.ExplanationJson;
import dev.constat.pipelines.explain.ExplanationText;
import dev.constat.pipelines.explain.FinishedRun;
import dev.constat.pipelines.explain.NoRunException;
import dev.constat.pipelines.output.JsonText;
import dev.constat.rules.redaction.RedactionKey;
import dev.constat.rules.spec.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells everything about one event, from a run that ended. */
@Command(
    name = "explain",
    description = {
      "Tells everything that a run says about one event, in order of time: why it was",
      "decided as it was, why it had its effects or had not, and what would have had to",
      "differ."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat explain venue-a T-000820",
      "  constat explain venue-a T-000820 --run out/6f9992298290c4b8 --format json",
      "",
      "Records are read again from the archives where the run says they stand; of a file",
      "that has changed since, none is shown. Of a redacted run, none is; it is asked by the",
      "hashes that stand in it, or by ids and, with --redact, the key that it had.",
      "",
      "Exit codes: 0 found; 1 the run has no such event; 2 usage, or no run; 3 the run",
      "is broken."
    })
final class ExplainCommand implements Callable<Integer> {

  private final Console console;

  @Parameters(index = "0", paramLabel = "SOURCE", description = "The source of the event.")
  private String source;

  @Parameters(index = "1", paramLabel = "EVENT_ID", description = "Its id there.")
  private String id;

  @Option(
      names = "--run",
      paramLabel = "RUN",
      description = "A run's folder, or its id below ./out (default: the one that ended last).")
  private String run;

  @Option(
      names = "--spec",
      paramLabel = "FILE",
      description = "The run spec of the run, where it has moved (default: as the run names it).")
  private Path specFile;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text).")
  private AnswerFormat format;

  @Mixin private final RedactOption redact;

  ExplainCommand(Console console) {
    this.console = console;
    this.redact = new RedactOption(console.environment());
  }

  @Override
  public Integer call() throws IOException {
    RedactionKey key = redact.given() ? redact.key() : null;
    FinishedRun finished;
    try {
      finished = FinishedRun.open(Path.of("out"), run);
    } catch (NoRunException e) {
      throw new UsageException(e.getMessage());
    }
    if (key != null) {
      seekHashes(finished, key);
    }
    Path file = specFile == null ? Path.of(finished.specFile()) : specFile;
    RunSpec spec = spec(file, finished);
    Optional<Explanation> explanation =
        EventExplanation.of(finished, spec, file.toAbsolutePath().getParent(), source, id);
    if (explanation.isEmpty()) {
      console.say("run " + finished.id() + " has no event " + source + " " + id);
      for (String hint : EventExplanation.hints(finished, source, id)) {
        console.err().println("  " + shown(hint));
      }
      return ExitCode.FINDINGS;
    }
    if (format == AnswerFormat.TEXT) {
      new ExplanationText(console.out()).print(explanation.get());
    } else {
      ExplanationJson.write(explanation.get(), console.out());
    }
    return ExitCode.CLEAN;
  }

  /** What was asked for by its name stands in the run by its hash. */
  private void seekHashes(FinishedRun finished, RedactionKey key) {
    String check = finished.redactedUnder();
    if (check == null) {
      throw new UsageException("run " + finished.id() + " is not redacted; leave out --redact");
    }
    if (!check.equals(key.check())) {
      throw new UsageException(
          "run "
              + finished.id()
              + " was redacted under another key than the one in "
              + redact.variable()
              + "; give the one that it had");
    }
    id = key.token(id);
    if (!finished.sources().contains(source)) {
      source = key.token(source);
    }
  }

  /** The run spec that the run had, or null where it is not there any more. */
  private RunSpec spec(Path file, FinishedRun finished) {
    if (finished.redactedUnder() != null) {
      console.say("run " + finished.id() + " is redacted, so that no record is read again");
      return null;
    }
    if (specFile == null && !Files.isRegularFile(file)) {
      console.say(
          "the run spec "
              + file
              + " is not here, so that no record is read again; name it with --spec");
      return null;
    }
    SpecFile read = SpecFile.read(file);
    if (!read.sha256().equals(finished.specSha256())) {
      if (specFile != null) {
        throw new UsageException(
            file + " is not the run spec of run " + finished.id() + "; its digest is another");
      }
      console.say(
          "the run spec "
              + file
              + " has changed since the run, so that no record is read again; name the one that"
              + " it had with --spec");
      return null;
    }
    return read.spec();
  }

  private static String shown(String text) {
    return JsonText.harmless(text);
  }
}
