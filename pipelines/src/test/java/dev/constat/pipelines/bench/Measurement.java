package dev.constat.pipelines.bench;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What a process took, from its start to its end.
 *
 * @param wallMillis time that passed
 * @param cpuMillis time on processors, of all its threads and children, user and system
 * @param peakBytes largest resident set
 */
record Measurement(long wallMillis, long cpuMillis, long peakBytes) {

  /** The median of each figure by itself; of an even number, the lower of the two in the middle. */
  static Measurement median(List<Measurement> runs) {
    return new Measurement(
        median(runs, Measurement::wallMillis),
        median(runs, Measurement::cpuMillis),
        median(runs, Measurement::peakBytes));
  }

  private static long median(List<Measurement> runs, ToLongFunction<Measurement> figure) {
    long[] sorted = runs.stream().mapToLong(figure).sorted().toArray();
    return sorted[(sorted.length - 1) / 2];
  }
}
