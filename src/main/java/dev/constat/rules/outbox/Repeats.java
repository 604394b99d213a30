package dev.constat.rules.outbox;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.time.Instant;

/**
 * The repeats among the acknowledgements that an {@link AckFold} folds, by {@link CrashWindow}. A
 * repeat that says {@code applied = true} behind another that does is a double effect and counts in
 * no window; where the key is null nothing is one. So the windows of an effect key add up to its
 * effective acknowledgements less one, less the double effects.
 */
public final class Repeats {

  private static final CrashWindow[] WINDOWS = CrashWindow.values();
  private static final int NOTHING = WINDOWS.length;
  private static final int FIRST = WINDOWS.length + 1;
  private static final int NO_COUNTS = 0;
  private static final int COUNTS = 1;

  /** No repeats, and nothing applied. */
  public static final Repeats NONE = new Repeats(null, NOTHING, ImmutableList.of());

  /** No repeats; the first effective one says that it was applied. */
  static final Repeats APPLIED = new Repeats(null, FIRST, ImmutableList.of());

  /** So many lapsed claims are named. */
  private static final int MAX_LAPSES = 8;

  private final long[] counts;
  private final int firstApplied;
  private final ImmutableList<Lapse> lapses;

  /**
   * A claim under which deliveries came after its lease had ended.
   *
   * @param owner whose claim
   * @param claimedAt since when
   * @param repeats how many repeats that explains
   */
  public record Lapse(String owner, Instant claimedAt, long repeats) {}

  /**
   * Repeats.
   *
   * @param counts by window, or null where there are none
   * @param firstApplied the window of the first that says it was applied, {@link #FIRST} for the
   *     very first, {@link #NOTHING} without one
   */
  private Repeats(long[] counts, int firstApplied, ImmutableList<Lapse> lapses) {
    this.counts = counts;
    this.firstApplied = firstApplied;
    this.lapses = lapses;
  }

  /** One repeat. */
  static Repeats of(Claims.Window window, boolean applied) {
    long[] counts = new long[WINDOWS.length];
    counts[window.kind().ordinal()] = 1;
    Claim lapsed = window.lapsed();
    return new Repeats(
        counts,
        applied ? window.kind().ordinal() : NOTHING,
        lapsed == null || lapsed.owner() == null
            ? ImmutableList.of()
            : ImmutableList.of(new Lapse(lapsed.owner(), lapsed.claimedAt(), 1)));
  }

  /**
   * The repeats of two folds, the later of the same consumer and key.
   *
   * @param first the earlier fold
   * @param later the later one; of another row, its first one is a repeat of the earlier fold
   */
  static Repeats of(AckFold first, AckFold later) {
    if (later.replayId() != null) {
      return first.repeats();
    }
    boolean throughAnotherRow =
        first.effective() > 0
            && later.effective() > 0
            && !first.outboxId().equals(later.outboxId());
    boolean appliedAgain = later.effectKey() != null && first.applied() > 0 && later.applied() > 0;
    return first
        .repeats()
        .and(later.repeats(), throughAnotherRow, appliedAgain, first.effective() > 0);
  }

  private Repeats and(
      Repeats later, boolean throughAnotherRow, boolean appliedAgain, boolean anyBefore) {
    int applied = firstApplied;
    if (applied == NOTHING) {
      applied =
          later.firstApplied == FIRST && anyBefore
              ? CrashWindow.SURPLUS_ROW.ordinal()
              : later.firstApplied;
    }
    if (!throughAnotherRow && later.counts == null) {
      return applied == firstApplied ? this : new Repeats(counts, applied, lapses);
    }
    long[] sum = counts == null ? new long[WINDOWS.length] : counts.clone();
    for (int i = 0; later.counts != null && i < sum.length; i++) {
      sum[i] += later.counts[i];
    }
    if (throughAnotherRow) {
      sum[CrashWindow.SURPLUS_ROW.ordinal()]++;
    }
    if (appliedAgain) {
      sum[later.firstApplied == FIRST ? CrashWindow.SURPLUS_ROW.ordinal() : later.firstApplied]--;
    }
    return new Repeats(sum, applied, joined(later.lapses));
  }

