package dev.constat.rules.time;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.constat.rules.findings.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Finds in one pass what each budget of a fixed ladder would have made of the events: each adds one
 * to the step of the ladder at which its class changes, and sums over the steps answer for every
 * budget. All comparisons are exact.
 */
public final class LagSweep {

  /** The ladder: budgets in seconds, growing. */
  public static final ImmutableLongArray BUDGETS =
      ImmutableLongArray.of(
          0, 1, 2, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400,
          172_800, 259_200, 604_800);

  private static final String LATE = "LATE";
  private static final String ON_TIME = "ON_TIME";
  private static final String CLOSED = "closed";
  private static final String TOO_LATE = "TOO_LATE";

  private final HashMap<String, Histograms> bySource = new HashMap<>();

  /**
   * Takes an accepted event in that is neither FUTURE nor replayed.
   *
   * @param largestBefore its partition's largest occurred_at on arrival; where it is null no budget
   *     makes a difference, and the event does not count
   * @param budgetInForce what its timeliness was decided with
   */
  public void event(
      String source, Instant occurredAt, Instant largestBefore, Duration budgetInForce) {
    if (largestBefore == null) {
      return;
    }
    Histograms histograms = histograms(source);
    if (!occurredAt.isBefore(largestBefore)) {
      histograms.onTime[0]++;
      return;
    }
    // LATE under each budget that is strictly shorter than the lag
    long seconds = Clock.wholeSeconds(largestBefore, occurredAt);
    boolean whole = Clock.nanosBeyond(largestBefore, occurredAt) == 0;
    int step = budgetsUpTo(whole ? seconds - 1 : seconds);
    boolean late = Clock.compareDistance(largestBefore, occurredAt, budgetInForce) > 0;
    (late ? histograms.late : histograms.onTime)[step]++;
  }

  /**
   * Takes a window in that an event falls into; the event is one that {@link #event} takes.
   *
   * @param projection title of a windowed projection version
   * @param largestBefore as there
   * @param windowEnd where the window ends (exclusive)
   * @param allowedLateness of the version
   */
  public void window(
      String source,
      String projection,
      Instant largestBefore,
      Instant windowEnd,
      Duration allowedLateness) {
    if (largestBefore == null) {
      return;
    }
    Closings closings = histograms(source).closings(projection);
    // closed under each budget that is not longer than how far the end lies behind
    closings.closed[budgetsUpTo(Clock.wholeSeconds(largestBefore, windowEnd))]++;
    closings.tooLate[budgetsUpTo(secondsBeyond(largestBefore, windowEnd, allowedLateness))]++;
  }

  /** By how many seconds an instant lies beyond the end of a distance, rounded down. */
  private static long secondsBeyond(Instant later, Instant earlier, Duration distance) {
    if (Clock.compareDistance(later, earlier, distance) < 0) {
      return -1;
    }
    long seconds = Clock.wholeSeconds(later, earlier) - distance.toSeconds();
    return Clock.nanosBeyond(later, earlier) < distance.getNano() ? seconds - 1 : seconds;
  }

  /** Adds all counts to a tally, and forgets them. */
  public void flush(Tally tally) {
    bySource.forEach(
        (source, histograms) -> {
          flush(tally, histograms.late, TimeTally.SWEEP_EVENTS, source, LATE);
          flush(tally, histograms.onTime, TimeTally.SWEEP_EVENTS, source, ON_TIME);
          histograms.windows.forEach(
              (projection, closings) -> {
                flush(tally, closings.closed, TimeTally.SWEEP_WINDOWS, source, projection, CLOSED);
                flush(
                    tally, closings.tooLate, TimeTally.SWEEP_WINDOWS, source, projection, TOO_LATE);
              });
        });
    bySource.clear();
  }

  private static void flush(Tally tally, long[] histogram, String... path) {
    String[] steps = new String[path.length + 1];
    System.arraycopy(path, 0, steps, 0, path.length);
    for (int i = 0; i < histogram.length; i++) {
      if (histogram[i] > 0) {
        steps[path.length] = Integer.toString(i);
        tally.add(histogram[i], steps);
      }
    }
  }

