package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A run that is killed, whenever that is, leaves nothing that a reader takes for a run, and nothing
 * that keeps the next run from its answer; neither in the output folder nor in the temporary one.
 *
 * <p>Kill points are random, so many in each phase of a run, from a seed that the name of an
 * assertion tells. {@code -Dconstat.kill.points=60} makes it a campaign (of that many per runner),
 * {@code -Dconstat.kill.seed=7} another one.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class KilledRunIT {

  private static final String LOCK = ".constat-lock";
  private static final long SEED = Long.getLong("constat.kill.seed", 20260105);

  /** So many runs are killed one after the other, each of which meets what the last one left. */
  private static final int KILLS_IN_A_ROW = 4;

  /** What a run is doing, as far as it can be seen from outside. */
  private enum Phase {
    /** Nothing yet: the JVM starts, the run spec is read, the archives are listed. */
    STARTING,
    /** It has its staging folder, and reads and judges. */
    READING,
    /** It writes tables, merges findings and commits. */
    WRITING,
    /** The run is there, and the process tidies up. */
    ENDING
  }

  @TempDir private static Path temporary;

  private Path spec;
  private String runId;
  private Map<String, String> expected;

  @BeforeAll
  void runUndisturbed() throws Exception {
    spec = TestFolders.copy("quickstart", temporary).resolve("constat.yaml").toAbsolutePath();
    Answer answer =
        Answer.to(
            "reconcile", spec, "--out", temporary.resolve("undisturbed"), "--runner", "direct");
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    Path run = TestFolders.onlyRun(temporary.resolve("undisturbed"));
    runId = run.getFileName().toString();
    expected = TestFolders.digests(run);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"direct, 4", "embedded, 3"})
  void theNextRunIsWholeWhereverThisOneIsKilled(String runner, int few) throws Exception {
    int points = Integer.getInteger("constat.kill.points", few);
    Random random = new Random(SEED);
    List<Phase> phases = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      // Starting and ending are the least of it.
      phases.add(
          switch (i % 5) {
            case 0, 3 -> Phase.READING;
            case 1, 4 -> Phase.WRITING;
            default -> i % 2 == 0 ? Phase.STARTING : Phase.ENDING;
          });
    }
    Collections.shuffle(phases, random);
    Map<Phase, Duration> lengths = lengths(runner);
    Path out = temporary.resolve("out-" + runner);
    Map<Phase, Integer> killed = new EnumMap<>(Phase.class);
    for (int i = 0; i < points; i++) {
      Phase phase = phases.get(i);
      double share = random.nextDouble();
      String point =
          "seed %s, point %s: %s of %s %s".formatted(SEED, i, share, lengths.get(phase), phase);
      JarProcess doomed = start(out, runner, i + "-" + runner);
      while (doomed.isAlive() && phase(out).compareTo(phase) < 0) {
        Thread.sleep(1);
      }
      Thread.sleep((long) (share * lengths.get(phase).toMillis()));
      if (doomed.isAlive()) {
        killed.merge(phase, 1, Integer::sum);
      }
      doomed.kill();

      for (Path run : TestFolders.runs(out)) {
        // Killed after it was complete: then it is.
        assertThat(run.getFileName()).as(point).hasToString(runId);
        assertWhole(run, point);
      }
      if (i % KILLS_IN_A_ROW == KILLS_IN_A_ROW - 1 || i == points - 1) {
        assertNextRunIsWhole(out, runner, i, point);
        for (Path run : TestFolders.runs(out)) {
          Files.move(run, temporary.resolve("done-" + runner + "-" + i));
        }
      }
    }
    System.out.println("Killed on " + runner + " of " + points + " points: " + killed);
    assertThat(killed).as("seed %s", SEED).containsKeys(Phase.READING, Phase.WRITING);
  }

  @ParameterizedTest(name = "SIG{0} on {1}")
  @CsvSource({"INT, direct", "TERM, embedded"})
  void endsPromptlyWhenItIsAskedTo(String signal, String runner) throws Exception {
    Path out = temporary.resolve("out-" + signal + "-" + runner);
    JarProcess asked = start(out, runner, signal + "-" + runner);
    while (asked.isAlive() && phase(out).compareTo(Phase.READING) < 0) {
      Thread.sleep(1);
    }
    long before = System.nanoTime();
    asked.signal(signal);
    int code = asked.exitCode();

    assertThat(code).as(asked.err()).isEqualTo(signal.equals("INT") ? 130 : 143);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
    assertThat(TestFolders.runs(out)).isEmpty();
    assertNextRunIsWhole(out, "direct", 0, signal);
  }

  /** How long each phase of an undisturbed run takes here and now. */
  private Map<Phase, Duration> lengths(String runner) throws Exception {
    Path out = temporary.resolve("measured-" + runner);
    Map<Phase, Duration> lengths = new EnumMap<>(Phase.class);
    long began = System.nanoTime();
    JarProcess process = start(out, runner, "measured-" + runner);
    for (Phase phase : Phase.values()) {
      while (process.isAlive() && phase(out) == phase) {
        Thread.sleep(1);
      }
      long now = System.nanoTime();
      lengths.put(phase, Duration.ofNanos(now - began));
      began = now;
    }
    assertThat(process.exitCode()).as(process.err()).isEqualTo(1);
    assertThat(TestFolders.digests(TestFolders.onlyRun(out))).isEqualTo(expected);
    return lengths;
  }

  /** What a run in {@code out} is doing. */
  private static Phase phase(Path out) throws IOException {
    if (!TestFolders.runs(out).isEmpty()) {
      return Phase.ENDING;
    }
    Phase phase = Phase.STARTING;
    for (Path folder : leftovers(out)) {
      if (Files.exists(folder.resolve("decisions"))) {
        return Phase.WRITING;
      }
      phase = Phase.READING;
    }
    return phase;
  }

  private void assertNextRunIsWhole(Path out, String runner, int number, String point)
      throws Exception {
    List<Path> leftovers = leftovers(out);

    JarProcess next = start(out, runner, "next-" + number + "-" + runner);

    assertThat(next.exitCode()).as(point + next.err()).isEqualTo(1);
    assertWhole(TestFolders.onlyRun(out), point);
    assertThat(TestFolders.names(out)).as(point).containsExactlyInAnyOrder(LOCK, runId);
    for (Path leftover : leftovers) {
      assertThat(next.err())
          .as(point)
          .contains("constat: a run that did not end left " + leftover + "; removed");
    }
    assertThat(TestFolders.names(scratch(out))).as(point + ", temporary files").isEmpty();
  }

  /** The files that run.json lists are those that are there and those of an undisturbed run. */
  private void assertWhole(Path run, String point) throws IOException {
    Map<String, String> listed = new TreeMap<>();
    for (JsonNode file :
        new ObjectMapper().readTree(run.resolve("run.json").toFile()).get("files")) {
      listed.put(file.get("file").asText(), file.get("sha256").asText());
    }
    Map<String, String> found = TestFolders.digests(run);
    found.remove(".constat-unfinished"); // of a run that was killed between its last two steps
    assertThat(found).as(point).isEqualTo(expected);
    found.values().removeIf("folder"::equals);
    assertThat(listed).as(point).isEqualTo(found);
  }

  /** Folders that are no runs. */
  private static List<Path> leftovers(Path out) throws IOException {
    if (!Files.exists(out)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(out)) {
      return entries
          .filter(entry -> Files.isDirectory(entry) && Files.notExists(entry.resolve("run.json")))
          .toList();
    }
  }

  /** The temporary directory of all runs that go to a folder. */
  private static Path scratch(Path out) throws IOException {
    return Files.createDirectories(out.resolveSibling(out.getFileName() + "-tmp"));
  }

  private JarProcess start(Path out, String runner, String name) throws IOException {
    return JarProcess.start(
        List.of("env", "--default-signal=INT"), // a job in the background has it ignored
        temporary,
        Files.createDirectories(temporary.resolve("jvm-" + name)),
        List.of("-Djava.io.tmpdir=" + scratch(out)),
        List.of("reconcile", spec.toString(), "--out", out.toString(), "--runner", runner));
  }
}
