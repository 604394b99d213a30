package dev.constat.pipelines.run;

import dev.constat.transforms.outputs.Meter;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Says how far a run is while it runs: records per stage and rate, on one line that is written anew
 * on a terminal, every few seconds on a line of its own elsewhere. It counts what passes in this
 * process; of a cluster's workers it sees nothing.
 */
final class Progress implements AutoCloseable {

  private static final Map<String, LongAdder> PASSED = new ConcurrentSkipListMap<>();
  private static final Duration ON_TERMINAL = Duration.ofMillis(500);
  private static final Duration ELSEWHERE = Duration.ofSeconds(5);

  private final PrintStream err;
  private final boolean terminal;
  private final Instant start;
  private final Thread thread;

  /** Counts for whoever asks in this process. */
  static final class Counter implements Meter {

    private static final long serialVersionUID = 1L;

    @Override
    public void passed(String stage, long records) {
      PASSED.computeIfAbsent(stage, name -> new LongAdder()).add(records);
    }
  }

  private Progress(PrintStream err, boolean terminal, Instant start) {
    this.err = err;
    this.terminal = terminal;
    this.start = start;
    this.thread = new Thread(this::watch, "progress");
    thread.setDaemon(true);
  }

  /** Begins to watch. */
  static Progress watching(PrintStream err, boolean terminal) {
    PASSED.clear();
    Progress progress = new Progress(err, terminal, Instant.now());
    progress.thread.start();
    return progress;
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep((terminal ? ON_TERMINAL : ELSEWHERE).toMillis());
        String line = line();
        if (terminal) {
          err.print("\r\u001b[K" + line);
          err.flush();
        } else {
          err.println(line);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the run has ended
    }
  }

  private String line() {
    double seconds = Math.max(0.001, Duration.between(start, Instant.now()).toMillis() / 1000.0);
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "constat: %.0f s", seconds));
    PASSED.forEach(
        (stage, count) ->
            line.append(
                String.format(
                    Locale.ROOT, ", %s %,d (%,.0f/s)", stage, count.sum(), count.sum() / seconds)));
    return line.toString();
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (terminal) {
      err.print("\r\u001b[K");
    }
    err.println(line());
  }
}
