package dev.constat.pipelines.output;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.constat.pipelines.output.OutputException.Problem;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes a run of what stands in a staging folder. Until {@code run.json} has its name, which is the
 * last step and one step, a reader sees the run that was there before, or none.
 */
public final class Commit {

  /** What stood under the run's id before. */
  public enum Outcome {
    /** Nothing. */
    CREATED,
    /** The same run, whose files are whole: they stayed, {@code run.json} is the new one. */
    REFRESHED,
    /** The same run, whose files are whole: nothing was changed. */
    KEPT,
    /** A run, or the remains of one, whose files are not what its {@code run.json} says. */
    REPLACED_DAMAGED,
    /**
     * A whole run with other content. Under an id that digests all that changes a result this is a
     * breach of the promise of same bytes; under an id that was given, other work.
     */
    REPLACED_DIFFERENT
  }

  /**
   * A committed run.
   *
   * @param folder where it is
   * @param outcome what stood there before
   */
  public record Committed(Path folder, Outcome outcome) {}

  /** Writes {@code run.json}. */
  @FunctionalInterface
  public interface RunDocument {

    /** Writes to {@code out}, which the caller closes; {@code files} are sorted by name. */
    void writeTo(ImmutableList<RunFile> files, OutputStream out) throws IOException;
  }

  /** What runs of this version have at the top of their folder. */
  private static final ImmutableSet<String> NAMES =
      ImmutableSet.of(
          RunFolder.RUN_JSON,
          "summary.json",
          "findings.jsonl",
          "metrics.prom",
          "report.html",
          "junit.xml",
          "decisions",
          "effects",
          "quarantine",
          "projections",
          "projection-diff");

  private final Staging staging;
  private final FileOperations files;
  private final Path out;
  private final String runId;
  private final Path run;
  private final ImmutableList<RunFile> listed;
  private final Outcome ifSame;

  private Commit(Staging staging, String runId, ImmutableList<RunFile> listed, Outcome ifSame) {
    this.staging = staging;
    this.files = staging.files();
    this.out = staging.out();
    this.runId = runId;
    this.run = out.resolve(runId);
    this.listed = listed;
    this.ifSame = ifSame;
  }

  /**
   * Commits {@code files}, which all stand in the staging folder, as the run {@code runId}. Files
   * that are not listed are dropped. Where the same run stands there, only its {@code run.json} is
   * replaced.
   */
  public static Committed publish(
      Staging staging, String runId, Collection<RunFile> files, RunDocument runJson)
      throws OutputException {
    return new Commit(staging, checked(runId), sorted(files), Outcome.REFRESHED).publish(runJson);
  }

  /** As {@link #publish}; but where the same run stands there, nothing is replaced at all. */
  public static Committed publishOnce(
      Staging staging, String runId, Collection<RunFile> files, RunDocument runJson)
      throws OutputException {
    return new Commit(staging, checked(runId), sorted(files), Outcome.KEPT).publish(runJson);
  }

  private static String checked(String runId) {
    Preconditions.checkArgument(isRunId(runId), "Not an id of a run: %s", runId);
    return runId;
  }

  @SuppressWarnings("try") // the lock is held, not used
  private Committed publish(RunDocument runJson) throws OutputException {
    try {
      dropUnlisted();
      checkAndForce();
      try (LockFile lock = LockFile.hold(Leftovers.lockOf(staging.out()))) {
        return replace(runJson);
      }
    } catch (IOException e) {
      throw OutputException.of(run, e);
    }
  }

  /** Whether {@code text} can be the name of a run's folder. */
  public static boolean isRunId(String text) {
    return text.matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
  }

  private static ImmutableList<RunFile> sorted(Collection<RunFile> files) {
    SortedMap<String, RunFile> byName = new TreeMap<>();
    for (RunFile file : files) {
      RunFile other = byName.put(file.name(), file);
      Preconditions.checkArgument(
          other == null || other.equals(file), "Two receipts of %s differ", file.name());
    }
    return ImmutableList.copyOf(byName.values());
  }

  private void dropUnlisted() throws IOException {
    Set<Path> kept = new HashSet<>();
    kept.add(staging.folder().resolve(Leftovers.MARK));
    for (RunFile file : listed) {
      for (Path path = staging.folder().resolve(file.name());
          kept.add(path) && !path.equals(staging.folder());
          path = path.getParent()) {
        continue;
      }
    }
    drop(staging.folder(), kept);
  }

