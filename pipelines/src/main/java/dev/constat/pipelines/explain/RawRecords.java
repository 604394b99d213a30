package dev.constat.pipelines.explain;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.archive.FileDigest;
import dev.constat.pipelines.archive.RecordReader;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.explain.RecordPlace;
import dev.constat.rules.spec.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads records of the archives again, where a run says that they stand. A file that is not what
 * the run read is not looked into: what stands there now may be anything.
 */
final class RawRecords {

  private final FinishedRun run;
  private final RunSpec spec;
  private final Path folder;
  private final Set<String> notes = new LinkedHashSet<>();

  /**
   * Records of a run.
   *
   * @param folder the folder of its run spec
   */
  RawRecords(FinishedRun run, RunSpec spec, Path folder) {
    this.run = run;
    this.spec = spec;
    this.folder = folder;
  }

  /** The records at some places of an input, as far as they can be read. */
  Map<RecordPlace, Row> read(Input input, Collection<RecordPlace> places) throws IOException {
    TreeMap<String, TreeSet<Long>> byFile = new TreeMap<>();
    for (RecordPlace place : places) {
      byFile.computeIfAbsent(place.file(), name -> new TreeSet<>()).add(place.position());
    }
    Map<RecordPlace, Row> rows = new HashMap<>();
    RunSpec.Archive archive = spec.archives().get(input);
    if (archive == null) {
      return rows;
    }
    if (archive.table() != null) {
      if (!byFile.isEmpty()) {
        notes.add(
            "what table "
                + archive.table().table()
                + " holds is not read again; ask it by these ids");
      }
      return rows;
    }
    for (Map.Entry<String, TreeSet<Long>> positions : byFile.entrySet()) {
      String name = positions.getKey();
      Optional<ArchiveFile> file = unchanged(input, name);
      if (file.isPresent()) {
        RecordReader.read(
            file.get(),
            spec.layout(input),
            archive,
            spec.limits(),
            positions.getValue(),
            row -> rows.put(new RecordPlace(name, row.place().position()), row));
      }
    }
    return rows;
  }

  private Optional<ArchiveFile> unchanged(Input input, String name) throws IOException {
    Optional<FinishedRun.InputFile> read = run.input(input, name);
    Path path = folder.resolve(name);
    if (read.isEmpty() || !Files.isRegularFile(path)) {
      notes.add(name + " is gone since the run; its records are not shown");
      return Optional.empty();
    }
    ArchiveFile file = ArchiveFile.of(input, 0, name, path);
    if (file.size() != read.get().bytes()) {
      notes.add(
          "%s has changed since the run (%s bytes, it had %s); its records are not shown"
              .formatted(name, file.size(), read.get().bytes()));
      return Optional.empty();
    }
    if (!FileDigest.sha256(file).equals(read.get().sha256())) {
      notes.add(name + " has changed since the run (another digest); its records are not shown");
      return Optional.empty();
    }
    return Optional.of(file);
  }

  /** What could not be read, and why. */
  ImmutableList<String> notes() {
    return ImmutableList.copyOf(notes);
  }
}
