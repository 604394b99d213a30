package dev.constat.pipelines.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.constat.pipelines.explain.FinishedRun;
import dev.constat.pipelines.explain.NoRunException;
import dev.constat.pipelines.output.JsonText;
import dev.constat.pipelines.output.RunFolder;
import dev.constat.pipelines.score.Score;
import dev.constat.pipelines.score.Score.OfKind;
import dev.constat.pipelines.score.ScoreInputException;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints how well a run found what was planted. */
@Command(
    name = "score",
    description = {
      "Holds the findings of a run against those that were planted in the archive it judged, and",
      "prints precision and recall of each kind."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat score out /tmp/archive/truth.jsonl",
      "  constat score out/6f9992298290c4b8 /tmp/archive/truth.jsonl --format json",
      "",
      "A finding counts if kind and subject are as planted; one of a kind that was not planted has",
      "precision 0.",
      "",
      "Exit codes: 0 everything is 1.0; 1 something is not; 2 usage, no run, or no truth; 3 the run",
      "is broken."
    })
final class ScoreCommand implements Callable<Integer> {

  private static final int DIGITS = 4;

  private final Console console;

  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description =
          "A run's folder, a folder of runs (the one that ended last counts), or an id below ./out.")
  private String run;

  @Parameters(
      index = "1",
      paramLabel = "TRUTH",
      description = "The truth.jsonl of the archive that the run judged.")
  private Path truth;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text).")
  private AnswerFormat format;

  ScoreCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    FinishedRun finished;
    List<OfKind> scores;
    try {
      finished = open();
      if (finished.redactedUnder() != null) {
        throw new UsageException(
            "run "
                + finished.id()
                + " is redacted and the truth is not, so that no subject could be as planted; score"
                + " a run without --redact");
      }
      scores = Score.of(finished.path().resolve("findings.jsonl"), truth);
    } catch (NoRunException | ScoreInputException e) {
      throw new UsageException(e.getMessage());
    }
    boolean perfect = scores.stream().allMatch(OfKind::perfect);
    if (format == AnswerFormat.TEXT) {
      print(scores);
    } else {
      write(finished, scores, perfect);
    }
    return perfect ? ExitCode.CLEAN : ExitCode.FINDINGS;
  }

  private FinishedRun open() throws IOException {
    Path folder = Path.of(run);
    boolean ofRuns = Files.isDirectory(folder) && !Files.exists(folder.resolve(RunFolder.RUN_JSON));
    return ofRuns ? FinishedRun.open(folder, null) : FinishedRun.open(Path.of("out"), run);
  }

  private void print(List<OfKind> scores) {
    PrintStream out = console.out();
    out.println(row("kind", "planted", "found", "precision", "recall"));
    for (OfKind score : scores) {
      out.println(
          row(
              score.kind(),
              Long.toString(score.planted()),
              Long.toString(score.found()),
              ratio(score.precision()),
              ratio(score.recall())));
    }
    for (OfKind score : scores) {
      list(score.kind() + " missed", score.missed());
      list(score.kind() + " unexpected", score.unexpected());
    }
  }

  private static String row(
      String kind, String planted, String found, String precision, String recall) {
    return String.format(
        Locale.ROOT, "%-30s %9s %9s %10s %8s", kind, planted, found, precision, recall);
  }

  /** Four digits at most, rounded down: nothing but 1 is shown as 1.0. */
  private static String ratio(double ratio) {
    BigDecimal rounded =
        BigDecimal.valueOf(ratio).setScale(DIGITS, RoundingMode.DOWN).stripTrailingZeros();
    return rounded.setScale(Math.max(1, rounded.scale())).toPlainString();
  }

  private void list(String title, List<String> subjects) {
    for (String subject : subjects) {
      console.out().println(JsonText.harmless(title + ": " + subject));
    }
  }

  private void write(FinishedRun finished, List<OfKind> scores, boolean perfect)
      throws IOException {
    try (JsonGenerator json = JsonText.document(console.out())) {
      json.writeStartObject();
      json.writeStringField("run_id", finished.id());
      json.writeBooleanField("perfect", perfect);
      json.writeArrayFieldStart("kinds");
      for (OfKind score : scores) {
        json.writeStartObject();
        json.writeStringField("kind", score.kind());
        json.writeNumberField("planted", score.planted());
        json.writeNumberField("found", score.found());
        json.writeNumberField("right", score.right());
        json.writeNumberField("precision", score.precision());
        json.writeNumberField("recall", score.recall());
        texts(json, "missed", score.missed());
        texts(json, "unexpected", score.unexpected());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      JsonText.newLine(json);
    }
  }

  private static void texts(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
