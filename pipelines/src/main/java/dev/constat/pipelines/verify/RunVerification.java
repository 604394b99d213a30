package dev.constat.pipelines.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.archive.ArchiveListing;
import dev.constat.pipelines.archive.ArchiveListingException;
import dev.constat.pipelines.archive.FileDigest;
import dev.constat.pipelines.output.ListDigest;
import dev.constat.pipelines.output.RunFile;
import dev.constat.pipelines.output.RunFolder;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds a run against its {@code run.json}, against the inputs as they are now, and against a rerun
 * of it. It only reads. The steps are taken one after the other, by who can make the rerun:
 *
 * <pre>{@code
 * RunVerification verification = RunVerification.of(run);
 * verification.checkSpec(file, sha256);
 * verification.checkInputs(spec, folder);
 * verification.checkVersion(version);
 * if (verification.canRerun()) {
 *   verification.compare(rerun, runner);
 * }
 * Verification answer = verification.end();
 * }</pre>
 */
public final class RunVerification {

  /** What run.json says of clock and machine, or of where things stand; the rest is the result. */
  private static final ImmutableSet<String> MAY_DIFFER =
      ImmutableSet.of("arguments", "started_at", "finished_at", "versions", "machine", "spec");

  /** Kinds of files that have lines. */
  private static final ImmutableList<String> OF_LINES =
      ImmutableList.of(".json", ".jsonl", ".prom", ".xml", ".html", ".txt", ".csv");

  private final RunFolder run;
  private final SortedMap<String, Verification.Difference> differences =
      new TreeMap<>(
          Comparator.comparing((String file) -> !file.equals(RunFolder.RUN_JSON))
              .thenComparing(Comparator.naturalOrder()));
  private final List<String> obstacles = new ArrayList<>();
  private String rerun;

  private RunVerification(RunFolder run) {
    this.run = run;
  }

  /** Begins with the folder: every file that run.json lists, and none besides. */
  public static RunVerification of(RunFolder run) throws IOException {
    RunVerification verification = new RunVerification(run);
    verification.checkFolder();
    return verification;
  }

  private void checkFolder() throws IOException {
    for (RunFolder.Deviation deviation : run.deviations()) {
      differs(deviation.file(), deviation.difference() + ", says run.json");
    }
    for (String file : run.unlisted()) {
      differs(file, "is not listed in run.json");
    }
    checkListDigest(
        "files_sha256",
        run.files().stream()
            .map(file -> new ListDigest.Entry(file.name(), file.sha256()))
            .toList());
    List<ListDigest.Entry> inputs = new ArrayList<>();
    for (JsonNode input : run.json().path("inputs")) {
      inputs.add(new ListDigest.Entry(input.path("file").asText(), input.path("sha256").asText()));
    }
    checkListDigest("inputs_sha256", inputs);
  }

  private void checkListDigest(String field, List<ListDigest.Entry> entries) {
    if (!ListDigest.of(entries).equals(run.json().path(field).asText())) {
      differs(RunFolder.RUN_JSON, field + " is not the digest of its list");
    }
  }

  /** Asks whether a run spec is the one that the run had. */
  public void checkSpec(Path file, String sha256) {
    if (!sha256.equals(run.json().path("spec").path("sha256").asText())) {
      cannotRerun(
          "the run spec %s is not the one that the run had: its digest is another; name that with --spec"
              .formatted(file));
    }
  }

  /** Asks whether a baseline is the one that the run had. */
  public void checkBaseline(Path file, String sha256) {
    if (!sha256.equals(run.json().path("baseline").path("sha256").asText())) {
      cannotRerun(
          "the baseline %s is not the one that the run had: its digest is another".formatted(file));
    }
  }

  /**
   * Asks whether the inputs are those that the run read.
   *
   * @param folder the folder of the run spec
   */
  public void checkInputs(RunSpec spec, Path folder) throws IOException {
    for (Input input : spec.archives().keySet()) {
      if (spec.archives().get(input).table() != null) {
        continue; // which the rerun reads
      }
      Map<String, String> read = new HashMap<>();
      for (JsonNode file : run.json().path("inputs")) {
        if (file.path("input").asText().equals(input.key())) {
          read.put(file.path("file").asText(), file.path("sha256").asText());
        }
      }
      try {
        for (ArchiveFile file :
            ArchiveListing.of(input, spec.archives().get(input), folder).files()) {
          String sha256 = read.remove(file.name());
          if (sha256 == null) {
            cannotRerun(
                "%s: %s was not there when the run was made".formatted(input.key(), file.name()));
          } else if (!FileDigest.sha256(file).equals(sha256)) {
            cannotRerun(
                "%s: %s has changed since the run was made".formatted(input.key(), file.name()));
          }
        }
        read.keySet().stream()
            .sorted()
            .forEach(name -> cannotRerun("%s: %s is missing".formatted(input.key(), name)));
      } catch (ArchiveListingException e) {
        cannotRerun(e.getMessage());
      }
    }
  }

