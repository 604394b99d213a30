package dev.constat.pipelines.output;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The folder below which a run writes until it is complete. It belongs to the process that opened
 * it, by a lock that ends with the process; workers write below {@link #folder} without opening it.
 * Closing removes whatever was not committed.
 *
 * <pre>{@code
 * try (Staging staging = Staging.open(out, token)) {
 *   TableSink tables = new ParquetTables(staging.folder().toString(), InputFiles.NONE);
 *   ...
 *   files.add(staging.write("summary.json", stream -> SummaryJson.write(report, stream)));
 *   Commit.publish(staging, runId, files, (all, stream) -> RunJson.write(..., all, stream));
 * }
 * }</pre>
 */
public final class Staging implements AutoCloseable {

  /**
   * Something that a dead run left behind.
   *
   * @param path where it stood
   * @param removed whether it could be removed
   */
  public record Leftover(Path path, boolean removed) {

    /** What to say of it. */
    public String sentence() {
      return "a run that did not end left "
          + path
          + (removed ? "; removed" : "; it could not be removed");
    }
  }

  /** Writes the content of a document. */
  @FunctionalInterface
  public interface Document {

    /** Writes to {@code out}, which the caller closes. */
    void writeTo(OutputStream out) throws IOException;
  }

  private final Path out;
  private final Path folder;
  private final LockFile lock;
  private final ImmutableList<Leftover> leftovers;
  private final FileOperations files;

  private Staging(
      Path out,
      Path folder,
      LockFile lock,
      ImmutableList<Leftover> leftovers,
      FileOperations files) {
    this.out = out;
    this.folder = folder;
    this.lock = lock;
    this.leftovers = leftovers;
    this.files = files;
  }

  /**
   * Opens a new staging folder in {@code out}, which is created where it does not exist, and puts
   * {@code out} in order first.
   *
   * @param token names the folder; no other run uses it
   */
  public static Staging open(Path out, String token) throws OutputException {
    return open(out, token, LocalFiles.INSTANCE);
  }

  @SuppressWarnings("try") // the lock is held, not used
  static Staging open(Path out, String token, FileOperations files) throws OutputException {
    Preconditions.checkArgument(
        token.matches("[A-Za-z0-9._-]+") && !token.endsWith(".lock"),
        "Not a token of a staging folder: %s",
        token);
    try {
      files.createFolders(out);
      try (LockFile outLock = LockFile.hold(Leftovers.lockOf(out))) {
        ImmutableList<Leftover> leftovers = Leftovers.sweep(out, files);
        Path folder = Leftovers.stagingOf(out, token);
        LockFile lock =
            LockFile.tryHold(Leftovers.lockOfStaging(folder))
                .orElseThrow(
                    () ->
                        OutputException.of(
                            OutputException.Problem.BUSY,
                            folder,
                            "Another run writes here",
                            "Wait for it to end"));
        Staging staging = new Staging(out, folder, lock, leftovers, files);
        boolean opened = false;
        try {
          files.createFolders(folder);
          files.create(folder.resolve(Leftovers.MARK)).close();
          opened = true;
          return staging;
        } finally {
          if (!opened) {
            staging.close();
          }
        }
      }
    } catch (IOException e) {
      throw OutputException.of(out, e);
    }
  }

  /** The folder; workers must see it under the same path. */
  public Path folder() {
    return folder;
  }

  /** What dead runs had left in {@code out} when this was opened. */
  public ImmutableList<Leftover> leftovers() {
    return leftovers;
  }

  /** Writes a document of the run. */
  public RunFile write(String name, Document document) throws IOException {
    try (StagedFile file = StagedFile.create(folder, name, files)) {
      document.writeTo(file);
      return file.publish(OptionalLong.empty());
    }
  }

  Path out() {
    return out;
  }

  FileOperations files() {
    return files;
  }

  /** Removes the folder, unless it was committed, and gives up the lock. */
  @Override
  public void close() throws IOException {
    try (lock) {
      if (Files.exists(folder)) {
        Folders.remove(folder, files);
      }
      files.delete(Leftovers.lockOfStaging(folder));
    }
  }
}
