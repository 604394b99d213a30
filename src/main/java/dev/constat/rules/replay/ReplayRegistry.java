package dev.constat.rules.replay;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.BaseEncoding;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The registry of replays, as Read left it in the tally. A registry names replays, not events, so
 * all of it is held. Equal rows are copies in the archive; of unequal rows of one id, the one that
 * was started last (then the greatest content) holds.
 */
public final class ReplayRegistry {

  /** Sum and minimum (of places), by replay_id and content: rows of the registry. */
  private static final String REGISTERED = "replay registered";

  private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();

  private final ImmutableMap<String, Replay> replays;
  private final ImmutableList<Replay> superseded;
  private final long rows;
  private final long copies;
  private final ReplaysSeen seen;
  private final ReplayIntervals intervals;

  private ReplayRegistry(
      ImmutableMap<String, Replay> replays,
      ImmutableList<Replay> superseded,
      long rows,
      long copies,
      ReplaysSeen seen) {
    this.replays = replays;
    this.superseded = superseded;
    this.rows = rows;
    this.copies = copies;
    this.seen = seen;
    this.intervals = new ReplayIntervals(replays.values());
  }

  /** Adds a row of the registry to what Read counts. */
  public static void add(Replay replay, Tally tally) {
    KeyWriter content = new KeyWriter();
    replay.writeContent(content);
    String text = HEX.encode(content.buffer(), 0, content.size());
    tally.add(1, REGISTERED, replay.replayId(), text);
    tally.min(replay.place().toBytes(), REGISTERED, replay.replayId(), text);
  }

  /** The registry that a tally holds; empty where none was read. */
  public static ReplayRegistry of(Tally tally) {
    Map<String, Replay> holding = new LinkedHashMap<>();
    List<Replay> superseded = new ArrayList<>();
    long rows = 0;
    long copies = 0;
    // Paths come in order, so that of one id the greatest content comes last.
    for (Map.Entry<List<String>, Long> entry : tally.sumsUnder(REGISTERED).entrySet()) {
      String id = entry.getKey().get(0);
      String content = entry.getKey().get(1);
      rows++;
      copies += entry.getValue() - 1;
      Place place = Place.fromBytes(tally.min(REGISTERED, id, content), 0);
      Replay before = holding.put(id, Replay.read(id, new KeyReader(HEX.decode(content)), place));
      if (before != null) {
        superseded.add(before);
      }
    }
    return new ReplayRegistry(
        ImmutableMap.copyOf(holding),
        ImmutableList.copyOf(superseded),
        rows,
        copies,
        ReplaysSeen.of(tally));
  }

  /** The replay of that id, or null where the registry does not know it. */
  public Replay replay(String replayId) {
    return replays.get(replayId);
  }

  /** All of them, by id. */
  public ImmutableList<Replay> replays() {
    return replays.values().asList();
  }

  /** Their ids, in order. */
  public ImmutableSet<String> ids() {
    return replays.keySet();
  }

  /** Rows that another row of the same id overrules. */
  public ImmutableList<Replay> superseded() {
    return superseded;
  }

  /** Rows of the registry that are no copies. */
  public long rows() {
    return rows;
  }

  /** Rows that are copies of others. */
  public long copies() {
    return copies;
  }

  /** How their intervals cut the time. */
  public ReplayIntervals intervals() {
    return intervals;
  }

  /**
   * Whether a mark of the replay may have been read anywhere: what nobody shows need not be
   * followed.
   */
  public boolean seen(String replayId) {
    return seen.maybe(replayId);
  }
}
