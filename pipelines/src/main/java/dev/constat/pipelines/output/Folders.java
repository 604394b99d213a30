package dev.constat.pipelines.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reading and removing folders; listings are sorted, links are never followed. */
final class Folders {

  private Folders() {}

  /** What stands directly in {@code folder}, by name. */
  static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }

  static boolean isFolder(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Removes a file, or a folder with all that is in it. */
  static void remove(Path path, FileOperations files) throws IOException {
    if (isFolder(path)) {
      for (Path entry : list(path)) {
        remove(entry, files);
      }
    }
    files.delete(path);
  }
}
