package dev.constat.pipelines.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.archive.TableFile;
import dev.constat.pipelines.output.OutputException;
import dev.constat.pipelines.output.RunFile;
import dev.constat.pipelines.output.RunFolder;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.explain.Edges;
import dev.constat.rules.table.TableSchema;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** A run that ended, as its folder tells of it. */
public final class FinishedRun {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RECONCILE = "reconcile";

  /** Read as they are; pages of tables carry checksums of their own. */
  private static final ImmutableList<String> DOCUMENTS =
      ImmutableList.of("summary.json", "findings.jsonl");

  /** What a run knows of a file that it read. */
  record InputFile(long bytes, String sha256) {}

  private final RunFolder folder;
  private final JsonNode run;
  private final JsonNode summary;

  private FinishedRun(RunFolder folder, JsonNode summary) {
    this.folder = folder;
    this.run = folder.json();
    this.summary = summary;
  }

  /**
   * Opens a run.
   *
   * @param out the folder that runs go to
   * @param name a run's folder, or its id below {@code out}; null for the one that ended last
   * @throws NoRunException if there is none
   * @throws BrokenRunException if files of it are missing
   */
  public static FinishedRun open(Path out, String name) throws IOException {
    return of(name == null ? latest(out) : named(out, name));
  }

  private static RunFolder named(Path out, String name) throws OutputException {
    Optional<RunFolder> run = RunFolder.find(Path.of(name));
    if (run.isEmpty()) {
      run = RunFolder.find(out.resolve(name));
    }
    return run.orElseThrow(
        () ->
            new NoRunException(
                "%s is no run, nor is %s; name a run's folder, or its id below %s"
                    .formatted(name, out.resolve(name), out)));
  }

  private static RunFolder latest(Path out) throws IOException {
    RunFolder latest = null;
    if (Files.isDirectory(out)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(out)) {
        for (Path entry : entries) {
          Optional<RunFolder> run =
              Files.isDirectory(entry) ? RunFolder.find(entry) : Optional.empty();
          if (run.isPresent()
              && isReconciliation(run.get())
              && (latest == null || finishedAt(run.get()).isAfter(finishedAt(latest)))) {
            latest = run.get();
          }
        }
      }
    }
    if (latest == null) {
      throw new NoRunException(
          "there is no run in %s; make one with 'constat reconcile constat.yaml', or name one with --run"
              .formatted(out));
    }
    return latest;
  }

  private static boolean isReconciliation(RunFolder run) {
    return RECONCILE.equals(run.json().path("command").textValue());
  }

  private static Instant finishedAt(RunFolder run) {
    return Instant.parse(run.json().path("finished_at").asText("1970-01-01T00:00:00Z"));
  }

  private static FinishedRun of(RunFolder folder) throws IOException {
    if (!isReconciliation(folder)) {
      throw new NoRunException(
          "%s is a %s, which decides nothing about events; name a run of 'constat reconcile'"
              .formatted(
                  folder.path(), folder.json().path("command").asText("run of another kind")));
    }
    for (RunFile file : folder.files()) {
      Path path = folder.path().resolve(file.name());
      if (!Files.isRegularFile(path) || Files.size(path) != file.bytes()) {
        throw new BrokenRunException(
            "%s is not what run.json says: it %s; run again to replace the run"
                .formatted(
                    path,
                    Files.exists(path)
                        ? "has %s bytes, not %s".formatted(Files.size(path), file.bytes())
                        : "is missing"),
            null);
      }
    }
    for (String document : DOCUMENTS) {
      Optional<String> deviation = folder.deviation(document);
      if (deviation.isPresent()) {
        throw new BrokenRunException(
            "%s is not what run.json says: it %s; run again to replace the run"
                .formatted(folder.path().resolve(document), deviation.get()),
            null);
      }
    }
    Path summary = folder.path().resolve("summary.json");
    try {
      return new FinishedRun(folder, JSON.readTree(Files.readAllBytes(summary)));
    } catch (IOException e) {
      throw new BrokenRunException(summary + " cannot be read; run again to replace the run", e);
    }
  }

  /** Its folder. */
  public Path path() {
    return folder.path();
  }

  /** Tells under which key its outputs are redacted; null where they are not. */
  public String redactedUnder() {
    return run.path("redacted").path("key_check").textValue();
  }

  /** Its id. */
  public String id() {
    return run.path("run_id").asText();
  }

  /** Name of its run spec. */
  public String name() {
    return run.path("name").asText();
  }

  /** The instant that it was judged by, as text, or null. */
  public String asOf() {
    return run.path("as_of").textValue();
  }

  /** The file of its run spec, as it was named to it. */
  public String specFile() {
    return run.path("spec").path("file").asText();
  }

  /** Digest of that file, in hex. */
  public String specSha256() {
    return run.path("spec").path("sha256").asText();
  }

  /** A file that it read, if it did. */
  Optional<InputFile> input(Input input, String file) {
    for (JsonNode read : run.path("inputs")) {
      if (read.path("input").asText().equals(input.key())
          && read.path("file").asText().equals(file)) {
        return Optional.of(
            new InputFile(read.path("bytes").longValue(), read.path("sha256").asText()));
      }
    }
    return Optional.empty();
  }

  /** The files of one of its tables. */
  ImmutableList<TableFile> files(TableSchema table) {
    return folder.files().stream()
        .filter(file -> file.name().startsWith(table.name() + "/part-"))
        .map(file -> new TableFile(path().resolve(file.name()), file.name(), table))
        .collect(ImmutableList.toImmutableList());
  }

  /** What it could see of its inputs. */
  Edges edges() {
    return new Edges(
        edge(Input.EVENTS, "cut"),
        edge(Input.OUTBOX, "start"),
        edge(Input.OUTBOX, "cut"),
        edge(Input.ACKNOWLEDGEMENTS, "start"),
        edge(Input.ACKNOWLEDGEMENTS, "cut"));
  }

  private Instant edge(Input input, String which) {
    for (JsonNode facts : summary.path("inputs")) {
      if (facts.path("input").asText().equals(input.key())) {
        String time = facts.path(which).textValue();
        return time == null ? null : Instant.parse(time);
      }
    }
    return null;
  }

  /** The sources that it met, by name. */
  public ImmutableList<String> sources() {
    ImmutableList.Builder<String> sources = ImmutableList.builder();
    summary.path("sources").forEach(source -> sources.add(source.path("source").asText()));
    return sources.build().stream().distinct().sorted().collect(ImmutableList.toImmutableList());
  }
}
