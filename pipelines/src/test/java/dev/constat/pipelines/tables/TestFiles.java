package dev.constat.pipelines.tables;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of a run, for comparison. */
final class TestFiles {

  private TestFiles() {}

  static List<String> below(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.map(path -> folder.relativize(path).toString()).toList();
    }
  }

  static Map<String, String> digests(Path run) throws IOException {
    Map<String, String> digests = new TreeMap<>();
    for (String name : below(run)) {
      Path file = run.resolve(name);
      if (Files.isRegularFile(file) && !name.equals("run.json")) {
        digests.put(name, Hashing.sha256().hashBytes(Files.readAllBytes(file)).toString());
      }
    }
    return digests;
  }
}
