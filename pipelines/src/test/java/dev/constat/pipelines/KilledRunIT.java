package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A run that is killed, whenever that is, leaves nothing that a reader takes for a run, and nothing
 * that keeps the next run from its answer.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class KilledRunIT {

  private static final int POINTS = 10;
  private static final String LOCK = ".constat-lock";

  @TempDir private static Path temporary;

  private Path spec;
  private Duration undisturbed;
  private String runId;
  private Map<String, String> expected;

  @BeforeAll
  void runUndisturbed() throws Exception {
    spec = TestFolders.copy("quickstart", temporary).resolve("constat.yaml").toAbsolutePath();
    Path out = temporary.resolve("undisturbed");
    start(out, "warm-up").exitCode(); // reads the jar into the memory of the system
    long before = System.nanoTime();
    assertThat(start(out, "undisturbed-run").exitCode()).isEqualTo(1);
    undisturbed = Duration.ofNanos(System.nanoTime() - before);
    Path run = TestFolders.onlyRun(out);
    runId = run.getFileName().toString();
    expected = TestFolders.digests(run);
  }

  @ParameterizedTest(name = "{0}/11 of an undisturbed run")
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, POINTS})
  void killedAtAnyTime(int point) throws Exception {
    Path out = temporary.resolve("out-" + point);
    JarProcess doomed = start(out, "doomed-" + point);
    Thread.sleep(undisturbed.multipliedBy(point).dividedBy(POINTS + 1).toMillis());
    doomed.kill();

    assertNextRunIsWhole(out, "next-" + point);
  }

  @Test
  void killedWhileItWritesItsTables() throws Exception {
    Path out = temporary.resolve("out-writing");
    JarProcess doomed = start(out, "doomed-writing");
    while (doomed.isAlive() && !hasTables(out)) {
      Thread.sleep(1);
    }
    doomed.kill();

    assertThat(leftovers(out)).as("what the killed run left; else this tests nothing").isNotEmpty();
    assertThat(TestFolders.runs(out)).isEmpty();
    assertNextRunIsWhole(out, "next-writing");
  }

  private void assertNextRunIsWhole(Path out, String name) throws Exception {
    for (Path run : TestFolders.runs(out)) {
      // Killed after it was complete: then it is.
      assertThat(run.getFileName()).hasToString(runId);
      assertWhole(run);
    }
    List<Path> leftovers = leftovers(out);

    JarProcess next = start(out, name);

    assertThat(next.exitCode()).as(next.err()).isEqualTo(1);
    assertWhole(TestFolders.onlyRun(out));
    assertThat(TestFolders.names(out)).containsExactlyInAnyOrder(LOCK, runId);
    for (Path leftover : leftovers) {
      assertThat(next.err())
          .contains("constat: a run that did not end left " + leftover + "; removed");
    }
    if (leftovers.isEmpty()) {
      assertThat(next.err()).doesNotContain("did not end");
    }
  }

  /** The files that run.json lists are those that are there and those of an undisturbed run. */
  private void assertWhole(Path run) throws IOException {
    Map<String, String> listed = new TreeMap<>();
    for (JsonNode file :
        new ObjectMapper().readTree(run.resolve("run.json").toFile()).get("files")) {
      listed.put(file.get("file").asText(), file.get("sha256").asText());
    }
    Map<String, String> found = TestFolders.digests(run);
    assertThat(found).isEqualTo(expected);
    found.values().removeIf("folder"::equals);
    assertThat(listed).isEqualTo(found);
  }

  private static boolean hasTables(Path out) throws IOException {
    for (Path leftover : leftovers(out)) {
      if (Files.exists(leftover.resolve("decisions"))) {
        return true;
      }
    }
    return false;
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

  private JarProcess start(Path out, String name) throws IOException {
    return JarProcess.start(
        List.of(),
        temporary,
        Files.createDirectories(temporary.resolve("jvm-" + name)),
        List.of(),
        List.of("reconcile", spec.toString(), "--out", out.toString(), "--runner", "direct"));
  }
}
