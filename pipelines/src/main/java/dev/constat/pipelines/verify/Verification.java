package dev.constat.pipelines.verify;

import com.google.common.collect.ImmutableList;

/**
 * What verifying a run came to.
 *
 * @param run its folder, as it was named
 * @param id its id
 * @param name name of its run spec
 * @param command the command that left it
 * @param files how many files it lists
 * @param inputs how many files it had read
 * @param rerun the runner that made it again, or null where none did
 * @param differences where it is not what it should be, by file; run.json first
 * @param obstacles why it could not be made again, as sentences
 */
public record Verification(
    String run,
    String id,
    String name,
    String command,
    int files,
    int inputs,
    String rerun,
    ImmutableList<Difference> differences,
    ImmutableList<String> obstacles) {

  /** The conclusion. */
  public enum Verdict {
    /** Every byte is as it was listed and as it comes out again. */
    SAME,
    /** A byte differs, whether or not the run could be made again. */
    DIFFERENT,
    /** What is there is as it was listed; whether it would come out again is not known. */
    NOT_RERUN
  }

  /**
   * A file of a run that is not what it should be.
   *
   * @param file its name
   * @param problem what is different, as half a sentence
   * @param offset the first byte that differs from the rerun, from 0, or null where that is unknown
   * @param line the line that it stands in, from 1, or null where the file has no lines
   */
  public record Difference(String file, String problem, Long offset, Long line) {}

  /** The conclusion. */
  public Verdict verdict() {
    if (!differences.isEmpty()) {
      return Verdict.DIFFERENT;
    }
    return obstacles.isEmpty() ? Verdict.SAME : Verdict.NOT_RERUN;
  }
}
