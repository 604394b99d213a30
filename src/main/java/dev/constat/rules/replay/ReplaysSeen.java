package dev.constat.rules.replay;

import dev.constat.rules.findings.Tally;
import java.util.HashSet;
import java.util.Set;

/**
 * Which replay_ids were read on receptions, outbox rows and acknowledgements. Read notes them where
 * a registry is given, so that later stages follow only the replays that left a trace. Beyond
 * {@value #MAX_IDS} ids in one part of a file, every replay counts as seen: that costs time, and
 * changes no result.
 */
public final class ReplaysSeen {

  /** So many ids are told apart in one part of a file. */
  public static final int MAX_IDS = 10_000;

  /** Maximum, by replay_id: that it was read. */
  private static final String SEEN = "replay seen";

  /** Maximum: that there were too many ids to tell apart. */
  private static final String BEYOND = "replays seen beyond";

  private static final byte[] YES = {1};

  private final Tally tally;

  private ReplaysSeen(Tally tally) {
    this.tally = tally;
  }

  /** What a tally holds. */
  static ReplaysSeen of(Tally tally) {
    return new ReplaysSeen(tally);
  }

  boolean maybe(String replayId) {
    return tally.max(BEYOND) != null || tally.max(SEEN, replayId) != null;
  }

  /** Notes the ids of one part of a file. */
  public static final class Noter {

    private final Set<String> ids = new HashSet<>();
    private final Tally tally;

    /** A noter that leaves what it notes in a tally. */
    public Noter(Tally tally) {
      this.tally = tally;
    }

    /** Notes an id; null stands for none. */
    public void note(String replayId) {
      if (replayId == null || ids.size() > MAX_IDS || !ids.add(replayId)) {
        return;
      }
      if (ids.size() > MAX_IDS) {
        tally.max(YES, BEYOND);
      } else {
        tally.max(YES, SEEN, replayId);
      }
    }
  }
}
