package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An archive that is not what it was when it was listed has no answer: the run ends, names the file
 * and leaves nothing. What comes later is no part of it.
 */
final class ChangingArchiveTest {

  private static final String FILE = "decisions/2026-01-07.jsonl";

  @TempDir private Path temporary;

  private enum Change {
    TRUNCATED,
    REMOVED,
    REPLACED,
    OVERWRITTEN,
    APPENDED,
    TOUCHED,
    A_FOLDER
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({
    "TRUNCATED, direct",
    "REMOVED, direct",
    "REPLACED, direct",
    "OVERWRITTEN, direct",
    "APPENDED, direct",
    "TOUCHED, direct",
    "A_FOLDER, direct",
    "TRUNCATED, embedded",
    "REMOVED, embedded"
  })
  void aFileThatIsAnotherWhenItIsReadEndsTheRun(Change change, String runner) throws Exception {
    Path archive = TestFolders.copy("quickstart", temporary);
    Path out = temporary.resolve("out");

    Answer answer = run(archive, out, runner, () -> make(change, archive.resolve(FILE)));

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err())
        .contains(
            "constat: "
                + FILE
                + (change == Change.REMOVED ? " was removed" : " changed")
                + " while it was read")
        .doesNotContain("\tat ");
    assertThat(TestFolders.everything(out)).containsOnlyKeys(".constat-lock");
  }

  @Test
  void aFileThatComesAfterTheListingIsNoPartOfTheRun() throws Exception {
    Path archive = TestFolders.copy("quickstart", temporary);
    Path before = temporary.resolve("before");
    assertThat(Answer.to("reconcile", archive.resolve("constat.yaml"), "--out", before).exitCode())
        .isEqualTo(1);
    Path out = temporary.resolve("out");

    Answer answer =
        run(
            archive,
            out,
            "direct",
            () -> Files.copy(archive.resolve(FILE), archive.resolve("decisions/2026-01-08.jsonl")));

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    assertThat(TestFolders.digests(TestFolders.onlyRun(out)))
        .isEqualTo(TestFolders.digests(TestFolders.onlyRun(before)));
    assertThat(TestFolders.onlyRun(out).resolve("run.json")).content().doesNotContain("01-08");
  }

  @Test
  void aFileThatTheSystemCannotReadEndsTheRun() throws Exception {
    Path archive = TestFolders.copy("quickstart", temporary);
    // There to see, and an error of input and output to read, for root too.
    Files.createSymbolicLink(
        archive.resolve("decisions/2026-01-06a.jsonl"), Path.of("/proc/self/mem"));
    Path out = temporary.resolve("out");

    Answer answer =
        Answer.to("reconcile", archive.resolve("constat.yaml"), "--out", out, "--runner", "direct");

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(3);
    assertThat(answer.err())
        .contains("constat: decisions/2026-01-06a.jsonl ")
        .doesNotContain("\tat ");
    assertThat(TestFolders.everything(out)).containsOnlyKeys(".constat-lock");
  }

  @ParameterizedTest(name = "--out {0}")
  @ValueSource(strings = {"decisions/out", "decisions"})
  void anOutputFolderAmongTheInputsIsNoInput(String where) throws Exception {
    Path archive = TestFolders.copy("quickstart", temporary);
    Path spec = archive.resolve("constat.yaml");
    String text = Files.readString(spec);
    String globs = "[decisions/*.jsonl, decisions/*.jsonl.gz]";
    assertThat(text).contains(globs);
    Files.writeString(spec, text.replace(globs, "decisions/"));
    Path out = archive.resolve(where);
    Answer first = Answer.to("reconcile", spec, "--out", out, "--runner", "direct");
    assertThat(first.exitCode()).as(first.err()).isEqualTo(1);
    Path run = TestFolders.onlyRun(out);
    Map<String, String> before = TestFolders.digests(run);

    Answer second = Answer.to("reconcile", spec, "--out", out, "--runner", "direct");

    assertThat(second.exitCode()).as(second.err()).isEqualTo(1);
    assertThat(TestFolders.onlyRun(out)).isEqualTo(run);
    assertThat(TestFolders.digests(run)).isEqualTo(before);
    assertThat(second.err())
        .contains(
            "constat: decisions: %s/%s is a run of Constat, and no input\n"
                .formatted(where, run.getFileName()));
  }

  @Test
  void anyNameOfAnOutputFolderWillDo() throws Exception {
    Path spec = TestFolders.copy("late-after-watermark", temporary).resolve("constat.yaml");
    Path out = temporary.resolve("a b\n\u00FC\u4E2D'\"$(x)");

    Answer first = Answer.to("reconcile", spec, "--out", out, "--runner", "direct");
    assertThat(first.exitCode()).as(first.err()).isLessThan(2);
    Path run = TestFolders.onlyRun(out);
    Answer verified = Answer.to("verify", run, "--runner", "direct");
    assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();

    Path file = Files.writeString(temporary.resolve("a file"), "mine");
    Answer refused = Answer.to("reconcile", spec, "--out", file, "--runner", "direct");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err())
        .contains("constat: A file stands where a folder should be: " + file + ". Remove it or");
    assertThat(file).hasContent("mine");
  }

  /** Something that happens to an archive. */
  private interface Event {

    void happen() throws IOException;
  }

  /** Runs, and lets something happen as soon as the archives are listed. */
  private static Answer run(Path archive, Path out, String runner, Event event) throws Exception {
    CompletableFuture<Answer> running =
        CompletableFuture.supplyAsync(
            () ->
                Answer.to(
                    "reconcile",
                    archive.resolve("constat.yaml"),
                    "--out",
                    out,
                    "--runner",
                    runner));
    while (!running.isDone() && !hasBegun(out)) {
      Thread.onSpinWait();
    }
    event.happen();
    return running.get();
  }

  private static boolean hasBegun(Path out) throws IOException {
    if (!Files.isDirectory(out)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(out)) {
      return entries.anyMatch(
          entry -> entry.getFileName().toString().startsWith(".constat-staging-"));
    }
  }

  private static void make(Change change, Path file) throws IOException {
    FileTime written = Files.getLastModifiedTime(file);
    byte[] bytes = Files.readAllBytes(file);
    switch (change) {
      case TRUNCATED -> {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(bytes.length / 2);
        }
      }
      case REMOVED -> Files.delete(file);
      case REPLACED -> {
        // Of the same size, and with the same time of writing.
        Path other = Files.write(file.resolveSibling(".other"), altered(bytes));
        Files.setLastModifiedTime(other, written);
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
      }
      case OVERWRITTEN -> {
        Files.write(file, altered(bytes), StandardOpenOption.WRITE);
        Files.setLastModifiedTime(file, written);
      }
      case APPENDED -> Files.writeString(file, "{}\n", StandardOpenOption.APPEND);
      case TOUCHED -> Files.setLastModifiedTime(file, FileTime.fromMillis(0));
      case A_FOLDER -> {
        Files.delete(file);
        Files.createDirectory(file);
      }
    }
  }

  private static byte[] altered(byte[] bytes) {
    byte[] altered = bytes.clone();
    for (int i = 0; i < altered.length; i++) {
      if (altered[i] == '1') {
        altered[i] = '2';
        break;
      }
    }
    return altered;
  }
}