  /** The table of a run, by source and budget. */
  public static ImmutableList<SweepRow> of(Tally tally) {
    LagSweep sweep = new LagSweep();
    tally
        .sumsUnder(TimeTally.SWEEP_EVENTS)
        .forEach(
            (path, count) -> {
              Histograms histograms = sweep.histograms(path.get(0));
              boolean late = path.get(1).equals(LATE);
              (late ? histograms.late : histograms.onTime)[Integer.parseInt(path.get(2))] = count;
            });
    tally
        .sumsUnder(TimeTally.SWEEP_WINDOWS)
        .forEach(
            (path, count) -> {
              Closings closings = sweep.histograms(path.get(0)).closings(path.get(1));
              boolean closed = path.get(2).equals(CLOSED);
              (closed ? closings.closed : closings.tooLate)[Integer.parseInt(path.get(3))] = count;
            });
    ImmutableList.Builder<SweepRow> rows = ImmutableList.builder();
    new TreeMap<>(sweep.bySource).forEach((source, histograms) -> rows(source, histograms, rows));
    return rows.build();
  }

  private static void rows(
      String source, Histograms histograms, ImmutableList.Builder<SweepRow> rows) {
    long stillLate = sum(histograms.late);
    long newlyLate = sum(histograms.onTime);
    long events = stillLate + newlyLate;
    long allLate = stillLate;
    Map<String, Restatement> restatements = new TreeMap<>();
    histograms.windows.forEach(
        (projection, closings) -> restatements.put(projection, new Restatement(closings)));
    for (int step = 0; step < BUDGETS.length(); step++) {
      // those that do not reach beyond a step are not LATE under its budget
      stillLate -= histograms.late[step];
      newlyLate -= histograms.onTime[step];
      int budget = step;
      rows.add(
          new SweepRow(
              source,
              Duration.ofSeconds(BUDGETS.get(step)),
              events,
              stillLate + newlyLate,
              newlyLate + allLate - stillLate,
              restatements.entrySet().stream()
                  .map(entry -> entry.getValue().next(entry.getKey(), budget))
                  .collect(ImmutableList.toImmutableList())));
    }
  }

  private static long sum(long... histogram) {
    return LongStream.of(histogram).sum();
  }

  private Histograms histograms(String source) {
    Histograms histograms = bySource.get(source);
    if (histograms == null) {
      histograms = new Histograms();
      bySource.put(source, histograms);
    }
    return histograms;
  }

  /** How many budgets of the ladder are no longer than so many seconds. */
  private static int budgetsUpTo(long seconds) {
    int from = 0;
    int to = BUDGETS.length();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (BUDGETS.get(middle) <= seconds) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private static long[] histogram() {
    return new long[BUDGETS.length() + 1];
  }

  /** Events of a source by step, apart by their class under the budget in force. */
  private static final class Histograms {

    private final long[] late = histogram();
    private final long[] onTime = histogram();
    private final Map<String, Closings> windows = new TreeMap<>();

    Closings closings(String projection) {
      Closings closings = windows.get(projection);
      if (closings == null) {
        closings = new Closings();
        windows.put(projection, closings);
      }
      return closings;
    }
  }

  /** Windows of a projection version by step. */
  private static final class Closings {

    private final long[] closed = histogram();
    private final long[] tooLate = histogram();
  }

  /** Goes up the ladder with the windows of a projection version. */
  private static final class Restatement {

    private final Closings closings;
    private final long windows;
    private long closed;
    private long tooLate;

    Restatement(Closings closings) {
      this.closings = closings;
      this.windows = sum(closings.closed);
      this.closed = windows;
      this.tooLate = sum(closings.tooLate);
    }

    SweepRow.Restated next(String projection, int step) {
      closed -= closings.closed[step];
      tooLate -= closings.tooLate[step];
      return new SweepRow.Restated(projection, windows, closed - tooLate, tooLate);
    }
  }
}
