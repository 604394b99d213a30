package dev.constat.pipelines.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders of results. */
final class Folders {

  private Folders() {}

  /** Removes a folder and what is in it, if it is there. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> paths;
    try (Stream<Path> walked = Files.walk(folder)) {
      paths = walked.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }

  /** The run in a folder that holds one. */
  static Path onlyRun(Path out) throws IOException {
    try (Stream<Path> runs = Files.list(out)) {
      List<Path> found = runs.filter(run -> Files.exists(run.resolve("run.json"))).toList();
      if (found.size() != 1) {
        throw new IOException(out + " holds " + found.size() + " runs instead of one");
      }
      return found.get(0);
    }
  }
}