  private void drop(Path folder, Set<Path> kept) throws IOException {
    for (Path entry : Folders.list(folder)) {
      if (!kept.contains(entry)) {
        Folders.remove(entry, files);
      } else if (Folders.isFolder(entry)) {
        drop(entry, kept);
      }
    }
  }

  private void checkAndForce() throws IOException {
    Set<Path> folders = new TreeSet<>();
    for (RunFile file : listed) {
      Path path = staging.folder().resolve(file.name());
      if (!Files.isRegularFile(path)) {
        throw OutputException.of(
            Problem.NOT_FOUND,
            path,
            "A file that a worker wrote is not seen by the client",
            "Client and workers must see the same folder under the same path");
      }
      if (Files.size(path) != file.bytes()) {
        throw OutputException.of(
            Problem.DAMAGED,
            path,
            "A file has " + Files.size(path) + " bytes, its receipt says " + file.bytes(),
            "See that nothing else writes into the output folder, then run again");
      }
      files.force(path);
      folders.add(path.getParent());
    }
    for (Path folder : folders) {
      files.force(folder);
    }
  }

  private Committed replace(RunDocument runJson) throws IOException {
    Leftovers.settle(out, runId, files);
    Outcome outcome = Files.exists(run) ? compare() : Outcome.CREATED;
    if (outcome == Outcome.KEPT) {
      return new Committed(run, outcome);
    }
    try {
      switch (outcome) {
        case CREATED -> files.move(staging.folder(), run);
        case REPLACED_DAMAGED, REPLACED_DIFFERENT -> {
          files.move(run, Leftovers.asideOf(out, runId));
          files.move(staging.folder(), run);
        }
        case REFRESHED, KEPT -> {
          // its files are these files
        }
      }
      complete(runJson);
    } catch (IOException e) {
      restore(e);
      throw e;
    }
    tidy();
    return new Committed(run, outcome);
  }

  private Outcome compare() throws IOException {
    Optional<RunFolder> existing;
    try {
      existing = Folders.isFolder(run) ? RunFolder.find(run) : Optional.empty();
    } catch (OutputException e) {
      existing = Optional.empty();
    }
    ImmutableList<RunFile> before = existing.map(RunFolder::files).orElse(ImmutableList.of());
    boolean whole = existing.isPresent() && existing.get().deviations().isEmpty();
    if (whole && before.equals(listed)) {
      return ifSame;
    }
    checkNothingForeign(before);
    return whole ? Outcome.REPLACED_DIFFERENT : Outcome.REPLACED_DAMAGED;
  }

  /**
   * What is moved aside is removed in the end, so it must not hold what somebody else put there.
   */
  private void checkNothingForeign(ImmutableList<RunFile> before) throws IOException {
    if (!Folders.isFolder(run)) {
      throw foreign(run);
    }
    Set<String> known = new HashSet<>(NAMES);
    for (ImmutableList<RunFile> files : ImmutableList.of(before, listed)) {
      files.forEach(file -> known.add(Path.of(file.name()).getName(0).toString()));
    }
    for (Path entry : Folders.list(run)) {
      if (!known.contains(entry.getFileName().toString())) {
        throw foreign(entry);
      }
    }
  }

  private static OutputException foreign(Path path) {
    return OutputException.of(
        Problem.FOREIGN,
        path,
        "Something that is no part of a run stands where the run belongs",
        "Move it away, or choose another --out or --run-id");
  }

  private void complete(RunDocument runJson) throws IOException {
    files.force(run);
    files.force(out);
    Path temporary = Leftovers.runJsonOf(out, runId);
    files.delete(temporary);
    try (OutputStream stream = new BufferedOutputStream(files.create(temporary))) {
      runJson.writeTo(listed, stream);
    }
    files.force(temporary);
    files.move(temporary, run.resolve(RunFolder.RUN_JSON));
    files.force(run);
  }

  private void restore(IOException failure) {
    try {
      files.delete(Leftovers.runJsonOf(out, runId));
      Leftovers.settle(out, runId, files);
    } catch (IOException e) {
      failure.addSuppressed(e); // the next run settles it
    }
  }

  private void tidy() {
    try {
      Leftovers.settle(out, runId, files);
    } catch (IOException e) {
      // The run is complete. What could not be removed is a leftover, which the next run names.
    }
  }
}
