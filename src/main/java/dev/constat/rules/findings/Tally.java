package dev.constat.rules.findings;

import com.google.common.base.Preconditions;
import com.google.common.collect.Ordering;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What stages count and remember, by path: sums, and the smallest or greatest of some bytes whose
 * unsigned order is the order wanted. Merging is associative, commutative and exact, so a tally
 * does not depend on how its parts were split. Paths are few: one per source and decision, say,
 * never one per event.
 */
public final class Tally implements Serializable {

  private static final long serialVersionUID = 1L;

  /** How many of the sums are found without a search; a power of two. */
  private static final int RECENT = 128;

  /** Up to here, a search is as fast. */
  private static final int FEW = 8;

  /** How two values under one path become one. */
  private enum Merge {
    SUM,
    MIN,
    MAX
  }

  private final HashMap<Path, Count> sums = new HashMap<>();
  private final HashMap<Path, byte[]> minima = new HashMap<>();
  private final HashMap<Path, byte[]> maxima = new HashMap<>();

  // Sums that were added to lately, by their hash: most paths are those of the record before.
  private transient Map.Entry<Path, Count>[] recent;

  /** Adds {@code n} to the sum under {@code path}. */
  public void add(long n, String... path) {
    int hash = Arrays.hashCode(path);
    int slot = (hash ^ hash >>> 16) & RECENT - 1;
    if (recent != null && recent[slot] != null && recent[slot].getKey().holds(path, hash)) {
      recent[slot].getValue().value += n;
      return;
    }
    Path kept = new Path(path, hash).kept();
    Count count = sums.computeIfAbsent(kept, unseen -> new Count(0));
    count.value += n;
    if (recent == null && sums.size() > FEW) {
      recent = recentSlots();
    }
    if (recent != null) {
      recent[slot] = Map.entry(kept, count);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // of entries, as all that is put in
  private static Map.Entry<Path, Count>[] recentSlots() {
    return new Map.Entry[RECENT];
  }

  /** Keeps the smallest of the values that come under {@code path}. */
  public void min(byte[] value, String... path) {
    keep(minima, new Path(path), value, Merge.MIN);
  }

  /** Keeps the greatest of the values that come under {@code path}. */
  public void max(byte[] value, String... path) {
    keep(maxima, new Path(path), value, Merge.MAX);
  }

  /** Takes everything of {@code other} in. */
  public Tally merge(Tally other) {
    other.sums.forEach((path, n) -> add(n.value, path.steps));
    other.minima.forEach((path, value) -> keep(minima, path, value, Merge.MIN));
    other.maxima.forEach((path, value) -> keep(maxima, path, value, Merge.MAX));
    return this;
  }

  private static void keep(Map<Path, byte[]> kept, Path path, byte[] value, Merge merge) {
    byte[] other = kept.get(path);
    if (other == null) {
      kept.put(path.kept(), value);
    } else if ((Arrays.compareUnsigned(other, value) <= 0) != (merge == Merge.MIN)) {
      kept.put(path, value);
    }
  }

  /** The step that stands at one place of a path, null where the counted value was null. */
  public static String step(List<String> path, int index) {
    String step = path.get(index);
    return step.equals(Path.NULL) ? null : step;
  }

  /** The sum under a path, 0 where nothing was added. */
  public long sum(String... path) {
    Count count = sums.get(new Path(path));
    return count == null ? 0 : count.value;
  }

  /** The smallest value under a path, or null. */
  public byte[] min(String... path) {
    return minima.get(new Path(path));
  }

  /** The greatest value under a path, or null. */
  public byte[] max(String... path) {
    return maxima.get(new Path(path));
  }

  /** The sums under all paths that begin with {@code prefix}, by the rest of their path. */
  public SortedMap<List<String>, Long> sumsUnder(String... prefix) {
    TreeMap<List<String>, Long> values = new TreeMap<>(BY_STEPS);
    under(sums, prefix).forEach((path, count) -> values.put(path, count.value));
    return values;
  }

  /** The smallest values under all paths that begin with {@code prefix}, by the rest. */
  public SortedMap<List<String>, byte[]> minimaUnder(String... prefix) {
    return under(minima, prefix);
  }

  /** The greatest values under all paths that begin with {@code prefix}, by the rest. */
  public SortedMap<List<String>, byte[]> maximaUnder(String... prefix) {
    return under(maxima, prefix);
  }

  private static <V> SortedMap<List<String>, V> under(Map<Path, V> values, String... prefix) {
    List<String> start = new Path(prefix).toList();
    TreeMap<List<String>, V> rest = new TreeMap<>(BY_STEPS);
    values.forEach(
        (path, value) -> {
          List<String> steps = path.toList();
          if (steps.size() >= start.size() && steps.subList(0, start.size()).equals(start)) {
            rest.put(steps.subList(start.size(), steps.size()), value);
          }
        });
    return rest;
  }

  /** All of it; equal tallies give equal bytes. */
  public byte[] toBytes() {
    KeyWriter out = new KeyWriter();
    out.unsigned(sums.size());
    new TreeMap<>(sums)
        .forEach(
            (path, n) -> {
              path.write(out);
              out.signed(n.value);
            });
    for (Map<Path, byte[]> kept : List.of(minima, maxima)) {
      out.unsigned(kept.size());
      new TreeMap<>(kept)
          .forEach(
              (path, value) -> {
                path.write(out);
                out.bytes(value);
              });
    }
    return out.toBytes();
  }

  /** Reads what {@link #toBytes} wrote. */
  public static Tally fromBytes(byte[] bytes) {
    KeyReader in = new KeyReader(bytes);
    Tally tally = new Tally();
    for (long left = in.unsigned(); left > 0; left--) {
      tally.sums.put(Path.read(in), new Count(in.signed()));
    }
    for (Map<Path, byte[]> kept : List.of(tally.minima, tally.maxima)) {
      for (long left = in.unsigned(); left > 0; left--) {
        kept.put(Path.read(in), in.bytes());
      }
    }
    return tally;
  }

  private static final Ordering<Iterable<String>> STEP_ORDER =
      Ordering.<String>natural().lexicographical();
  private static final Ordering<List<String>> BY_STEPS = Ordering.from(STEP_ORDER::compare);

  /** A sum. */
  private static final class Count implements Serializable {

    private static final long serialVersionUID = 1L;

    private long value;

    Count(long value) {
      this.value = value;
    }
  }

  /** A path; null steps are kept apart from empty ones. */
  private static final class Path implements Comparable<Path>, Serializable {

    private static final long serialVersionUID = 1L;

    /** Stands for a null step: no text read from an archive holds a lone surrogate. */
    private static final String NULL = "\uD800";

    private final String[] steps;
    private final int hash;

    /** A path to ask with; the array stays the caller's. */
    Path(String[] steps) {
      this(steps, Arrays.hashCode(steps));
    }

    Path(String[] steps, int hash) {
      this.steps = steps;
      this.hash = hash;
    }

    boolean holds(String[] others, int theirHash) {
      return hash == theirHash && Arrays.equals(steps, others);
    }

    /** A path to keep. */
    Path kept() {
      for (String step : steps) {
        Preconditions.checkArgument(!NULL.equals(step), "A path step is not text");
      }
      return new Path(steps.clone());
    }

    /** The steps, with {@link #NULL} for null ones. */
    List<String> toList() {
      String[] list = new String[steps.length];
      for (int i = 0; i < list.length; i++) {
        list[i] = steps[i] == null ? NULL : steps[i];
      }
      return List.of(list);
    }

    void write(KeyWriter out) {
      out.unsigned(steps.length);
      for (String step : steps) {
        out.nullableText(step);
      }
    }

    static Path read(KeyReader in) {
      String[] steps = new String[(int) in.unsigned()];
      for (int i = 0; i < steps.length; i++) {
        steps[i] = in.nullableText();
      }
      return new Path(steps);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Path path && hash == path.hash && Arrays.equals(steps, path.steps);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public int compareTo(Path other) {
      return BY_STEPS.compare(toList(), other.toList());
    }
  }
}
