package dev.constat.pipelines.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Temporary files of one directory, for the eyes of their owner only, deleted when they are closed.
 * Where the system allows it, a file has no name from the start, so that a process that is killed
 * leaves nothing either.
 */
final class TemporaryFiles {

  private final Path place;

  private TemporaryFiles(Path place) {
    this.place = place;
  }

  /** The machine's temporary directory. */
  static Path machines() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Files in a directory.
   *
   * @param directory its name, or null for the machine's own ({@code java.io.tmpdir})
   */
  static TemporaryFiles in(String directory) {
    return new TemporaryFiles(directory == null ? machines() : Path.of(directory));
  }

  /** Creates a file, open for reading and writing. */
  FileChannel create(String suffix) throws IOException {
    try {
      return FileChannel.open(
          Files.createTempFile(place, "constat-", suffix),
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      throw unusable("create a file", e);
    }
  }

  /**
   * What to say when something failed.
   *
   * @param attempt what, as an infinitive
   */
  TemporaryDirectoryException unusable(String attempt, IOException cause) {
    return TemporaryDirectoryException.of(place, attempt, cause);
  }
}
