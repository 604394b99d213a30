package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.OutputException.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {

  @TempDir private Path temp;

  /** Runs in a process of its own: opens a staging folder and waits to be killed. */
  public static void main(String[] arguments) throws Exception {
    try (Staging staging = Staging.open(Path.of(arguments[0]), "killed")) {
      staging.write("summary.json", out -> out.write('x'));
      System.out.println("open");
      Thread.sleep(60_000);
    }
  }

  @Test
  void belongsToItsProcessUntilThatDies() throws Exception {
    Path out = temp.resolve("out");
    Path folder = out.resolve(".constat-staging-killed");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                StagingTest.class.getName(),
                out.toString())
            .redirectErrorStream(true)
            .start();
    try (var lines = process.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("open");

      try (Staging other = Staging.open(out, "other")) {
        assertThat(other.leftovers()).isEmpty();
        assertThat(folder.resolve("summary.json")).exists();
      }
    } finally {
      process.destroyForcibly().waitFor();
    }

    try (Staging next = Staging.open(out, "next")) {
      assertThat(next.leftovers()).containsExactly(new Staging.Leftover(folder, true));
      assertThat(names(out))
          .containsExactly(".constat-lock", ".constat-staging-next", ".constat-staging-next.lock");
    }
    assertThat(names(out)).containsExactly(".constat-lock");
  }

  @Test
  void severalRunsMayWriteAtATime() throws Exception {
    try (Staging one = Staging.open(temp, "one");
        Staging two = Staging.open(temp, "two")) {
      assertThat(two.leftovers()).isEmpty();
      assertThat(one.folder()).isDirectory();
      assertThat(two.folder()).isDirectory();
    }
  }

  @Test
  void oneTokenServesOneRun() throws Exception {
    try (Staging one = Staging.open(temp, "one")) {
      assertThatThrownBy(() -> Staging.open(temp, "one"))
          .isInstanceOf(OutputException.class)
          .hasMessageContaining(one.folder().toString())
          .extracting(e -> ((OutputException) e).problem())
          .isEqualTo(Problem.BUSY);
      assertThat(one.folder()).isDirectory();
    }
  }

  @Test
  void whatIsNotItsOwnStays() throws Exception {
    Files.createDirectory(temp.resolve("not-a-run"));
    Files.writeString(temp.resolve("note.txt"), "mine");
    try (Staging staging = Staging.open(temp, "t")) {
      assertThat(staging.leftovers()).isEmpty();
    }
    assertThat(names(temp)).containsExactly(".constat-lock", "not-a-run", "note.txt");
  }

  @Test
  void aRunFolderThatWasNotCompletedIsRemovedAndNamed() throws Exception {
    Path unfinished = Files.createDirectories(temp.resolve("0123"));
    Files.writeString(unfinished.resolve("summary.json"), "half");
    Files.createFile(unfinished.resolve(".constat-unfinished"));
    try (Staging staging = Staging.open(temp, "t")) {
      assertThat(staging.leftovers()).containsExactly(new Staging.Leftover(unfinished, true));
    }
    assertThat(names(temp)).containsExactly(".constat-lock");
  }

  @Test
  void linksAreNotFollowedWhenLeftoversAreRemoved() throws Exception {
    Path outside = Files.createDirectories(temp.resolve("outside"));
    Files.writeString(outside.resolve("note.txt"), "mine");
    Path out = temp.resolve("out");
    Path dead = Files.createDirectories(out.resolve(".constat-staging-dead"));
    Files.createSymbolicLink(dead.resolve("link"), outside);
    try (Staging staging = Staging.open(out, "t")) {
      assertThat(staging.leftovers()).hasSize(1);
    }
    assertThat(outside.resolve("note.txt")).hasContent("mine");
  }

  @Test
  void aFileInThePlaceOfTheFolderIsNamed() throws Exception {
    Path file = Files.writeString(temp.resolve("out"), "a file");
    assertThatThrownBy(() -> Staging.open(file, "t"))
        .isInstanceOf(OutputException.class)
        .hasMessage(
            "A file stands where a folder should be: %s. Remove it or choose another --out.", file);
  }

  private static List<String> names(Path folder) throws Exception {
    return ImmutableList.copyOf(
        Folders.list(folder).stream().map(path -> path.getFileName().toString()).toList());
  }
}
