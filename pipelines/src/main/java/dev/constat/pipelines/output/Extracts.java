package dev.constat.pipelines.output;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What was read from tables, written down below the staging folder; no part of the run. */
public final class Extracts {

  private Extracts() {}

  /**
   * Writes an extract in one step, in place of what an earlier attempt left there.
   *
   * @param staging the staging folder
   * @param name below it
   * @param rows writes the rows
   * @return where it lies
   */
  public static Path write(String staging, String name, Staging.Document rows) throws IOException {
    try (StagedFile file = StagedFile.create(Path.of(staging), name, LocalFiles.INSTANCE)) {
      rows.writeTo(file);
      file.publish(OptionalLong.empty());
    }
    return Path.of(staging, name);
  }
}
