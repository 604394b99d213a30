package dev.constat.pipelines.cli;

import dev.constat.pipelines.generate.ArchiveFormat;
import dev.constat.pipelines.generate.Generation;
import dev.constat.pipelines.generate.GenerationException;
import dev.constat.pipelines.generate.PackagedProfiles;
import dev.constat.rules.spec.Profile;
import dev.constat.rules.spec.ProfileParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a synthetic archive. */
@Command(
    name = "generate",
    description = {
      "Makes a synthetic archive of any size: events, outbox rows, acknowledgements and what else",
      "the faults of its profile need, a run spec that judges it (constat.yaml), and what a run",
      "must find (truth.jsonl), which 'constat score' holds a run against."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat generate --events 20000 --out /tmp/archive",
      "  constat reconcile /tmp/archive/constat.yaml --out /tmp/out",
      "  constat score /tmp/out /tmp/archive/truth.jsonl",
      "",
      "The same profile, seed and size give the same bytes, with any number of threads. Each thread",
      "needs some 100 MB of heap for files of the default size.",
      "",
      "Exit codes: 0 the archive is there; 2 usage, profile, or something else stands in its place;",
      "3 it could not be written."
    })
final class GenerateCommand implements Callable<Integer> {

  private static final int MOST_PER_FILE = 2_000_000;
  private static final long MOST_EVENTS = 1L << 40;

  private final Console console;

  @Option(names = "--events", paramLabel = "N", description = "How many events happen.")
  private Long events;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Another number, another archive of the same kind (default: 1).")
  private long seed;

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      defaultValue = "standard",
      description = "standard, bench, or a file (default: standard).")
  private String profile;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "parquet",
      description = "parquet or json (lines) (default: parquet).")
  private ArchiveFormat format;

  @Option(names = "--out", paramLabel = "DIR", description = "The folder that it becomes.")
  private Path out;

  @Option(
      names = "--parallelism",
      paramLabel = "P",
      description = "How many threads make it (default: one per core).")
  private Integer parallelism;

  @Option(
      names = "--events-per-file",
      paramLabel = "N",
      defaultValue = "500000",
      description = "About how many events a file holds, at most 2000000 (default: 500000).")
  private int eventsPerFile;

  @Option(
      names = "--print-profile",
      description = "Print the packaged profile that --profile names, to begin one of your own.")
  private boolean printProfile;

  @Option(names = "--profile-schema", description = "Print the JSON Schema of a profile.")
  private boolean profileSchema;

  GenerateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (profileSchema) {
      console.out().print(ProfileParser.schema());
      return ExitCode.CLEAN;
    }
    if (printProfile) {
      console
          .out()
          .print(
              PackagedProfiles.text(profile)
                  .orElseThrow(
                      () ->
                          new UsageException(
                              "--print-profile prints a packaged profile, and "
                                  + profile
                                  + " is none; name one of "
                                  + PackagedProfiles.NAMES)));
      return ExitCode.CLEAN;
    }
    Generation.Request request = request();
    try {
      answer(Generation.run(request));
    } catch (GenerationException e) {
      throw new UsageException(e.getMessage());
    } catch (IOException e) {
      String why = e.getCause() == null ? e.toString() : e.getCause().toString();
      console
          .err()
          .println(
              "constat: no archive was made in "
                  + out
                  + " ("
                  + why
                  + "); see that there is space and leave to write, or name another --out");
      return ExitCode.INCONCLUSIVE;
    }
    return ExitCode.CLEAN;
  }

  private Generation.Request request() throws IOException {
    if (events == null || out == null) {
      throw new UsageException(
          (events == null ? "--events" : "--out")
              + " is missing; name how many events there are to be, and the folder: --events 20000"
              + " --out DIR");
    }
    checkRange("--events", events, MOST_EVENTS);
    checkRange("--events-per-file", eventsPerFile, MOST_PER_FILE);
    int threads = parallelism == null ? Runtime.getRuntime().availableProcessors() : parallelism;
    checkRange("--parallelism", threads, 1_024);
    return new Generation.Request(
        readProfile(), seed, events, format, out, threads, eventsPerFile, Version.current());
  }

  private static void checkRange(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw new UsageException(option + " " + value + " is not a number from 1 to " + most);
    }
  }

  private Profile readProfile() throws IOException {
    Optional<String> packaged = PackagedProfiles.text(profile);
    if (packaged.isPresent()) {
      return ProfileParser.parse(packaged.get(), profile);
    }
    Path file = Path.of(profile);
    if (!Files.isRegularFile(file)) {
      throw new UsageException(
          "--profile "
              + profile
              + " is no file, nor one of the packaged profiles "
              + PackagedProfiles.NAMES
              + "; begin one with 'constat generate --print-profile'");
    }
    return ProfileParser.parse(SpecFile.text(file, "a profile"), profile);
  }

  private void answer(Generation.Result result) {
    for (Map.Entry<String, Long> count : result.records().entrySet()) {
      console.out().println(count.getKey() + " " + count.getValue());
    }
    console
        .err()
        .println(
            "constat: "
                + (result.reused() ? "was there already, and is used again: " : "archive: ")
                + result.folder());
  }
}
