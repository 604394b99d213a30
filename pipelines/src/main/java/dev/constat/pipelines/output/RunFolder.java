package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** A run as a reader finds it. */
public final class RunFolder {

  /** The file that makes a folder a run. */
  public static final String RUN_JSON = "run.json";

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A file that is not what {@code run.json} says.
   *
   * @param file its name
   * @param difference what is different, as half a sentence
   */
  public record Deviation(String file, String difference) {}

  private final Path path;
  private final JsonNode json;
  private final ImmutableList<RunFile> files;

  private RunFolder(Path path, JsonNode json, ImmutableList<RunFile> files) {
    this.path = path;
    this.json = json;
    this.files = files;
  }

  /** The run in {@code folder}, if there is one. */
  public static Optional<RunFolder> find(Path folder) throws OutputException {
    Path file = folder.resolve(RUN_JSON);
    try {
      JsonNode json = JSON.readTree(Files.readAllBytes(file));
      ImmutableList.Builder<RunFile> files = ImmutableList.builder();
      for (JsonNode listed : json.withArray("files")) {
        files.add(
            new RunFile(
                listed.required("file").textValue(),
                listed.has("rows")
                    ? OptionalLong.of(listed.get("rows").longValue())
                    : OptionalLong.empty(),
                listed.required("bytes").longValue(),
                listed.required("sha256").textValue()));
      }
      return Optional.of(new RunFolder(folder, json, files.build()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException | RuntimeException e) {
      throw OutputException.of(
          OutputException.Problem.DAMAGED,
          file,
          "Not the run.json of a run (" + e.getMessage() + ")",
          "Run again to replace it");
    } catch (IOException e) {
      throw OutputException.of(file, e);
    }
  }

  /** Where it stands. */
  public Path path() {
    return path;
  }

  /** Its {@code run.json}. */
  public JsonNode json() {
    return json;
  }

  /** The files that {@code run.json} lists. */
  public ImmutableList<RunFile> files() {
    return files;
  }

  /** Reads every listed file and says which differ from size and digest in {@code run.json}. */
  public ImmutableList<Deviation> deviations() throws OutputException {
    ImmutableList.Builder<Deviation> deviations = ImmutableList.builder();
    for (RunFile file : files) {
      difference(path, file).ifPresent(d -> deviations.add(new Deviation(file.name(), d)));
    }
    return deviations.build();
  }

  /** How one of its files deviates from what {@code run.json} says of it, if it does. */
  public Optional<String> deviation(String name) throws OutputException {
    for (RunFile file : files) {
      if (file.name().equals(name)) {
        return difference(path, file);
      }
    }
    return Optional.of("is not listed");
  }

  /** Names of what stands in the folder and is not listed; {@code run.json} is what lists. */
  public ImmutableList<String> unlisted() throws OutputException {
    Set<String> known = new HashSet<>();
    known.add(RUN_JSON);
    for (RunFile file : files) {
      for (String name = file.name(); known.add(name) && name.contains("/"); ) {
        name = name.substring(0, name.lastIndexOf('/'));
      }
    }
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(entry -> !entry.equals(path))
          .map(entry -> path.relativize(entry).toString().replace('\\', '/'))
          .filter(name -> !known.contains(name))
          .sorted()
          .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw OutputException.of(path, e);
    } catch (UncheckedIOException e) {
      throw OutputException.of(path, e.getCause());
    }
  }

  private static Optional<String> difference(Path folder, RunFile file) throws OutputException {
    Path path = folder.resolve(file.name());
    try {
      if (!Files.isRegularFile(path)) {
        return Optional.of("is missing");
      }
      if (Files.size(path) != file.bytes()) {
        return Optional.of("has " + Files.size(path) + " bytes, not " + file.bytes());
      }
      return sha256(path).equals(file.sha256())
          ? Optional.empty()
          : Optional.of("has another digest");
    } catch (IOException e) {
      throw OutputException.of(path, e);
    }
  }

  private static String sha256(Path path) throws IOException {
    MessageDigest digest = StagedFile.sha256();
    try (InputStream in = new DigestInputStream(Files.newInputStream(path), digest)) {
      byte[] buffer = new byte[64 << 10];
      while (in.read(buffer) >= 0) {
        continue;
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
