package dev.constat.rules.replay;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Counts the accepted events of each segment of {@link ReplayIntervals}, by topic: what is in the
 * scope of a replay, or of two, follows from it. Topics that no replay names are one.
 */
public final class ScopeCounts {

  /** Sum, minimum and maximum (of created_at), by segment, topic or its kind: accepted events. */
  private static final String EVENTS = "replayable events";

  private static final String NAMED = "named";
  private static final String OTHER = "other";
  private static final String NONE = "none";

  /** Events that some scopes hold. */
  public static final class Found {

    private long count;
    private byte[] first;
    private byte[] last;

    private void add(long more, byte[] min, byte[] max) {
      count += more;
      first = first == null || Arrays.compareUnsigned(min, first) < 0 ? min : first;
      last = last == null || Arrays.compareUnsigned(max, last) > 0 ? max : last;
    }

    /** How many. */
    public long count() {
      return count;
    }

    /** The smallest created_at of one. */
    public Instant first() {
      return new KeyReader(first).instant();
    }

    /** The greatest. */
    public Instant last() {
      return new KeyReader(last).instant();
    }

    /** Where the first of them stands, by (created_at, place). */
    public Place place() {
      return Place.fromBytes(first, first.length - Place.BYTES);
    }
  }

  /** What one segment holds, by topic: "named" with the topic, "other", or "none". */
  private record Part(String kind, String topic, long count, byte[] min, byte[] max) {}

  private final ReplayIntervals intervals;
  private final TreeMap<Integer, List<Part>> segments = new TreeMap<>();

  /** What a tally of the whole run holds. */
  public ScopeCounts(ReplayIntervals intervals, Tally tally) {
    this.intervals = intervals;
    for (Map.Entry<List<String>, Long> entry : tally.sumsUnder(EVENTS).entrySet()) {
      String segment = entry.getKey().get(0);
      String kind = entry.getKey().get(1);
      String topic = Tally.step(entry.getKey(), 2);
      segments
          .computeIfAbsent(Integer.valueOf(segment), key -> new ArrayList<>())
          .add(
              new Part(
                  kind,
                  topic,
                  entry.getValue(),
                  tally.min(EVENTS, segment, kind, topic),
                  tally.max(EVENTS, segment, kind, topic)));
    }
  }

  /**
   * Counts an accepted event.
   *
   * @param segment the one that its created_at is in
   */
  public static void count(
      ReplayIntervals intervals,
      Tally tally,
      int segment,
      Instant createdAt,
      String topic,
      Place place) {
    String step = Integer.toString(segment);
    String kind = topic == null ? NONE : intervals.names(topic) ? NAMED : OTHER;
    String named = kind.equals(NAMED) ? topic : null;
    KeyWriter time = new KeyWriter().instant(createdAt);
    tally.add(1, EVENTS, step, kind, named);
    tally.max(time.toBytes(), EVENTS, step, kind, named);
    tally.min(time.raw(place.toBytes()).toBytes(), EVENTS, step, kind, named);
  }

  /** The accepted events in the scope of a replay whose interval is known. */
  public Found in(Replay replay) {
    return in(
        intervals.firstSegment(replay), intervals.lastSegment(replay), part -> holds(replay, part));
  }

  /** Those in the scopes of both. */
  public Found inBoth(Replay a, Replay b) {
    return in(
        Math.max(intervals.firstSegment(a), intervals.firstSegment(b)),
        Math.min(intervals.lastSegment(a), intervals.lastSegment(b)),
        part -> holds(a, part) && holds(b, part));
  }

  private static boolean holds(Replay replay, Part part) {
    return replay.topic() == null
        || part.kind().equals(NONE)
        || part.kind().equals(NAMED) && replay.topic().equals(part.topic());
  }

  private Found in(int from, int to, Predicate<Part> wanted) {
    Found found = new Found();
    if (from <= to) {
      for (List<Part> parts : segments.subMap(from, true, to, true).values()) {
        for (Part part : parts) {
          if (wanted.test(part)) {
            found.add(part.count(), part.min(), part.max());
          }
        }
      }
    }
    return found;
  }
}
