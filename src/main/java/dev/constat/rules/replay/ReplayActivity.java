package dev.constat.rules.replay;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Counts what replays left behind, by replay. Ids that the registry knows are all counted; of
 * others the {@value #MAX_UNREGISTERED} smallest are. An id among the smallest of all is among the
 * smallest wherever it occurs, so that what is listed does not depend on how history was split.
 */
public final class ReplayActivity {

  /** So many replays that nobody registered are listed. */
  public static final int MAX_UNREGISTERED = 1_000;

  /** Sum, by replay_id and {@link What}: what it left. */
  private static final String ACTIVITY = "replay activity";

  /** Minimum and maximum, by replay_id: when it left it. */
  private static final String ACTIVE = "replay active";

  /** What a replay may leave behind. */
  public enum What {
    RECEPTIONS,
    ROWS,
    ACKS,
    /** Effects of its own that are in order. */
    EFFECTS,
    /** Acknowledgements of effects that were there already. */
    REDELIVERIES,
    /** Further effects of events that had theirs. */
    FURTHER_EFFECTS,
    /** Acknowledgements without leave. */
    UNAUTHORISED
  }

  private static final int KINDS = What.values().length;

  /** What one replay left. */
  private static final class Counts {

    private final long[] counts = new long[KINDS];
    private Instant first;
    private Instant last;
  }

  private final ReplayRegistry registry;
  private final Map<String, Counts> known = new HashMap<>();
  private final TreeMap<String, Counts> unknown = new TreeMap<>();

  /** A count that knows which replays are registered. */
  public ReplayActivity(ReplayRegistry registry) {
    this.registry = registry;
  }

  /**
   * Counts what a replay left.
   *
   * @param time when it left it, or null where that is not asked
   */
  public void count(String replayId, What what, long count, Instant time) {
    Counts counts = counts(replayId);
    if (counts == null) {
      return;
    }
    counts.counts[what.ordinal()] += count;
    if (time != null) {
      counts.first = counts.first == null || time.isBefore(counts.first) ? time : counts.first;
      counts.last = counts.last == null || time.isAfter(counts.last) ? time : counts.last;
    }
  }

  private Counts counts(String replayId) {
    if (registry.replay(replayId) != null) {
      return known.computeIfAbsent(replayId, id -> new Counts());
    }
    Counts counts = unknown.get(replayId);
    if (counts == null) {
      if (unknown.size() == MAX_UNREGISTERED) {
        if (unknown.lastKey().compareTo(replayId) < 0) {
          return null;
        }
        unknown.pollLastEntry();
      }
      counts = new Counts();
      unknown.put(replayId, counts);
    }
    return counts;
  }

  /** Adds it all to a tally, and begins anew. */
  public void addTo(Tally tally) {
    known.forEach((id, counts) -> add(id, counts, tally));
    unknown.forEach((id, counts) -> add(id, counts, tally));
    known.clear();
    unknown.clear();
  }

  private static void add(String replayId, Counts counts, Tally tally) {
    for (What what : What.values()) {
      tally.add(counts.counts[what.ordinal()], ACTIVITY, replayId, what.name());
    }
    if (counts.first != null) {
      tally.min(new KeyWriter().instant(counts.first).toBytes(), ACTIVE, replayId);
      tally.max(new KeyWriter().instant(counts.last).toBytes(), ACTIVE, replayId);
    }
  }

  /**
   * The replays that a run lists, by id: those of the registry, and the smallest {@value
   * #MAX_UNREGISTERED} of the others that were seen.
   */
  public static TreeSet<String> listed(ReplayRegistry registry, Tally tally) {
    TreeSet<String> unregistered = new TreeSet<>();
    for (List<String> path : tally.sumsUnder(ACTIVITY).keySet()) {
      if (registry.replay(path.get(0)) == null && unregistered.add(path.get(0))) {
        if (unregistered.size() > MAX_UNREGISTERED) {
          unregistered.pollLast();
        }
      }
    }
    unregistered.addAll(registry.ids());
    return unregistered;
  }

  /** How much a replay left, of the whole run. */
  public static long sum(Tally tally, String replayId, What what) {
    return tally.sum(ACTIVITY, replayId, what.name());
  }

  /** When it first left something, or null. */
  public static Instant first(Tally tally, String replayId) {
    return instant(tally.min(ACTIVE, replayId));
  }

  /** When it last did, or null. */
  public static Instant last(Tally tally, String replayId) {
    return instant(tally.max(ACTIVE, replayId));
  }

  private static Instant instant(byte[] encoded) {
    return encoded == null ? null : new KeyReader(encoded).instant();
  }
}
