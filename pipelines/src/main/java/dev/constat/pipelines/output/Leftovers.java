package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What runs that died left in an output folder, and how the next run puts it in order. All of it
 * happens under the lock of the folder, so nothing of a living run is taken for a leftover:
 *
 * <ul>
 *   <li>a staging folder whose lock nobody holds is removed;
 *   <li>a run folder with the mark of a staging folder and without {@code run.json} is removed;
 *   <li>a run that was moved aside comes back if what should replace it was not completed, else it
 *       is removed.
 * </ul>
 */
final class Leftovers {

  private static final String PREFIX = ".constat-";
  private static final String STAGING = PREFIX + "staging-";
  private static final String ASIDE = PREFIX + "aside-";
  private static final String RUN_JSON = PREFIX + "run-";
  private static final String LOCK_SUFFIX = ".lock";

  /** Stands in a staging folder, and in the run it becomes until that is complete. */
  static final String MARK = PREFIX + "unfinished";

  private Leftovers() {}

  /** The lock that openings and commits hold, one at a time. */
  static Path lockOf(Path out) {
    return out.resolve(PREFIX + "lock");
  }

  static Path stagingOf(Path out, String token) {
    return out.resolve(STAGING + token);
  }

  static Path lockOfStaging(Path staging) {
    return staging.resolveSibling(staging.getFileName() + LOCK_SUFFIX);
  }

  /** Where run.json is written before it gets its name. */
  static Path runJsonOf(Path out, String runId) {
    return out.resolve(RUN_JSON + runId + ".json");
  }

  /** Where a run stands while another takes its place. */
  static Path asideOf(Path out, String runId) {
    return out.resolve(ASIDE + runId);
  }

  /** Puts {@code out} in order; says what it found. The caller holds the lock of {@code out}. */
  static ImmutableList<Staging.Leftover> sweep(Path out, FileOperations files) throws IOException {
    ImmutableList.Builder<Staging.Leftover> found = ImmutableList.builder();
    for (Path entry : Folders.list(out)) {
      try {
        if (sweepOne(out, entry, files)) {
          found.add(new Staging.Leftover(entry, true));
        }
      } catch (IOException e) {
        // Of another user, say: named in the report of this run, but no reason not to run.
        found.add(new Staging.Leftover(entry, false));
      }
    }
    return found.build();
  }

  private static boolean sweepOne(Path out, Path entry, FileOperations files) throws IOException {
    String name = entry.getFileName().toString();
    if (name.startsWith(STAGING)) {
      return name.endsWith(LOCK_SUFFIX) ? sweepLock(entry, files) : sweepStaging(entry, files);
    }
    if (name.startsWith(ASIDE)) {
      settle(out, name.substring(ASIDE.length()), files);
      return true;
    }
    if (name.startsWith(RUN_JSON)) {
      files.delete(entry);
      return false;
    }
    if (Folders.isFolder(entry) && Files.exists(entry.resolve(MARK))) {
      return settleMarked(out, entry, files);
    }
    return false;
  }

  private static boolean sweepStaging(Path staging, FileOperations files) throws IOException {
    Optional<LockFile> lock = LockFile.tryHold(lockOfStaging(staging));
    if (lock.isEmpty()) {
      return false;
    }
    try (LockFile held = lock.get()) {
      Folders.remove(staging, files);
      files.delete(held.file());
    }
    return true;
  }

  private static boolean sweepLock(Path file, FileOperations files) throws IOException {
    Optional<LockFile> lock = LockFile.tryHold(file);
    if (lock.isPresent()) {
      try (LockFile held = lock.get()) {
        files.delete(held.file()); // its folder is gone or sorts before it
      }
    }
    return false;
  }

  /**
   * Settles what a commit of {@code runId} that did not end left behind: the run is the new one if
   * that has its {@code run.json}, else the old one.
   */
  static void settle(Path out, String runId, FileOperations files) throws IOException {
    Path run = out.resolve(runId);
    Path aside = asideOf(out, runId);
    if (Files.exists(run.resolve(MARK))) {
      settleMarked(out, run, files);
    }
    if (Folders.isFolder(aside)) {
      if (!Files.exists(run) && Files.exists(aside.resolve(RunFolder.RUN_JSON))) {
        files.move(aside, run);
      } else {
        Folders.remove(aside, files);
      }
    }
  }

  /** Whether the marked folder was no run and is removed. */
  private static boolean settleMarked(Path out, Path run, FileOperations files) throws IOException {
    if (Files.exists(run.resolve(RunFolder.RUN_JSON))) {
      files.delete(run.resolve(MARK));
      return false;
    }
    // Under a name of staging, so that a removal which does not end is taken up by the next run.
    Path doomed = stagingOf(out, "of-" + run.getFileName());
    if (Files.exists(doomed)) {
      Folders.remove(doomed, files);
    }
    files.move(run, doomed);
    Folders.remove(doomed, files);
    return true;
  }
}
