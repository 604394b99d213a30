package dev.constat.pipelines.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine's temporary directory does not serve. The message names it, says what is wrong with
 * it, and what to do; nothing was published.
 */
public final class TemporaryDirectoryException extends IOException {

  private static final long serialVersionUID = 1;

  private TemporaryDirectoryException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * What to throw when something could not be done in the machine's own.
   *
   * @param attempt what was tried, after "cannot"
   */
  public static TemporaryDirectoryException of(String attempt, Throwable cause) {
    return of(TemporaryFiles.machines(), attempt, cause);
  }

  /**
   * Says what failed.
   *
   * @param attempt what, as an infinitive
   */
  public static TemporaryDirectoryException of(Path directory, String attempt, Throwable cause) {
    return new TemporaryDirectoryException(
        "Cannot "
            + attempt
            + " in temporary directory "
            + directory
            + " ("
            + state(directory)
            + "): "
            + cause
            + ". Free space there, or name another directory:"
            + " CONSTAT_JAVA_OPTS=-Djava.io.tmpdir=DIR for bin/constat, or java -Djava.io.tmpdir=DIR",
        cause);
  }

  private static String state(Path directory) {
    if (!Files.isDirectory(directory)) {
      return "there is no such directory";
    }
    if (!Files.isWritable(directory)) {
      return "it is not writable";
    }
    try {
      return (Files.getFileStore(directory).getUsableSpace() >> 20) + " MiB free";
    } catch (IOException e) {
      return "free space unknown";
    }
  }
}
