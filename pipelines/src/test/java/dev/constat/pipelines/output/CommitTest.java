package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.Commit.Committed;
import dev.constat.pipelines.output.Commit.Outcome;
import dev.constat.pipelines.output.OutputException.Problem;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommitTest {

  private static final TableSchema TABLE =
      TableSchema.of("decisions", new Column("id", Type.LONG), new Column("text", Type.TEXT));
  private static final FileOperations REAL = LocalFiles.INSTANCE;

  @TempDir private Path temp;
  private Path out;
  private int attempts;

  /** What stands under the run's id before. */
  private enum Before {
    NOTHING,
    SAME,
    DIFFERENT,
    DAMAGED,
    WITHOUT_RUN_JSON
  }

  @Test
  void aRunIsItsFilesAndNothingElse() throws Exception {
    Committed committed = run(out(), "new", REAL);

    assertThat(committed).isEqualTo(new Committed(out.resolve("run"), Outcome.CREATED));
    assertThat(tree(out))
        .containsExactly(
            ".constat-lock",
            "run/decisions/part-00001-of-00002.parquet",
            "run/run.json",
            "run/summary.json");
    RunFolder run = RunFolder.find(out.resolve("run")).orElseThrow();
    assertThat(run.files())
        .extracting(RunFile::name)
        .containsExactly("decisions/part-00001-of-00002.parquet", "summary.json");
    assertThat(run.deviations()).isEmpty();
  }

  @Test
  void manyRunsAtOnceComeOneAfterTheOther() throws Exception {
    out();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Outcome>> outcomes = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String token = "at-once-" + i;
        String content = i % 2 == 0 ? "even" : "odd";
        outcomes.add(
            threads.submit(
                () -> {
                  try (Staging staging = Staging.open(out, token)) {
                    assertThat(staging.leftovers()).isEmpty();
                    RunFile file = staging.write("summary.json", text(content));
                    return Commit.publish(staging, "run", List.of(file), CommitTest::writeRunJson)
                        .outcome();
                  }
                }));
      }
      List<Outcome> all = new ArrayList<>();
      for (Future<Outcome> outcome : outcomes) {
        all.add(outcome.get());
      }
      assertThat(all).containsOnlyOnce(Outcome.CREATED).doesNotContain(Outcome.REPLACED_DAMAGED);
    } finally {
      threads.shutdownNow();
    }
    assertThat(tree(out)).containsExactly(".constat-lock", "run/run.json", "run/summary.json");
    assertThat(RunFolder.find(out.resolve("run")).orElseThrow().deviations()).isEmpty();
  }

  @Test
  void filesWithoutAReceiptAreDropped() throws Exception {
    try (Staging staging = Staging.open(out(), "t")) {
      RunFile kept = staging.write("summary.json", text("kept"));
      staging.write("effects/part-00000-of-00001.parquet", text("dropped"));
      staging.write("projections/volume/version=1/part-00000-of-00001.parquet", text("dropped"));
      Files.writeString(staging.folder().resolve(".summary.json.tmp-9"), "dropped");
      Commit.publish(staging, "run", List.of(kept), CommitTest::writeRunJson);
    }
    assertThat(tree(out)).containsExactly(".constat-lock", "run/run.json", "run/summary.json");
  }

  @Test
  void theSameRunStaysAndOnlyRunJsonIsNew() throws Exception {
    run(out(), "same", REAL);
    FileTime longAgo = FileTime.fromMillis(0);
    Files.setLastModifiedTime(out.resolve("run/summary.json"), longAgo);
    Files.setLastModifiedTime(out.resolve("run/run.json"), longAgo);

    assertThat(run(out, "same", REAL).outcome()).isEqualTo(Outcome.REFRESHED);

    assertThat(Files.getLastModifiedTime(out.resolve("run/summary.json"))).isEqualTo(longAgo);
    assertThat(Files.getLastModifiedTime(out.resolve("run/run.json"))).isNotEqualTo(longAgo);
    assertThat(tree(out)).hasSize(4);
  }

  @Test
  void whereItIsToBeKeptNothingOfTheSameRunIsNew() throws Exception {
    assertThat(runOnce(out(), "same").outcome()).isEqualTo(Outcome.CREATED);
    FileTime longAgo = FileTime.fromMillis(0);
    Files.setLastModifiedTime(out.resolve("run/run.json"), longAgo);

    assertThat(runOnce(out, "same").outcome()).isEqualTo(Outcome.KEPT);
    assertThat(Files.getLastModifiedTime(out.resolve("run/run.json"))).isEqualTo(longAgo);
    assertThat(tree(out)).containsExactly(".constat-lock", "run/run.json", "run/summary.json");

    Files.writeString(out.resolve("run/summary.json"), "lame");
    assertThat(runOnce(out, "same").outcome()).isEqualTo(Outcome.REPLACED_DAMAGED);
    assertThat(runOnce(out, "new").outcome()).isEqualTo(Outcome.REPLACED_DIFFERENT);
    assertThat(out.resolve("run/summary.json")).hasContent("new");
  }

  private Committed runOnce(Path folder, String content) throws IOException {
    try (Staging staging = Staging.open(folder, "token-" + attempts++)) {
      RunFile summary = staging.write("summary.json", text(content));
      return Commit.publishOnce(staging, "run", List.of(summary), CommitTest::writeRunJson);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"changed", "gone", "longer", "run.json"})
  void aDamagedRunIsReplaced(String damage) throws Exception {
    run(out(), "same", REAL);
    Path summary = out.resolve("run/summary.json");
    switch (damage) {
      case "changed" -> Files.writeString(summary, "lame");
      case "longer" -> Files.writeString(summary, "same and more");
      case "gone" -> Files.delete(summary);
      default -> Files.writeString(out.resolve("run/run.json"), "{\"files\": [{}]}");
    }

    assertThat(run(out, "same", REAL).outcome()).isEqualTo(Outcome.REPLACED_DAMAGED);

    assertThat(summary).hasContent("same");
    assertThat(RunFolder.find(out.resolve("run")).orElseThrow().deviations()).isEmpty();
    assertThat(tree(out)).hasSize(4);
  }

  @Test
  void aWholeRunOfOtherContentIsReplacedAndNamed() throws Exception {
    run(out(), "old", REAL);
    assertThat(run(out, "new", REAL).outcome()).isEqualTo(Outcome.REPLACED_DIFFERENT);
    assertThat(out.resolve("run/summary.json")).hasContent("new");
    assertThat(tree(out)).hasSize(4);
  }

  @Test
  void whatIsNoPartOfARunIsNeverRemoved() throws Exception {
    Path precious = Files.createDirectories(out().resolve("run")).resolve("thesis.odt");
    Files.writeString(precious, "three years of work");

    assertThatThrownBy(() -> run(out, "new", REAL))
        .isInstanceOf(OutputException.class)
        .hasMessageContaining("thesis.odt")
        .hasMessageContaining("--run-id")
        .extracting(e -> ((OutputException) e).problem())
        .isEqualTo(Problem.FOREIGN);

    assertThat(tree(out)).containsExactly(".constat-lock", "run/thesis.odt");
    assertThat(precious).hasContent("three years of work");
  }

  @Test
  void aReceiptThatDoesNotFitItsFileStopsTheCommit() throws Exception {
    try (Staging staging = Staging.open(out(), "t")) {
      RunFile file = staging.write("summary.json", text("whole"));
      Files.writeString(staging.folder().resolve("summary.json"), "who");
      assertThatThrownBy(
              () -> Commit.publish(staging, "run", List.of(file), CommitTest::writeRunJson))
          .isInstanceOf(OutputException.class)
          .hasMessageContaining("has 3 bytes, its receipt says 5");
    }
    assertThat(tree(out)).containsExactly(".constat-lock");
  }

  @Test
  void aFileThatTheClientDoesNotSeeStopsTheCommit() throws Exception {
    try (Staging staging = Staging.open(out(), "t")) {
      RunFile file = staging.write("summary.json", text("whole"));
      Files.delete(staging.folder().resolve("summary.json"));
      assertThatThrownBy(
              () -> Commit.publish(staging, "run", List.of(file), CommitTest::writeRunJson))
          .isInstanceOf(OutputException.class)
          .hasMessageContaining("not seen by the client")
          .hasMessageContaining("same path");
    }
    assertThat(RunFolder.find(out.resolve("run"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", ".hidden", "-x", "é"})
  void aRunIdIsAPlainName(String runId) {
    assertThat(Commit.isRunId(runId)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Before.class)
  void wheneverTheProcessDiesAReaderSeesAWholeRunOrNone(Before before) throws Exception {
    for (int steps = 0; ; steps++) {
      prepare(before);
      FailingFiles files = FailingFiles.dyingAfter(steps);
      try {
        run(out, "new", files);
      } catch (FailingFiles.Death death) {
        // as if the process were gone
      }
      if (!files.failed()) {
        assertThat(steps).isGreaterThan(15);
        return;
      }

      Optional<RunFolder> seen = RunFolder.find(out.resolve("run"));
      if (seen.isPresent() && before != Before.DAMAGED) {
        assertWhole(seen.get(), before);
      }

      // The next run, of other work, puts the folder in order.
      run(out, "other", "another", FailingFiles.never());
      Optional<RunFolder> kept = RunFolder.find(out.resolve("run"));
      assertThat(kept.isPresent())
          .as("after %s steps", steps)
          .isEqualTo(seen.isPresent() || hadRunJson(before));
      if (kept.isPresent() && before != Before.DAMAGED) {
        assertWhole(kept.get(), before);
      }
      assertThat(tree(out))
          .noneMatch(name -> name.startsWith(".constat-") && !name.endsWith("-lock"));

      // And the same work again succeeds.
      run(out, "new", FailingFiles.never());
      assertThat(out.resolve("run/summary.json")).hasContent("new");
      assertThat(RunFolder.find(out.resolve("run")).orElseThrow().deviations()).isEmpty();
      assertThat(tree(out)).hasSize(1 + 3 + 3);
    }
  }

  @ParameterizedTest
  @EnumSource(Before.class)
  void wheneverTheDiskIsFullTheMessageSaysSoAndAReaderSeesAWholeRunOrNone(Before before)
      throws Exception {
    for (int steps = 0; ; steps++) {
      prepare(before);
      FailingFiles files = FailingFiles.fullAfter(steps);
      try {
        run(out, "new", files);
      } catch (OutputException e) {
        assertThat(e.problem()).isEqualTo(Problem.NO_SPACE);
        assertThat(e).hasMessageContaining(out.toString()).hasMessageContaining("Free space");
      } catch (IOException e) {
        // while it tidied up after the commit, or after another failure
        assertThat(e).hasMessage("No space left on device");
      }
      if (!files.failed()) {
        return;
      }
      Optional<RunFolder> seen = RunFolder.find(out.resolve("run"));
      if (hadRunJson(before)) {
        assertThat(seen).as("after %s steps", steps).isPresent();
      }
      if (seen.isPresent() && before != Before.DAMAGED) {
        assertWhole(seen.get(), before);
      }
    }
  }

  private static boolean hadRunJson(Before before) {
    return before == Before.SAME || before == Before.DIFFERENT || before == Before.DAMAGED;
  }

  private static void assertWhole(RunFolder run, Before before) throws IOException {
    assertThat(run.deviations()).isEmpty();
    assertThat(Files.readString(run.path().resolve("summary.json")))
        .isIn("new", before == Before.DIFFERENT ? "old" : "new");
  }

  private void prepare(Before before) throws Exception {
    out = temp.resolve("out-" + attempts++);
    switch (before) {
      case NOTHING -> {}
      case SAME -> run(out, "new", FailingFiles.never());
      case DIFFERENT -> run(out, "old", FailingFiles.never());
      case DAMAGED -> {
        run(out, "new", FailingFiles.never());
        Files.writeString(out.resolve("run/summary.json"), "net");
      }
      case WITHOUT_RUN_JSON -> {
        run(out, "new", FailingFiles.never());
        Files.delete(out.resolve("run/run.json"));
      }
      default -> fail("unknown");
    }
  }

  private Path out() {
    out = temp.resolve("out");
    return out;
  }

  private Committed run(Path out, String content, FileOperations files) throws IOException {
    return run(out, "run", content, files);
  }

  private Committed run(Path out, String runId, String content, FileOperations files)
      throws IOException {
    try (Staging staging = Staging.open(out, "token-" + attempts++, files)) {
      List<RunFile> written = new ArrayList<>();
      try (TableSink.Part part =
          new ParquetTables(staging.folder().toString(), InputFiles.NONE, files)
              .open(TABLE, 1, 2)) {
        part.add(new Object[] {1L, "row"});
        written.add(RunFile.of(part.finish().orElseThrow()));
      }
      staging.write("without-receipt", text("dropped"));
      written.add(staging.write("summary.json", text(content)));
      return Commit.publish(staging, runId, written, CommitTest::writeRunJson);
    }
  }

  private static Staging.Document text(String content) {
    return stream -> stream.write(content.getBytes(StandardCharsets.UTF_8));
  }

  private static void writeRunJson(ImmutableList<RunFile> files, OutputStream stream)
      throws IOException {
    RunJson.write(RunReportTest.REPORT, RunReportTest.EXECUTION, files, stream);
  }

  /** All files below a folder. */
  private static List<String> tree(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      return paths
          .filter(Files::isRegularFile)
          .map(path -> folder.relativize(path).toString())
          .sorted()
          .toList();
    }
  }
}