  /**
   * Asks whether the tables that a rerun read were those that the run read.
   *
   * @return whether they were
   */
  public boolean checkTables(RunSpec spec, RunFolder again) {
    for (Input input : spec.archives().keySet()) {
      if (spec.archives().get(input).table() != null
          && !inputs(run, input).equals(inputs(again, input))) {
        cannotRerun(
            "%s: table %s has changed since the run was made"
                .formatted(input.key(), spec.archives().get(input).table().table()));
      }
    }
    return canRerun();
  }

  private static List<JsonNode> inputs(RunFolder run, Input input) {
    List<JsonNode> inputs = new ArrayList<>();
    for (JsonNode file : run.json().path("inputs")) {
      if (file.path("input").asText().equals(input.key())) {
        inputs.add(file);
      }
    }
    return inputs;
  }

  /** Asks whether the version is the one that made the run. */
  public void checkVersion(String version) {
    String then = run.json().path("versions").path("constat").asText();
    if (!then.equals(version)) {
      cannotRerun(
          "the run was made by version %s, this is version %s; verify it with that one"
              .formatted(then, version));
    }
  }

  /** States why the run cannot be made again. */
  public void cannotRerun(String obstacle) {
    obstacles.add(obstacle);
  }

  /** Whether nothing speaks against making the run again. */
  public boolean canRerun() {
    return obstacles.isEmpty();
  }

  /**
   * Holds the run against a rerun.
   *
   * @param again the folder of the rerun
   * @param runner what made it
   */
  public void compare(RunFolder again, String runner) throws IOException {
    rerun = runner;
    Map<String, RunFile> before = byName(run);
    Map<String, RunFile> now = byName(again);
    for (String name : Sets.union(before.keySet(), now.keySet())) {
      if (!now.containsKey(name)) {
        differs(name, "does not come out again");
      } else if (!before.containsKey(name)) {
        differs(name, "comes out, and run.json does not list it");
      } else {
        compare(name, again);
      }
    }
    compare(run.json(), again.json(), "");
  }

  private static Map<String, RunFile> byName(RunFolder folder) {
    Map<String, RunFile> files = new TreeMap<>();
    folder.files().forEach(file -> files.put(file.name(), file));
    return files;
  }

  private void compare(String name, RunFolder again) throws IOException {
    Path file = run.path().resolve(name);
    if (!Files.isRegularFile(file)) {
      return; // which was said
    }
    long offset = Files.mismatch(file, again.path().resolve(name));
    if (offset >= 0) {
      Long line = OF_LINES.stream().anyMatch(name::endsWith) ? line(file, offset) : null;
      differences.put(
          name, new Verification.Difference(name, "does not come out again", offset, line));
    } else if (differences.containsKey(name)) {
      differs(name, "comes out again as it is, and run.json says otherwise");
    }
  }

  private static long line(Path file, long offset) throws IOException {
    long line = 1;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      for (long at = 0; at < offset; at++) {
        if (in.read() == '\n') {
          line++;
        }
      }
    }
    return line;
  }

  /** Holds run.json against that of the rerun, and names the first place of it that differs. */
  private void compare(JsonNode before, JsonNode now, String place) {
    if (differences.containsKey(RunFolder.RUN_JSON)) {
      return;
    }
    if (before.isObject() && now.isObject()) {
      for (Iterator<String> names = now.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!place.isEmpty() || !MAY_DIFFER.contains(name)) {
          compare(before.path(name), now.path(name), place + "/" + name);
        }
      }
      for (Iterator<String> names = before.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!now.has(name)) {
          differs(
              RunFolder.RUN_JSON,
              "has a field that does not come out again: " + place + "/" + name);
        }
      }
    } else if (before.isArray() && now.isArray() && before.size() == now.size()) {
      for (int i = 0; i < now.size(); i++) {
        compare(before.get(i), now.get(i), place + "/" + i);
      }
    } else if (!Objects.equals(before, now)) {
      differs(RunFolder.RUN_JSON, "does not come out again at " + place);
    }
  }

  private void differs(String file, String problem) {
    differences.put(file, new Verification.Difference(file, problem, null, null));
  }

  /** What came of it. */
  public Verification end() {
    JsonNode json = run.json();
    return new Verification(
        run.path().toString(),
        json.path("run_id").asText(),
        json.path("name").asText(),
        json.path("command").asText(),
        run.files().size(),
        json.path("inputs").size(),
        rerun,
        ImmutableList.copyOf(differences.values()),
        ImmutableList.copyOf(obstacles));
  }
}
