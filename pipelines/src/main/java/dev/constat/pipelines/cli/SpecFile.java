package dev.constat.pipelines.cli;

import com.google.common.hash.Hashing;
import dev.constat.pipelines.run.Reconciliation;
import dev.constat.rules.projection.ProjectionTables;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.spec.BaselineParser;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A run spec as a command finds it.
 *
 * @param spec what it says
 * @param sha256 digest of the file, in hex
 */
record SpecFile(RunSpec spec, String sha256) {

  /**
   * Reads one.
   *
   * @throws UsageException if there is none that can be read
   */
  static SpecFile read(Path file) {
    return read(file, null);
  }

  /**
   * Reads one.
   *
   * @param name what it is called where it does not say itself; null for the name of its folder
   * @throws UsageException if there is none that can be read
   */
  static SpecFile read(Path file, String name) {
    byte[] bytes = bytes(file, "the run spec, constat.yaml");
    RunSpec spec =
        RunSpecParser.parse(
            decode(file, bytes), file.toString(), name == null ? folderName(file) : name);
    requireFittingConstants(file, spec);
    return new SpecFile(spec, Hashing.sha256().hashBytes(bytes).toString());
  }

  /**
   * Reads a baseline.
   *
   * @throws UsageException if there is none that can be read
   */
  static Reconciliation.BaselineFile readBaseline(Path file) {
    byte[] bytes = bytes(file, "a baseline");
    return new Reconciliation.BaselineFile(
        BaselineParser.parse(decode(file, bytes), file.toString()),
        file,
        Hashing.sha256().hashBytes(bytes).toString());
  }

  private static void requireFittingConstants(Path file, RunSpec spec) {
    spec.archives()
        .forEach(
            (input, archive) -> {
              try {
                RowBuilder.checkConstants(spec.layout(input), archive);
              } catch (IllegalArgumentException e) {
                throw new UsageException(file + ": " + e.getMessage());
              }
            });
  }

  /**
   * Asks whether each projection is of a kind that is there and gives what its table can hold.
   *
   * @throws UsageException if one is not
   */
  static RunSpec withKnownKinds(RunSpec spec) {
    try {
      spec.projections().forEach(ProjectionTables::of);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          e.getMessage() + "; jars with projections of your own go into CONSTAT_CLASSPATH");
    }
    return spec;
  }

  /**
   * The text of a file that is not a run spec.
   *
   * @param noun what it is
   * @throws UsageException if there is none that can be read
   */
  static String text(Path file, String noun) {
    return decode(file, bytes(file, noun));
  }

  private static byte[] bytes(Path file, String noun) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new UsageException(file + " does not exist; name " + noun);
    } catch (IOException e) {
      throw new UsageException(
          file + " cannot be read (" + e.getMessage() + "); name a readable file");
    }
  }

  private static String decode(Path file, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UsageException(file + " is not UTF-8; save it as UTF-8");
    }
  }

  private static String folderName(Path file) {
    Path folder = file.toAbsolutePath().normalize().getParent();
    return folder == null || folder.getFileName() == null ? "run" : folder.getFileName().toString();
  }
}
