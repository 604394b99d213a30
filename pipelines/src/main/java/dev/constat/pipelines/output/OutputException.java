package dev.constat.pipelines.output;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Outputs could not be written. The message names the path and says what to do; no run exists that
 * did not exist before.
 */
public final class OutputException extends IOException {

  private static final long serialVersionUID = 1;

  /** What kind of problem it is. */
  public enum Problem {
    /** The file system or a quota is full. */
    NO_SPACE,
    /** Permissions or a read-only file system. */
    NOT_ALLOWED,
    /** A folder or file that should be there is not seen. */
    NOT_FOUND,
    /** Another run or process has it. */
    BUSY,
    /** A file is not what its receipt says. */
    DAMAGED,
    /** Something that is not Constat's stands in the way. */
    FOREIGN,
    /** Anything else the file system says. */
    OTHER
  }

  private final Problem problem;
  private final String path;
  private final String remedy;

  private OutputException(
      Problem problem, String path, String what, String remedy, Throwable cause) {
    super(what + ": " + path + ". " + remedy + ".", cause);
    this.problem = problem;
    this.path = path;
    this.remedy = remedy;
  }

  /** A problem that Constat found by itself. */
  static OutputException of(Problem problem, Path path, String what, String remedy) {
    return new OutputException(problem, path.toString(), what, remedy, null);
  }

  /** What the file system said when {@code path} was to be written, read or moved. */
  static OutputException of(Path path, IOException cause) {
    if (cause instanceof OutputException known) {
      return known;
    }
    String said = String.valueOf(cause.getMessage());
    if (cause instanceof FileSystemException failure && failure.getReason() != null) {
      said = failure.getReason();
    }
    String lower = said.toLowerCase(Locale.ROOT);
    if (lower.contains("no space left") || lower.contains("quota exceeded")) {
      return new OutputException(
          Problem.NO_SPACE,
          path.toString(),
          "No space left for outputs",
          "Free space or choose another --out; leftovers of this run are removed by the next one",
          cause);
    }
    if (cause instanceof AccessDeniedException || lower.contains("read-only file system")) {
      return new OutputException(
          Problem.NOT_ALLOWED,
          path.toString(),
          "Not allowed to write outputs",
          "Make the folder writable or choose another --out",
          cause);
    }
    if (cause instanceof NotDirectoryException
        || cause instanceof FileAlreadyExistsException
        || lower.contains("not a directory")) {
      return new OutputException(
          Problem.FOREIGN,
          path.toString(),
          "A file stands where a folder should be",
          "Remove it or choose another --out",
          cause);
    }
    if (cause instanceof NoSuchFileException || cause instanceof FileNotFoundException) {
      return new OutputException(
          Problem.NOT_FOUND,
          path.toString(),
          "Outputs are gone or not seen from here",
          "Client and workers must see the same folder; see that nothing else cleans it up",
          cause);
    }
    if (cause instanceof AtomicMoveNotSupportedException) {
      return new OutputException(
          Problem.OTHER,
          path.toString(),
          "Outputs cannot be renamed in one step",
          "Choose an --out that is one file system",
          cause);
    }
    return new OutputException(
        Problem.OTHER,
        path.toString(),
        "Outputs cannot be written (" + said + ")",
        "Check the file system or choose another --out",
        cause);
  }

  /** What kind of problem it is. */
  public Problem problem() {
    return problem;
  }

  /** The path concerned. */
  public String path() {
    return path;
  }

  /** What to do about it. */
  public String remedy() {
    return remedy;
  }
}
