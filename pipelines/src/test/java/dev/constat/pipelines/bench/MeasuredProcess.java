package dev.constat.pipelines.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command run as a process of its own, measured from outside. The clock is read before it starts
 * and after it ended; processor time is what {@code times} of the shell around it says of its
 * children; memory is the highest VmHWM that {@code /proc} showed of any of its processes, read
 * every {@value #POLL_MILLIS} milliseconds.
 *
 * @param exitCode with which it ended
 * @param measurement what it took
 * @param log what it printed, stdout and stderr
 */
record MeasuredProcess(int exitCode, Measurement measurement, Path log) {

  private static final long POLL_MILLIS = 20;
  private static final Pattern PEAK = Pattern.compile("^VmHWM:\\s+(\\d+) kB$", Pattern.MULTILINE);
  private static final Pattern TIME = Pattern.compile("(\\d+)m(\\d+)[.,](\\d{3})s");

  /** The shell starts no process for its own sake: what it waited for is the command. */
  private static final String SHELL =
      "times=$1; shift; \"$@\"; code=$?; times >\"$times\"; exit $code";

  /**
   * Runs a command and waits for its end.
   *
   * @param environment variables beside those of this process
   * @param log takes what it prints
   * @throws TimeoutException if it does not end in time; it is killed then
   */
  static MeasuredProcess run(
      List<String> command, Map<String, String> environment, Path log, long timeoutMinutes)
      throws IOException, InterruptedException, TimeoutException {
    Path times = Files.createTempFile("times", ".txt");
    try {
      List<String> shell = new ArrayList<>(List.of("bash", "-c", SHELL, "bench", times.toString()));
      shell.addAll(command);
      ProcessBuilder builder =
          new ProcessBuilder(shell).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("LC_ALL", "C");
      builder.environment().putAll(environment);
      long before = System.nanoTime();
      Process process = builder.start();
      process.getOutputStream().close();
      long deadline = before + TimeUnit.MINUTES.toNanos(timeoutMinutes);
      long peak = 0;
      boolean ended;
      do {
        peak = Math.max(peak, peak(process));
        ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } while (!ended && System.nanoTime() < deadline);
      if (!ended) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new TimeoutException(
            "Not done in %s minutes: %s; see %s"
                .formatted(timeoutMinutes, String.join(" ", command), log));
      }
      long wall = System.nanoTime() - before;
      return new MeasuredProcess(
          process.exitValue(),
          new Measurement(
              TimeUnit.NANOSECONDS.toMillis(wall), cpuMillis(Files.readString(times)), peak),
          log);
    } finally {
      Files.delete(times);
    }
  }

  /** The last lines of what it printed. */
  String end() throws IOException {
    List<String> lines = Files.readAllLines(log, UTF_8);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
  }

  /** User and system time of children: the second line that {@code times} prints. */
  static long cpuMillis(String times) {
    String children = times.lines().skip(1).findFirst().orElse("");
    Matcher time = TIME.matcher(children);
    long millis = 0;
    int found = 0;
    while (time.find()) {
      millis +=
          Long.parseLong(time.group(1)) * 60_000
              + Long.parseLong(time.group(2)) * 1_000
              + Long.parseLong(time.group(3));
      found++;
    }
    if (found != 2) {
      throw new IllegalArgumentException("The shell's `times` printed: " + times);
    }
    return millis;
  }

  private static long peak(Process process) throws IOException {
    long peak = 0;
    List<ProcessHandle> processes;
    try (Stream<ProcessHandle> descendants = process.descendants()) {
      processes = descendants.toList();
    }
    for (ProcessHandle descendant : processes) {
      try {
        peak =
            Math.max(
                peak,
                peakBytes(Files.readString(Path.of("/proc/" + descendant.pid() + "/status"))));
      } catch (IOException e) {
        // It ended meanwhile; the last look at it stands.
        if (descendant.isAlive()) {
          throw e;
        }
      }
    }
    return peak;
  }

  /** The peak in what {@code /proc/PID/status} says; 0 of a process that has none any more. */
  static long peakBytes(String status) {
    Matcher line = PEAK.matcher(status);
    return line.find() ? Long.parseLong(line.group(1)) * 1024 : 0;
  }
}