  private ImmutableList<Lapse> joined(ImmutableList<Lapse> later) {
    if (later.isEmpty()) {
      return lapses;
    }
    ImmutableList.Builder<Lapse> joined = ImmutableList.builder();
    long size = lapses.size();
    for (Lapse lapse : lapses) {
      long repeats = lapse.repeats();
      for (Lapse other : later) {
        repeats += isSameClaim(lapse, other) ? other.repeats() : 0;
      }
      joined.add(new Lapse(lapse.owner(), lapse.claimedAt(), repeats));
    }
    for (Lapse other : later) {
      if (size < MAX_LAPSES && lapses.stream().noneMatch(lapse -> isSameClaim(lapse, other))) {
        joined.add(other);
        size++;
      }
    }
    return joined.build();
  }

  private static boolean isSameClaim(Lapse a, Lapse b) {
    return a.owner().equals(b.owner()) && a.claimedAt().equals(b.claimedAt());
  }

  /** These and so many more of one window. */
  public Repeats plus(long more, CrashWindow window) {
    long[] sum = counts == null ? new long[WINDOWS.length] : counts.clone();
    sum[window.ordinal()] += more;
    return new Repeats(sum, firstApplied, lapses);
  }

  /** How many fell into a window. */
  public long count(CrashWindow window) {
    return counts == null ? 0 : counts[window.ordinal()];
  }

  /** How many fell into each window that has any, in the order of their names. */
  public ImmutableSortedMap<String, Long> byWindow() {
    ImmutableSortedMap.Builder<String, Long> windows = ImmutableSortedMap.naturalOrder();
    for (CrashWindow window : WINDOWS) {
      if (count(window) > 0) {
        windows.put(window.name(), count(window));
      }
    }
    return windows.buildOrThrow();
  }

  /**
   * Claims that lapsed, each with its repeats, at most as many as {@link CrashWindow#LAPSED_LEASE}
   * counts.
   */
  public ImmutableList<Lapse> lapses() {
    ImmutableList.Builder<Lapse> counted = ImmutableList.builder();
    long left = count(CrashWindow.LAPSED_LEASE);
    for (Lapse lapse : lapses) {
      long repeats = Math.min(left, lapse.repeats());
      if (repeats > 0) {
        counted.add(new Lapse(lapse.owner(), lapse.claimedAt(), repeats));
        left -= repeats;
      }
    }
    return counted.build();
  }

  /** Appends them to a record. */
  void write(KeyWriter out) {
    out.octet(firstApplied);
    if (counts == null) {
      out.octet(NO_COUNTS);
      return;
    }
    out.octet(COUNTS);
    for (long count : counts) {
      out.signed(count);
    }
    out.octet(lapses.size());
    for (Lapse lapse : lapses) {
      out.text(lapse.owner()).instant(lapse.claimedAt()).signed(lapse.repeats());
    }
  }

  /** Reads what {@link #write} wrote. */
  static Repeats read(KeyReader in) {
    int applied = in.octet();
    if (in.octet() == NO_COUNTS) {
      return applied == NOTHING ? NONE : applied == FIRST ? APPLIED : only(applied);
    }
    long[] counts = new long[WINDOWS.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = in.signed();
    }
    ImmutableList.Builder<Lapse> lapses = ImmutableList.builder();
    for (int left = in.octet(); left > 0; left--) {
      lapses.add(new Lapse(in.text(), in.instant(), in.signed()));
    }
    return new Repeats(counts, applied, lapses.build());
  }

  private static Repeats only(int applied) {
    return new Repeats(null, applied, ImmutableList.of());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Repeats repeats
        && firstApplied == repeats.firstApplied
        && lapses.equals(repeats.lapses)
        && byWindow().equals(repeats.byWindow());
  }

  @Override
  public int hashCode() {
    return 31 * firstApplied + lapses.hashCode();
  }

  @Override
  public String toString() {
    return byWindow().toString();
  }
}
