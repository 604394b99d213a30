package dev.constat.rules.order;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Rows of an aggregate that were given up and delivered after all, and the later rows that were
 * delivered in the meantime: those in [dlq_at, delivery) of a row that stands before them.
 *
 * <p>The rows are known before the aggregate is scanned. Memory is some integers for each, whatever
 * the number of rows scanned; each row scanned costs the logarithm of their number.
 */
final class Resubmissions {

  private static final int NOBODY = -1;

  private final List<AggregateRow> rows = new ArrayList<>();
  private final List<byte[]> positions = new ArrayList<>();

  /** All times at which one was given up or delivered. */
  private Instant[] times;

  /** Of each row, among the times: when it was given up, and when it was delivered. */
  private int[] deadAt;

  private int[] deliveredAt;

  /** How many rows, of those that the scan has passed, were delivered up to each time; a tree. */
  private long[] passed;

  /** Of each row, how many had been delivered in its interval before the scan passed it. */
  private long[] before;

  /** The rows by when they were given up, and of each, when those were. */
  private Integer[] byDeath;

  private int[] deaths;

  /**
   * A tree over them: the greatest delivery of those passed that nobody is known to have passed.
   */
  private int[] open;

  private int leaves;
  private int[] leafOf;

  /** Of each row, the first that went ahead of it, or null. */
  private AggregateRow[] first;

  /** How many of the rows the scan has passed. */
  private int active;

  /** Finds the rows that went ahead of one. */
  @FunctionalInterface
  interface Reader {

    /**
     * A row that was sent again, and what went ahead of it.
     *
     * @param row the row
     * @param ahead the first later row that was delivered in the meantime
     * @param count how many were
     */
    void accept(AggregateRow row, AggregateRow ahead, long count);
  }

  /** Forgets everything. */
  void clear() {
    rows.clear();
    positions.clear();
    times = null;
  }

  /** Takes a row in that was sent again; they come in order, before the first is scanned. */
  void add(AggregateRow row, byte[] position) {
    rows.add(row);
    positions.add(position);
  }

  /** Takes the next row of the scan in. */
  void next(AggregateRow row, byte[] buffer, int positionFrom, int positionTo) {
    if (rows.isEmpty()) {
      return;
    }
    if (times == null) {
      begin();
    }
    while (active < rows.size()
        && Arrays.compareUnsigned(
                positions.get(active),
                0,
                positions.get(active).length,
                buffer,
                positionFrom,
                positionTo)
            < 0) {
      activate(active++);
    }
    if (row.delivery() != null) {
      pass(row);
    }
  }

  /** Says which rows others went ahead of. */
  void end(Reader reader) {
    if (times != null) {
      for (int i = 0; i < active; i++) {
        if (first[i] != null) {
          reader.accept(rows.get(i), first[i], passedIn(i) - before[i]);
        }
      }
    }
    clear();
  }

  private void begin() {
    int size = rows.size();
    TreeSet<Instant> distinct = new TreeSet<>();
    for (AggregateRow row : rows) {
      distinct.add(row.dlqAt());
      distinct.add(row.delivery());
    }
    times = distinct.toArray(new Instant[0]);
    deadAt = indices(AggregateRow::dlqAt);
    deliveredAt = indices(AggregateRow::delivery);
    passed = new long[times.length + 2];
    before = new long[size];
    first = new AggregateRow[size];
    byDeath = new Integer[size];
    Arrays.setAll(byDeath, i -> i);
    Arrays.sort(byDeath, Comparator.comparingInt(i -> deadAt[i]));
    deaths = new int[size];
    Arrays.setAll(deaths, i -> deadAt[byDeath[i]]);
    leaves = Integer.highestOneBit(Math.max(1, size - 1)) * 2;
    open = new int[2 * leaves];
    Arrays.fill(open, NOBODY);
    leafOf = new int[size];
    for (int leaf = 0; leaf < size; leaf++) {
      leafOf[byDeath[leaf]] = leaf;
    }
    active = 0;
  }

  private int[] indices(Function<AggregateRow, Instant> time) {
    return rows.stream().mapToInt(row -> Arrays.binarySearch(times, time.apply(row))).toArray();
  }

  private void activate(int row) {
    before[row] = passedIn(row);
    set(leafOf[row], deliveredAt[row]);
  }

  /** Takes a delivery in: it falls into those intervals that begin by then and end later. */
  private void pass(AggregateRow row) {
    int at = Arrays.binarySearch(times, row.delivery());
    int reached = at < 0 ? -at - 1 : at + 1; // how many of the times are not after it
    count(reached);
    int begun = beginBy(reached);
    for (int leaf = find(begun, reached); leaf != NOBODY; leaf = find(begun, reached)) {
      first[byDeath[leaf]] = row;
      set(leaf, NOBODY);
    }
  }

  /** How many leaves are of rows that were given up by then. */
  private int beginBy(int reached) {
    int from = 0;
    int to = deaths.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (deaths[middle] < reached) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private long passedIn(int row) {
    return sum(deliveredAt[row]) - sum(deadAt[row]);
  }

  private void count(int reached) {
    for (int i = reached + 1; i < passed.length; i += i & -i) {
      passed[i]++;
    }
  }

  /** How many deliveries came before the time of that index. */
  private long sum(int index) {
    long sum = 0;
    for (int i = index + 1; i > 0; i -= i & -i) {
      sum += passed[i];
    }
    return sum;
  }

  private void set(int leaf, int value) {
    int node = leaves + leaf;
    open[node] = value;
    for (node >>= 1; node > 0; node >>= 1) {
      open[node] = Math.max(open[2 * node], open[2 * node + 1]);
    }
  }

  /** A leaf below {@code to} whose value is at least the given one, or {@link #NOBODY}. */
  private int find(int to, int least) {
    int node = 1;
    int from = 0;
    int width = leaves;
    if (to == 0 || open[node] < least) {
      return NOBODY;
    }
    // The leftmost leaf that is great enough decides: if it lies beyond, so do all.
    while (node < leaves) {
      width >>= 1;
      node *= 2;
      if (open[node] < least) {
        node++;
        from += width;
      }
    }
    return from < to ? from : NOBODY;
  }
}
