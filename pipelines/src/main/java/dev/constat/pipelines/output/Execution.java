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
 * @param specFile file of the run spec
 * @param specSha256 its digest, in hex
 * @param inputFiles the files that were read
 * @param buckets number of buckets
 * @param limits in force, by their keys in the run spec
 * @param versions of what took part: Java, Beam, runner
 * @param machine facts of the machine
 * @param startedAt wall clock
 * @param finishedAt wall clock
 */
public record Execution(
    String runId,
    String command,
    ImmutableList<String> arguments,
    String specFile,
    String specSha256,
    ImmutableList<InputFile> inputFiles,
    int buckets,
    ImmutableMap<String, Integer> limits,
    ImmutableSortedMap<String, String> versions,
    ImmutableSortedMap<String, String> machine,
    Instant startedAt,
    Instant finishedAt) {

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
