package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A machine that runs out of disk or memory, an output folder that cannot be written to, and two
 * runs at once: there is a message that says what to do, and never half a run.
 *
 * <p>A full disk is a small file system of its own where the system lets this user mount one
 * (Linux, user namespaces), else a limit on the size of files.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class FaultsIT {

  /**
   * Runs the command behind it twice: with {@code $2} as a file system of so many bytes as {@code
   * $1} says, then with room. What the first one said and left goes to {@code $3}.
   */
  private static final String SMALL =
      """
      size=$1; folder=$2; kept=$3; shift 3
      mount -t tmpfs -o size=$size constat-test "$folder" || exit 99
      "$@" 2>"$kept/err"
      echo $? >"$kept/code"
      find "$folder" -mindepth 1 | sort >"$kept/left"
      mount -o remount,size=1g "$folder" || exit 98
      "$@"
      code=$?
      [ ! -d "$folder/out" ] || cp -r "$folder/out" "$kept/out"
      exit $code
      """;

  /** Mounts {@code $1} so that nothing can be written to it. */
  private static final String READ_ONLY =
      """
      folder=$1; shift
      mount -t tmpfs -o ro constat-test "$folder" || exit 99
      "$@"
      """;

  @TempDir private static Path temporary;

  private Path spec;
  private String runId;
  private Map<String, String> expected;

  @BeforeAll
  void runUndisturbed() throws Exception {
    spec = TestFolders.copy("quickstart", temporary).resolve("constat.yaml").toAbsolutePath();
    Path out = temporary.resolve("undisturbed");
    assertThat(Answer.to("reconcile", spec, "--out", out, "--runner", "direct").exitCode())
        .isEqualTo(1);
    Path run = TestFolders.onlyRun(out);
    runId = run.getFileName().toString();
    expected = TestFolders.digests(run);
  }

  @ParameterizedTest(name = "{0} has {2} bytes, {1}")
  @CsvSource({"out, direct, 200k", "tmp, direct, 3m", "tmp, embedded, 3m"})
  void aFullDiskIsNamedAndWithSpaceTheAnswerIsTheSame(String which, String runner, String size)
      throws Exception {
    Path folder = Files.createDirectories(temporary.resolve("full-" + which + "-" + runner));
    Path kept = Files.createDirectories(temporary.resolve("kept-" + which + "-" + runner));
    boolean outIsSmall = which.equals("out");
    Path out = outIsSmall ? folder.resolve("out") : kept.resolve("out");
    boolean mounts = canMount();
    System.out.println("A full disk: " + (mounts ? "mounted" : "limited files, no mounts here"));
    List<String> prefix = new ArrayList<>();
    if (mounts) {
      prefix.addAll(List.of("unshare", "--map-root-user", "--mount", "sh", "-c", SMALL, "full"));
      prefix.addAll(List.of(size, folder.toString(), kept.toString()));
    } else {
      prefix.addAll(List.of("sh", "-c", "ulimit -f 64; exec \"$@\"", "full"));
    }
    JarProcess process =
        start(
            prefix,
            which + "-" + runner,
            outIsSmall ? List.of() : List.of("-Djava.io.tmpdir=" + folder),
            out,
            "--runner",
            runner);

    if (!mounts) {
      assertThat(process.exitCode()).isEqualTo(3);
      assertThat(process.err()).contains("File too large").contains(temporary.toString());
      assertThat(TestFolders.runs(out)).isEmpty();
      return;
    }
    assertThat(process.exitCode()).as(process.err()).isEqualTo(1);
    String err = Files.readString(kept.resolve("err"));
    assertThat(Files.readString(kept.resolve("code"))).as(err).isEqualTo("3\n");
    assertThat(err).doesNotContain("\tat ");
    assertThat(err.lines().reduce((a, b) -> b).orElseThrow())
        .startsWith(outIsSmall ? "constat: No space left for outputs: " + out : "constat: Cannot ")
        .contains(outIsSmall ? "Free space or choose another --out" : "Free space there, or name")
        .contains(folder.toString());
    assertThat(
            Files.readString(kept.resolve("left"))
                .lines()
                .filter(line -> !line.equals(out.toString())))
        .as("what is left")
        .allMatch(line -> line.equals(out.resolve(".constat-lock").toString()));
    assertThat(TestFolders.digests(kept.resolve("out").resolve(runId))).isEqualTo(expected);
    assertThat(TestFolders.names(kept.resolve("out")))
        .containsExactlyInAnyOrder(".constat-lock", runId);
  }

  @ParameterizedTest(name = "{1} on {0}")
  @CsvSource({"direct, 16m", "embedded, 16m"})
  void aHeapThatIsTooSmallIsSaid(String runner, String heap) throws Exception {
    String name = "heap-" + runner + "-" + heap;
    Path out = temporary.resolve(name);
    JarProcess process = start(List.of(), name, List.of("-Xmx" + heap), out, "--runner", runner);

    assertThat(process.exitCode()).as(process.err()).isEqualTo(3);
    assertThat(process.err())
        .contains("constat: out of memory with a heap of ")
        .contains("; nothing was published. Give the JVM more: CONSTAT_JAVA_OPTS=-Xmx4g");
    assertThat(process.out()).isEmpty();
    assertThat(TestFolders.runs(out)).isEmpty();
  }

  @Test
  void aFolderThatCannotBeWrittenToIsNamed() throws Exception {
    Path folder = Files.createDirectories(temporary.resolve("read-only"));
    List<String> prefix = List.of();
    if (canMount()) {
      prefix =
          List.of(
              "unshare",
              "--map-root-user",
              "--mount",
              "sh",
              "-c",
              READ_ONLY,
              "ro",
              folder.toString());
    } else {
      assertThat(folder.toFile().setWritable(false)).isTrue();
    }
    JarProcess process =
        start(prefix, "ro", List.of(), folder.resolve("out"), "--runner", "direct");

    assertThat(process.exitCode()).as(process.err()).isEqualTo(3);
    assertThat(process.err())
        .contains("constat: Not allowed to write outputs: " + folder.resolve("out"))
        .contains("Make the folder writable or choose another --out")
        .doesNotContain("\tat ");
  }

  @Test
  void twoRunsAtOnceDoNotMix() throws Exception {
    Path out = temporary.resolve("both");
    for (int round = 0; round < 2; round++) {
      // The same work, then other work under the same name.
      String[] first = round == 0 ? new String[0] : new String[] {"--run-id", "one"};
      String[] second =
          round == 0
              ? new String[0]
              : new String[] {"--run-id", "one", "--to", "2026-01-06T12:00:00Z"};
      JarProcess one = start(List.of(), "one-" + round, List.of(), out, first);
      JarProcess two = start(List.of(), "two-" + round, List.of(), out, second);

      assertThat(one.exitCode()).as(one.err()).isEqualTo(1);
      assertThat(two.exitCode()).as(two.err()).isEqualTo(1);
      String id = round == 0 ? runId : "one";
      assertThat(one.out()).endsWith("report: " + out.resolve(id) + "\n");
      assertThat(two.out()).endsWith("report: " + out.resolve(id) + "\n");
      if (round == 0) {
        assertThat(TestFolders.digests(out.resolve(id))).isEqualTo(expected);
        assertThat(one.err() + two.err()).doesNotContain("replaced");
      } else {
        // Whichever came last; and that one, whole.
        assertThat(one.err() + two.err()).containsOnlyOnce("held other work and is replaced");
        assertThat(Answer.to("verify", out.resolve(id), "--runner", "direct").exitCode()).isZero();
      }
      assertThat(one.err() + two.err()).doesNotContain("did not end");
    }
    assertThat(TestFolders.names(out)).containsExactlyInAnyOrder(".constat-lock", runId, "one");
  }

  private JarProcess start(
      List<String> prefix, String name, List<String> jvm, Path out, String... more)
      throws IOException {
    List<String> args =
        new ArrayList<>(List.of("reconcile", spec.toString(), "--out", out.toString()));
    args.addAll(List.of(more));
    return JarProcess.start(
        prefix, temporary, Files.createDirectories(temporary.resolve("jvm-" + name)), jvm, args);
  }

  private static boolean canMount() throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "unshare",
                  "--map-root-user",
                  "--mount",
                  "sh",
                  "-c",
                  "mount -t tmpfs -o size=4k constat-test \"$0\"",
                  temporary.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }
}
