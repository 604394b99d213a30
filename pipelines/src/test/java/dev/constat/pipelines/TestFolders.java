package dev.constat.pipelines;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Folders of archives and runs, as tests copy and compare them. */
final class TestFolders {

  static final Path TEST_DATA = Path.of("..", "test-data");

  private TestFolders() {}

  /** An archive of {@code test-data} below {@code folder}, which is created. */
  static Path copy(String archive, Path folder) throws IOException {
    return copy(archive, folder, false);
  }

  /**
   * An archive of {@code test-data} below {@code folder}, which is created.
   *
   * @param backwards create its files in reverse order of their names
   */
  static Path copy(String archive, Path folder, boolean backwards) throws IOException {
    Path from = TEST_DATA.resolve(archive);
    Path to = folder.resolve(archive);
    List<Path> files = new ArrayList<>(regularFiles(from));
    if (backwards) {
      Collections.reverse(files);
    }
    for (Path file : files) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
    return to;
  }

  /** Name and digest of every file of a run but {@code run.json}. */
  static Map<String, String> digests(Path run) throws IOException {
    Map<String, String> digests = everything(run);
    digests.remove("run.json");
    return digests;
  }

  /** Name and digest of every file, and every folder, below {@code folder}. */
  static Map<String, String> everything(Path folder) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.toList()) {
        String name = folder.relativize(path).toString().replace('\\', '/');
        if (!name.isEmpty()) {
          found.put(
              name,
              Files.isDirectory(path)
                  ? "folder"
                  : Hashing.sha256().hashBytes(Files.readAllBytes(path)).toString());
        }
      }
    }
    return found;
  }

  /** The one run in {@code out}. */
  static Path onlyRun(Path out) throws IOException {
    List<Path> runs = runs(out);
    if (runs.size() != 1) {
      throw new AssertionError("Not one run in " + out + ": " + runs);
    }
    return runs.get(0);
  }

  /** Every folder that a reader takes for a run, hidden ones too. */
  static List<Path> runs(Path out) throws IOException {
    if (!Files.exists(out)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(out)) {
      return entries.filter(entry -> Files.exists(entry.resolve("run.json"))).sorted().toList();
    }
  }

  /** Names of what stands directly in {@code folder}. */
  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  private static List<Path> regularFiles(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
