package dev.constat.pipelines.bench;

import dev.constat.rules.spec.RunSpecParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An archive to measure with: Parquet files {@code events*}, {@code outbox*} and {@code acks*}
 * beside a run spec, as {@code constat generate --profile bench} writes them.
 *
 * @param spec the run spec
 * @param cut when its inputs are cut, as the spec writes it
 * @param budgetVersion the version of its lateness budget
 */
record BenchArchive(Path spec, String cut, String budgetVersion) {

  private static final Pattern CUT = Pattern.compile("\\bcut:\\s*([0-9TZ:.+-]+)");
  private static final String DONE = "done";
  private static final long GENERATE_MINUTES = 120;

  /**
   * One that is there.
   *
   * @throws IllegalArgumentException if its inputs are not all cut at one declared time
   */
  static BenchArchive of(Path spec) throws IOException {
    String text = Files.readString(spec);
    Matcher cuts = CUT.matcher(text);
    String cut = null;
    while (cuts.find()) {
      if (cut != null && !cut.equals(cuts.group(1))) {
        throw new IllegalArgumentException(
            spec
                + " cuts its inputs at "
                + cut
                + " and at "
                + cuts.group(1)
                + "; the benchmark needs one cut for all");
      }
      cut = cuts.group(1);
    }
    if (cut == null) {
      throw new IllegalArgumentException(spec + " declares no cut; the benchmark needs one");
    }
    String budgetVersion =
        RunSpecParser.parse(text, spec.toString(), "bench")
            .contract("*")
            .lateness()
            .at(Instant.parse(cut))
            .version();
    return new BenchArchive(spec, cut, budgetVersion);
  }

  /**
   * The one of a size in a folder; generated unless it was before, with the same arguments.
   *
   * @param constat the launcher
   */
  static BenchArchive generated(Path constat, Path folder, long receptions, long seed)
      throws IOException, InterruptedException, TimeoutException {
    Path archive = folder.resolve("archive-" + receptions + "-" + seed);
    Path done = archive.resolve(DONE);
    if (!Files.exists(done)) {
      Files.createDirectories(folder);
      Folders.delete(archive);
      MeasuredProcess generator =
          MeasuredProcess.run(
              List.of(
                  constat.toString(),
                  "generate",
                  "--events",
                  Long.toString(receptions),
                  "--seed",
                  Long.toString(seed),
                  "--profile",
                  "bench",
                  "--format",
                  "parquet",
                  "--out",
                  archive.toString()),
              Map.of(),
              folder.resolve("generate.log"),
              GENERATE_MINUTES);
      if (generator.exitCode() != 0) {
        throw new IOException(
            "constat generate ended with " + generator.exitCode() + ":\n" + generator.end());
      }
      Files.createFile(done);
    }
    return of(archive.resolve("constat.yaml"));
  }

  Path folder() {
    return spec.toAbsolutePath().getParent();
  }

  /** Reads all of it once, so that the first to be measured finds it in memory like the others. */
  void warm() throws IOException {
    byte[] buffer = new byte[1 << 20];
    try (Stream<Path> files = Files.list(folder())) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        try (InputStream in = Files.newInputStream(file)) {
          while (in.read(buffer) >= 0) {
            continue;
          }
        }
      }
    }
  }
}
