package dev.constat.rules.time;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.json.CanonicalJson;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads the numbered receptions of one source and scope, in the order of their arrival, and finds
 * where the numbers begin anew and which are missing (spec section 4). Numbers are unsigned; what
 * it keeps grows with the number of holes and epochs, not of receptions.
 */
public final class Sequences {

  private final boolean dense;
  private final List<Numbers> epochs = new ArrayList<>();
  private final List<Reset> resets = new ArrayList<>();
  private final ImmutableList.Builder<Epochs.Epoch> opened = ImmutableList.builder();
  private long seen;

  /**
   * Begins without a reception.
   *
   * @param dense whether {@link #gaps} will be asked for
   */
  public Sequences(boolean dense) {
    this.dense = dense;
  }

  /** The name of the sequence of a source and values of scope columns: a JSON array of them. */
  public static String name(String source, Iterable<String> scope) {
    StringBuilder name = new StringBuilder("[");
    CanonicalJson.quote(source, name);
    for (String value : scope) {
      name.append(',');
      if (value == null) {
        name.append("null");
      } else {
        CanonicalJson.quote(value, name);
      }
    }
    return name.append(']').toString();
  }

  /** The next reception. */
  public void next(Numbered reception) {
    if (epochs.isEmpty()) {
      open(reception);
    } else {
      Numbered largest = epochs.get(epochs.size() - 1).largest;
      if (isBelowHalf(reception.number(), largest.number())
          && !reception.occurredAt().isBefore(largest.occurredAt())) {
        resets.add(new Reset(epochs.size(), reception, largest));
        open(reception);
      }
    }
    if (epochs.get(epochOf(reception)).add(reception, dense)) {
      seen++;
    }
  }

  private void open(Numbered first) {
    epochs.add(new Numbers(first));
    opened.add(new Epochs.Epoch(first.receivedAt(), first.ingestionId(), first.occurredAt()));
  }

  private static boolean isBelowHalf(long number, long largest) {
    return number >= 0 && Long.compareUnsigned(2 * number, largest) < 0;
  }

  private int epochOf(Numbered reception) {
    int last = epochs.size() - 1;
    if (last == 0 || !epochs.get(last).first.occurredAt().isAfter(reception.occurredAt())) {
      return last;
    }
    int from = 1;
    int to = last;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (epochs.get(middle).first.occurredAt().isAfter(reception.occurredAt())) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from - 1;
  }

  /** The epochs so far. */
  public Epochs epochs() {
    return new Epochs(opened.build());
  }

  /** The begins of epochs after the first, in order. */
  public List<Reset> resets() {
    return List.copyOf(resets);
  }

  /** How many different numbers were seen, those of different epochs apart. */
  public long seen() {
    return seen;
  }

  /** How many contiguous holes there are between the smallest and the largest of each epoch. */
  public long holes() {
    long holes = 0;
    for (Numbers numbers : epochs) {
      holes += numbers.runs.size() - 1L;
    }
    return holes;
  }

  /**
   * How many numbers are missing in these holes.
   *
   * @param limit the answer where there are more
   */
  public long missing(long limit) {
    long missing = 0;
    for (Numbers numbers : epochs) {
      Run below = null;
      for (Run run : numbers.runs.values()) {
        long count = below == null ? 0 : run.from - below.to - 1;
        if (Long.compareUnsigned(count, limit - missing) >= 0) {
          return limit;
        }
        missing += count;
        below = run;
      }
    }
    return missing;
  }

  /** Hands over the holes between the smallest and the largest of each epoch, in order. */
  public void gaps(Consumer<Gap> found) {
    if (!dense) {
      throw new IllegalStateException("The neighbours of holes were not kept");
    }
    for (int epoch = 0; epoch < epochs.size(); epoch++) {
      Iterator<Run> runs = epochs.get(epoch).runs.values().iterator();
      Run below = runs.next();
      while (runs.hasNext()) {
        Run run = runs.next();
        found.accept(new Gap(epoch, below.to + 1, run.from - 1, below.highest, run.lowest));
        below = run;
      }
    }
  }

  /** The numbers of an epoch. */
  private static final class Numbers {

    private final Numbered first;
    private final TreeMap<Long, Run> runs = new TreeMap<>(Long::compareUnsigned);
    private Numbered largest;
    private Run top;

    Numbers(Numbered first) {
      this.first = first;
      this.largest = first;
    }

    /**
     * Takes a number in.
     *
     * @return whether it is new
     */
    boolean add(Numbered reception, boolean withNeighbours) {
      long number = reception.number();
      Numbered kept = withNeighbours ? reception : null;
      if (Long.compareUnsigned(number, largest.number()) > 0) {
        if (number == top.to + 1) {
          top.to = number;
          top.highest = kept;
        } else {
          top = new Run(number, kept);
          runs.put(number, top);
        }
        largest = reception;
        return true;
      }
      if (runs.isEmpty()) {
        top = new Run(number, kept);
        runs.put(number, top);
        return true;
      }
      return insert(number, kept);
    }

    /** A number that is not above the largest. */
    private boolean insert(long number, Numbered kept) {
      Map.Entry<Long, Run> floor = runs.floorEntry(number);
      Run below = floor == null ? null : floor.getValue();
      if (below != null && Long.compareUnsigned(number, below.to) <= 0) {
        return false;
      }
      // the largest lies above it, so there is such a run, and no number overflows
      Run above = runs.higherEntry(number).getValue();
      boolean meetsBelow = below != null && below.to + 1 == number;
      boolean meetsAbove = number + 1 == above.from;
      if (meetsAbove) {
        runs.remove(above.from);
      }
      if (meetsBelow) {
        below.to = meetsAbove ? above.to : number;
        below.highest = meetsAbove ? above.highest : kept;
        top = meetsAbove && top.to == below.to ? below : top;
      } else if (meetsAbove) {
        above.from = number;
        above.lowest = kept;
        runs.put(number, above);
      } else {
        runs.put(number, new Run(number, kept));
      }
      return true;
    }
  }

  /** Numbers without a hole, with the first receptions of its ends where they are kept. */
  private static final class Run {

    private long from;
    private long to;
    private Numbered lowest;
    private Numbered highest;

    Run(long number, Numbered kept) {
      this.from = number;
      this.to = number;
      this.lowest = kept;
      this.highest = kept;
    }
  }
}
