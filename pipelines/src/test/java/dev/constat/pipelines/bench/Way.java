package dev.constat.pipelines.bench;

import dev.constat.pipelines.bench.Comparison.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A way to the tables of a reconciliation, as a command. */
enum Way {
  /** Constat as users start it. */
  CONSTAT("constat", "Constat, embedded Flink", Set.of(0, 1)),
  /** The rules as SQL. */
  DUCKDB("duckdb", "DuckDB SQL", Set.of(0)),
  /** The same, with no more memory than Constat took. */
  DUCKDB_LIMITED("duckdb-limited", "DuckDB SQL, Constat's memory", Set.of(0)),
  /** The rules written key by key in Beam. */
  COGROUP("cogroup", "Beam, CoGroupByKey, embedded Flink", Set.of(0));

  private final String option;
  private final String title;
  private final Set<Integer> success;

  Way(String option, String title, Set<Integer> success) {
    this.option = option;
    this.title = title;
    this.success = success;
  }

  /** As options name it. */
  @Override
  public String toString() {
    return option;
  }

  String title() {
    return title;
  }

  /** Whether it did its work; that Constat finds discrepancies is part of it. */
  boolean isDone(MeasuredProcess process) {
    return success.contains(process.exitCode());
  }

  /**
   * What all commands are told.
   *
   * @param constat the launcher
   * @param java the JVM
   * @param classPath of the benchmark: Constat's jar, test classes, DuckDB's driver
   * @param parallelism number of cores to use
   * @param heap the -Xmx of what runs on Beam
   * @param scratch for what does not fit into memory
   */
  record Setting(
      Path constat, Path java, String classPath, int parallelism, String heap, Path scratch) {

    /** Variables of the process. */
    Map<String, String> environment() {
      return Map.of(
          "CONSTAT_JAVA_OPTS",
          "-Xmx" + heap + " -Djava.io.tmpdir=" + scratch,
          "FLINK_CONF_DIR",
          constat.toAbsolutePath().getParent().resolveSibling("conf").toString());
    }
  }

  /**
   * The command.
   *
   * @param out folder for the results, empty
   * @param memoryBytes that {@link #DUCKDB_LIMITED} may take
   */
  List<String> command(Setting setting, BenchArchive archive, Path out, long memoryBytes) {
    return switch (this) {
      case CONSTAT ->
          List.of(
              setting.constat().toString(),
              "reconcile",
              archive.spec().toString(),
              "--out",
              out.toString(),
              "--runner",
              "embedded",
              "--",
              "--parallelism=" + setting.parallelism());
      case DUCKDB -> sql(setting, archive, out);
      case DUCKDB_LIMITED -> {
        List<String> command = sql(setting, archive, out);
        command.add(memoryBytes / 1_000_000 + "MB");
        yield command;
      }
      case COGROUP ->
          List.of(
              setting.java().toString(),
              "-Xmx" + setting.heap(),
              "-XX:+UseParallelGC",
              "-Djava.io.tmpdir=" + setting.scratch(),
              "-cp",
              setting.classPath(),
              "dev.constat.pipelines.bench.CoGroupByKeyPeer",
              archive.spec().toString(),
              out.toString(),
              archive.cut(),
              Integer.toString(setting.parallelism()));
    };
  }

  private static List<String> sql(Setting setting, BenchArchive archive, Path out) {
    return new ArrayList<>(
        List.of(
            setting.java().toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            setting.classPath(),
            "dev.constat.pipelines.bench.DuckDbPeer",
            archive.folder().toString(),
            out.toString(),
            archive.cut(),
            archive.budgetVersion(),
            Integer.toString(setting.parallelism()),
            setting.scratch().toString()));
  }

  /** The tables that it left. */
  Side side(Path out) throws IOException {
    return switch (this) {
      case CONSTAT -> Side.ofRun(Folders.onlyRun(out));
      case DUCKDB, DUCKDB_LIMITED -> Side.ofPeer(title, out);
      case COGROUP -> Side.ofCoGroupByKey(out);
    };
  }
}
