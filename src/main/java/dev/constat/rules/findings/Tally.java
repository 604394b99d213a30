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

  /** How two values under one path become one. */
  private enum Merge {
    SUM,
    MIN,
    MAX
  }

  private final HashMap<Path, Long> sums = new HashMap<>();
  private final HashMap<Path, byte[]> minima = new HashMap<>();
  private final HashMap<Path, byte[]> maxima = new HashMap<>();

  /** Adds {@code n} to the sum under {@code path}. */
  public void add(long n, String... path) {
    sums.merge(Path.of(path), n, Long::sum);
  }

  /** Keeps the smallest of the values that come under {@code path}. */
  public void min(byte[] value, String... path) {
    keep(minima, Path.of(path), value, Merge.MIN);
  }

  /** Keeps the greatest of the values that come under {@code path}. */
  public void max(byte[] value, String... path) {
    keep(maxima, Path.of(path), value, Merge.MAX);
  }

  /** Takes everything of {@code other} in. */
  public Tally merge(Tally other) {
    other.sums.forEach((path, n) -> sums.merge(path, n, Long::sum));
    other.minima.forEach((path, value) -> keep(minima, path, value, Merge.MIN));
    other.maxima.forEach((path, value) -> keep(maxima, path, value, Merge.MAX));
    return this;
  }

  private static void keep(Map<Path, byte[]> kept, Path path, byte[] value, Merge merge) {
    kept.merge(
        path, value, (a, b) -> (Arrays.compareUnsigned(a, b) <= 0) == (merge == Merge.MIN) ? a : b);
  }

  /** The step that stands at one place of a path, null where the counted value was null. */
  public static String step(List<String> path, int index) {
    String step = path.get(index);
    return step.equals(Path.NULL) ? null : step;
  }

  /** The sum under a path, 0 where nothing was added. */
  public long sum(String... path) {
    return sums.getOrDefault(Path.of(path), 0L);
  }

  /** The smallest value under a path, or null. */
  public byte[] min(String... path) {
    return minima.get(Path.of(path));
  }

  /** The greatest value under a path, or null. */
  public byte[] max(String... path) {
    return maxima.get(Path.of(path));
  }

  /** The sums under all paths that begin with {@code prefix}, by the rest of their path. */
  public SortedMap<List<String>, Long> sumsUnder(String... prefix) {
    return under(sums, prefix);
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
    List<String> start = Path.of(prefix).steps();
    TreeMap<List<String>, V> rest = new TreeMap<>(BY_STEPS);
    values.forEach(
        (path, value) -> {
          List<String> steps = path.steps();
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
              out.signed(n);
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
      tally.sums.put(Path.read(in), in.signed());
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

  /** A path; null steps are kept apart from empty ones. */
  private record Path(List<String> steps) implements Comparable<Path>, Serializable {

    /** Stands for a null step: no text read from an archive holds a lone surrogate. */
    private static final String NULL = "\uD800";

    static Path of(String... steps) {
      String[] copy = new String[steps.length];
      for (int i = 0; i < steps.length; i++) {
        Preconditions.checkArgument(
            steps[i] == null || !steps[i].equals(NULL), "A path step is not text");
        copy[i] = steps[i] == null ? NULL : steps[i];
      }
      return new Path(List.of(copy));
    }

    void write(KeyWriter out) {
      out.unsigned(steps.size());
      for (String step : steps) {
        out.nullableText(step.equals(NULL) ? null : step);
      }
    }

    static Path read(KeyReader in) {
      String[] steps = new String[(int) in.unsigned()];
      for (int i = 0; i < steps.length; i++) {
        steps[i] = in.nullableText();
      }
      return of(steps);
    }

    @Override
    public int compareTo(Path other) {
      return BY_STEPS.compare(steps, other.steps);
    }
  }
}
