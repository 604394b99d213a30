package dev.constat.pipelines.bench;

import dev.constat.pipelines.bench.Results.Entry;
import dev.constat.pipelines.bench.Results.Size;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures whole runs over generated archives and writes down what came of it: as a table on
 * stdout, as JSON, and in the page of results. {@code bin/bench} starts it.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures Constat beside other ways to the same tables.",
    subcommands = {Bench.Growth.class, Bench.Memory.class})
public final class Bench implements Callable<Integer> {

  private static final long RUN_MINUTES = 60;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "N",
      defaultValue = "500000,5000000,15000000",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Receptions of the archives (default: ${DEFAULT-VALUE}).")
  private List<Long> sizes;

  @Option(
      names = "--archive",
      paramLabel = "SPEC",
      scope = CommandLine.ScopeType.INHERIT,
      description = "The run spec of a bench archive that is there, in place of --sizes.")
  private Path given;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      scope = CommandLine.ScopeType.INHERIT,
      description = "How often each process runs (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Where archives and results lie (default: pipelines/target/bench).")
  private Path dir;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "WAY",
      description = "Which ways to measure (default: all): ${COMPLETION-CANDIDATES}.")
  private List<Way> only = List.of(Way.values());

  @Option(
      names = "--cogroup-up-to",
      paramLabel = "N",
      defaultValue = "500000",
      description = "Receptions up to which cogroup is measured (default: ${DEFAULT-VALUE}).")
  private long cogroupUpTo;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Cores that each way is told to use (default: those of the machine).")
  private int parallelism = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "2g",
      scope = CommandLine.ScopeType.INHERIT,
      description = "The -Xmx of what runs on Beam (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--seed",
      defaultValue = "1",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Of generated archives (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--keep",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Keeps what the last round wrote.")
  private boolean keep;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Where the JSON goes (default: pipelines/bench/MODE.json).")
  private Path json;

  @Option(
      names = "--results",
      paramLabel = "FILE",
      scope = CommandLine.ScopeType.INHERIT,
      description = "The page whose part is rewritten (default: pipelines/bench/RESULTS.md).")
  private Path page;

  private final Path root;
  private final String classPath;

  private Bench(Path root, String classPath) {
    this.root = root;
    this.classPath = classPath;
  }

  /** Runs it; exit code 1 when something fails or tables differ. */
  public static void main(String[] arguments) {
    Bench bench =
        new Bench(Path.of(System.getProperty("bench.root")), System.getProperty("java.class.path"));
    System.exit(
        new CommandLine(bench)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  if (e instanceof Comparison.MismatchException
                      || e instanceof IOException
                      || e instanceof TimeoutException
                      || e instanceof IllegalArgumentException) {
                    command.getErr().println("bench: " + e.getMessage());
                  } else {
                    e.printStackTrace(command.getErr());
                  }
                  return 1;
                })
            .execute(arguments));
  }

  /** All ways over every size, in turn, and their tables against Constat's. */
  @Override
  public Integer call() throws Exception {
    EnumSet<Way> ways = EnumSet.copyOf(only);
    List<Size> measured = new ArrayList<>();
    try (Comparison comparison = new Comparison(scratch())) {
      for (BenchArchive archive : archives()) {
        measured.add(compare(archive, ways, comparison));
      }
      Results results = new Results(Machine.current(comparison.version()), heap, rounds, measured);
      publish("comparison", results, ResultTable.ofComparison(results));
    }
    return 0;
  }

  private Size compare(BenchArchive archive, EnumSet<Way> ways, Comparison comparison)
      throws IOException, SQLException, InterruptedException, TimeoutException {
    long receptions = comparison.rows(archive.folder().resolve("events*.parquet"));
    long records = records(archive, comparison);
    EnumSet<Way> here = EnumSet.copyOf(ways);
    if (receptions > cogroupUpTo + cogroupUpTo / 10) {
      here.remove(Way.COGROUP);
    }
    Map<Way, List<Measurement>> runs = new EnumMap<>(Way.class);
    Map<Way, String> failures = new EnumMap<>(Way.class);
    here.forEach(way -> runs.put(way, new ArrayList<>()));
    archive.warm();
    long peak = 0;
    for (int round = 1; round <= rounds; round++) {
      for (Way way : here) {
        if (failures.containsKey(way)) {
          continue;
        }
        if (way == Way.DUCKDB_LIMITED && peak == 0) {
          failures.put(way, "no peak of Constat to keep to");
          continue;
        }
        MeasuredProcess process = run(way, archive, setting(parallelism, heap), peak);
        say(
            "%s receptions, round %s of %s, %s: %s"
                .formatted(
                    ResultTable.count(receptions), round, rounds, way, process.measurement()));
        if (way.isDone(process)) {
          runs.get(way).add(process.measurement());
        } else if (way == Way.DUCKDB_LIMITED) {
          // That it does not get by with so little is a result.
          failures.put(way, failure(process));
        } else {
          throw new IOException(
              "%s ended with %s; see %s:\n%s"
                  .formatted(way, process.exitCode(), process.log(), process.end()));
        }
        if (way == Way.CONSTAT) {
          peak = Math.max(peak, process.measurement().peakBytes());
        }
      }
    }
    List<String> compared = new ArrayList<>();
    if (here.contains(Way.CONSTAT)) {
      for (Way way : here) {
        if (way != Way.CONSTAT && !failures.containsKey(way)) {
          say("comparing " + way + " with Constat, row by row");
          compared.add(
              Results.line(
                  way.title(),
                  comparison.require(Way.CONSTAT.side(out(Way.CONSTAT)), way.side(out(way)))));
        }
      }
    }
    List<Entry> entries = new ArrayList<>();
    for (Way way : here) {
      entries.add(
          new Entry(way.toString(), way.title(), parallelism, runs.get(way), failures.get(way)));
      if (!keep) {
        Folders.delete(out(way));
      }
    }
    return new Size(receptions, records, entries, compared);
  }

  /** How time grows with records and with parallelism. */
  @Command(
      name = "growth",
      mixinStandardHelpOptions = true,
      description =
          "Constat alone: every size with --parallelism, and the one in the middle with 1 as well.")
  static final class Growth implements Callable<Integer> {

    @CommandLine.ParentCommand private Bench bench;

    @Override
    public Integer call() throws Exception {
      List<Size> measured = new ArrayList<>();
      try (Comparison comparison = new Comparison(bench.scratch())) {
        List<BenchArchive> archives = bench.archives();
        for (int i = 0; i < archives.size(); i++) {
          BenchArchive archive = archives.get(i);
          boolean middle = i == (archives.size() - 1) / 2 + (archives.size() % 2 == 0 ? 1 : 0);
          List<Integer> degrees = new ArrayList<>();
          if (middle && bench.parallelism > 1) {
            degrees.add(1);
          }
          degrees.add(bench.parallelism);
          measured.add(bench.grow(archive, degrees, comparison));
        }
        Results results =
            new Results(Machine.current(comparison.version()), bench.heap, bench.rounds, measured);
        bench.publish("growth", results, ResultTable.ofGrowth(results));
      }
      return 0;
    }
  }

  private Size grow(BenchArchive archive, List<Integer> degrees, Comparison comparison)
      throws IOException, SQLException, InterruptedException, TimeoutException {
    archive.warm();
    List<List<Measurement>> runs = new ArrayList<>();
    degrees.forEach(degree -> runs.add(new ArrayList<>()));
    for (int round = 1; round <= rounds; round++) {
      for (int i = 0; i < degrees.size(); i++) {
        MeasuredProcess process = run(Way.CONSTAT, archive, setting(degrees.get(i), heap), 0);
        if (!Way.CONSTAT.isDone(process)) {
          throw new IOException(
              "constat ended with %s; see %s:\n%s"
                  .formatted(process.exitCode(), process.log(), process.end()));
        }
        say(
            "%s, parallelism %s, round %s of %s: %s"
                .formatted(archive.folder(), degrees.get(i), round, rounds, process.measurement()));
        runs.get(i).add(process.measurement());
      }
    }
    Folders.delete(out(Way.CONSTAT));
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < degrees.size(); i++) {
      entries.add(
          new Entry(
              Way.CONSTAT.toString(), Way.CONSTAT.title(), degrees.get(i), runs.get(i), null));
    }
    return new Size(
        comparison.rows(archive.folder().resolve("events*.parquet")),
        records(archive, comparison),
        entries,
        List.of());
  }

  /** How small a heap is enough. */
  @Command(
      name = "memory",
      mixinStandardHelpOptions = true,
      description = "Constat alone: the smallest heap of a ladder that each size passes with.")
  static final class Memory implements Callable<Integer> {

    @CommandLine.ParentCommand private Bench bench;

    @Option(
        names = "--ladder",
        split = ",",
        paramLabel = "SIZE",
        defaultValue = "256m,384m,512m,768m,1g,2g",
        description = "Heaps to try, smallest first (default: ${DEFAULT-VALUE}).")
    private List<String> ladder;

    @Override
    public Integer call() throws Exception {
      List<Size> measured = new ArrayList<>();
      try (Comparison comparison = new Comparison(bench.scratch())) {
        for (BenchArchive archive : bench.archives()) {
          archive.warm();
          List<Entry> entries = new ArrayList<>();
          for (String heap : ladder) {
            Entry tried = bench.attempt(archive, heap);
            entries.add(tried);
            if (tried.failure() == null) {
              break;
            }
          }
          measured.add(
              new Size(
                  comparison.rows(archive.folder().resolve("events*.parquet")),
                  records(archive, comparison),
                  entries,
                  List.of()));
        }
        Results results =
            new Results(
                Machine.current(comparison.version()),
                "one of " + String.join(", ", ladder),
                1,
                measured);
        bench.publish("memory", results, ResultTable.ofMemory(results));
      }
      return 0;
    }
  }

  private Entry attempt(BenchArchive archive, String tried)
      throws IOException, InterruptedException {
    String failure = null;
    List<Measurement> runs = new ArrayList<>();
    try {
      MeasuredProcess process = run(Way.CONSTAT, archive, setting(parallelism, tried), 0);
      if (Way.CONSTAT.isDone(process)) {
        runs.add(process.measurement());
      } else {
        failure = failure(process);
      }
    } catch (TimeoutException e) {
      failure = "not done in " + RUN_MINUTES + " minutes";
    }
    say("%s with -Xmx%s: %s".formatted(archive.folder(), tried, failure == null ? runs : failure));
    Folders.delete(out(Way.CONSTAT));
    return new Entry(Way.CONSTAT.toString(), tried, parallelism, runs, failure);
  }

  private MeasuredProcess run(Way way, BenchArchive archive, Way.Setting setting, long memory)
      throws IOException, InterruptedException, TimeoutException {
    Path out = out(way);
    Folders.delete(out);
    Folders.delete(setting.scratch());
    Files.createDirectories(setting.scratch());
    return MeasuredProcess.run(
        way.command(setting, archive, out, memory),
        setting.environment(),
        dir().resolve(way + ".log"),
        RUN_MINUTES);
  }

  /** Why a process failed, in a few words. */
  private static String failure(MeasuredProcess process) throws IOException {
    String log = Files.readString(process.log());
    if (log.contains("OutOfMemoryError") || log.contains("Out of Memory Error")) {
      return "out of memory";
    }
    return "ended with " + process.exitCode();
  }

  private List<BenchArchive> archives() throws IOException, InterruptedException, TimeoutException {
    if (given != null) {
      return List.of(BenchArchive.of(given.toAbsolutePath()));
    }
    List<BenchArchive> archives = new ArrayList<>();
    for (long size : sizes.stream().sorted().toList()) {
      say("archive of " + ResultTable.count(size) + " receptions");
      archives.add(BenchArchive.generated(constat(), dir(), size, seed));
    }
    return archives;
  }

  private static long records(BenchArchive archive, Comparison comparison) throws SQLException {
    long records = 0;
    for (String input : List.of("events", "outbox", "acks")) {
      records += comparison.rows(archive.folder().resolve(input + "*.parquet"));
    }
    return records;
  }

  private void publish(String mode, Results results, String table) throws IOException {
    System.out.println(table);
    Path folder = root.resolve("pipelines/bench");
    Path document = json != null ? json : folder.resolve(mode + ".json");
    Files.createDirectories(document.toAbsolutePath().getParent());
    try (OutputStream out = Files.newOutputStream(document)) {
      ResultJson.write(results, mode, out);
    }
    Path written = page != null ? page : folder.resolve("RESULTS.md");
    ResultsPage.write(written, mode, ResultsPage.part(results, table));
    say("wrote " + document + " and " + written);
  }

  private Way.Setting setting(int cores, String xmx) throws IOException {
    return new Way.Setting(
        constat(),
        Path.of(System.getProperty("java.home"), "bin", "java"),
        classPath,
        cores,
        xmx,
        dir().resolve("scratch/run"));
  }

  private Path constat() {
    return root.resolve("pipelines/bin/constat");
  }

  private Path dir() throws IOException {
    Path folder = dir != null ? dir : root.resolve("pipelines/target/bench");
    return Files.createDirectories(folder).toAbsolutePath();
  }

  private Path scratch() throws IOException {
    return Files.createDirectories(dir().resolve("scratch/compare"));
  }

  private Path out(Way way) throws IOException {
    return dir().resolve("out-" + way);
  }

  private static void say(String message) {
    System.err.println("bench: " + message);
  }
}
