package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import java.time.Instant;

/**
 * How a run came about: what only {@code run.json} tells, because it may differ between runs of the
 * same work.
 *
 * @param runId id of the run
 * @param command the command
 * @param arguments its arguments, credentials excepted
 * @param spec the run spec
 * @param baseline the baseline, or null where none was given
 * @param inputFiles the files that were read
 * @param buckets number of buckets
 * @param limits in force, by their keys in the run spec
 * @param versions of what took part: Java, Beam, runner
 * @param machine facts of the machine; {@code folder} is what relative paths of the arguments are
 *     relative to
 * @param redacted how outputs were redacted, or null where they were not
 * @param startedAt wall clock
 * @param finishedAt wall clock
 */
public record Execution(
    String runId,
    String command,
    ImmutableList<String> arguments,
    UserFile spec,
    UserFile baseline,
    ImmutableList<InputFile> inputFiles,
    int buckets,
    ImmutableMap<String, Integer> limits,
    ImmutableSortedMap<String, String> versions,
    ImmutableSortedMap<String, String> machine,
    Redacted redacted,
    Instant startedAt,
    Instant finishedAt) {

  /**
   * A file that says what is asked for.
   *
   * @param file as it was named
   * @param sha256 digest, in hex
   */
  public record UserFile(String file, String sha256) {}

  /**
   * How outputs were redacted.
   *
   * @param variable the environment variable that held the key
   * @param keyCheck tells whether two runs had the same key
   */
  public record Redacted(String variable, String keyCheck) {}

  /**
   * One file that was read.
   *
   * @param input the input it belongs to
   * @param file relative to the run spec, with forward slashes
   * @param rows rows read
   * @param bytes size
   * @param sha256 digest, in hex, taken while reading
   */
  public record InputFile(String input, String file, long rows, long bytes, String sha256) {}
}
