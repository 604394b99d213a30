package dev.constat.pipelines.output;

import com.google.common.base.Preconditions;
import com.google.common.base.Splitter;
import dev.constat.transforms.outputs.TableSink;
import java.util.OptionalLong;

/**
 * One file of a run.
 *
 * @param name path below the run's folder, with forward slashes
 * @param rows number of rows, where the file is part of a table
 * @param bytes size
 * @param sha256 digest, in hex
 */
public record RunFile(String name, OptionalLong rows, long bytes, String sha256) {

  /** Checks that the name stays below the run's folder. */
  public RunFile {
    checkName(name);
  }

  /** The file of which a stage handed in {@code receipt}. */
  public static RunFile of(TableSink.Receipt receipt) {
    return new RunFile(
        receipt.file(), OptionalLong.of(receipt.rows()), receipt.bytes(), receipt.sha256());
  }

  static void checkName(String name) {
    for (String step : Splitter.on('/').split(name)) {
      Preconditions.checkArgument(
          !step.isEmpty()
              && !step.equals(".")
              && !step.equals("..")
              && step.chars().noneMatch(c -> c == '\\' || Character.isISOControl(c)),
          "Not the name of an output file: %s",
          name);
    }
  }
}
