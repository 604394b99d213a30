package dev.constat.rules.replay;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.OptionalTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How the inclusive intervals of all replays cut the time: into the instants at which one begins or
 * ends, and the open stretches before, between and after them. Segment 2i is the stretch before the
 * i-th of these instants, 2i + 1 the instant itself. All events of a segment are in the same
 * intervals, so that what replays have in common is counted per segment, exactly, at a cost that
 * does not depend on how many pairs of replays there are.
 */
public final class ReplayIntervals {

  private final ImmutableList<Instant> ends;
  private final ImmutableList<Replay> replays;
  private final Set<String> topics = new HashSet<>();
  private final Map<Integer, List<Replay>> bySegment = new HashMap<>();

  /** The segments of some replays; those with an end that nobody knows cut nothing. */
  ReplayIntervals(Collection<Replay> all) {
    TreeSet<Instant> cuts = new TreeSet<>();
    List<Replay> known = new ArrayList<>();
    for (Replay replay : all) {
      if (replay.intervalKnown()) {
        known.add(replay);
        add(replay.from(), cuts);
        add(replay.to(), cuts);
        if (replay.topic() != null) {
          topics.add(replay.topic());
        }
      }
    }
    this.ends = ImmutableList.copyOf(cuts);
    this.replays = ImmutableList.copyOf(known);
  }

  private static void add(OptionalTime end, Set<Instant> cuts) {
    if (!end.absent()) {
      cuts.add(end.instant());
    }
  }

  /** The segment that an instant is in. */
  public int segment(Instant time) {
    int low = 0;
    int high = ends.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends.get(middle).isBefore(time)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < ends.size() && ends.get(low).equals(time) ? 2 * low + 1 : 2 * low;
  }

  /** The first segment of a replay's interval. */
  public int firstSegment(Replay replay) {
    return replay.from().absent() ? 0 : segment(replay.from().instant());
  }

  /** The last segment; less than the first where the interval ends before it begins. */
  public int lastSegment(Replay replay) {
    return replay.to().absent() ? 2 * ends.size() : segment(replay.to().instant());
  }

  /** Whether some replay names this topic as its own. */
  boolean names(String topic) {
    return topics.contains(topic);
  }

  /** The replays whose interval holds a segment, whatever their topic, by id. */
  public List<Replay> holding(int segment) {
    return bySegment.computeIfAbsent(
        segment,
        asked ->
            replays.stream()
                .filter(replay -> firstSegment(replay) <= asked && asked <= lastSegment(replay))
                .toList());
  }
}
