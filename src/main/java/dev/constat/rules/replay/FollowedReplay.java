package dev.constat.rules.replay;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Follows one replay (spec section 6): first the events of its scope by (created_at, original id),
 * then its receptions as they arrived. Nothing is kept but the ends of what has passed.
 *
 * <p>REPLAY_ORDER: a replay publishes in the order of (created_at, original id), so its receptions
 * must not fall back. An error interrupts it, and a resumption begins again with the first event:
 * falling back exactly to where its receptions began is a redelivered prefix, which is counted as a
 * restart. Equal positions next to each other are one event that was delivered again.
 *
 * <p>REPLAY_PARTIAL: of its scope, the events up to one were seen, and none behind it. A replay
 * that was active until just before the cut may still be at it, and nothing is said of it.
 */
public final class FollowedReplay {

  /** Why nothing is said of a replay one of whose ends has no zone. */
  public static final String NO_ZONE = "an end of the interval without a zone";

  /** Sum, by replay_id: prefixes that were redelivered. */
  private static final String RESTARTS = "replay restarts";

  /** Sum, by replay_id: events of its scope of which it left a trace. */
  private static final String SEEN = "replay seen events";

  private static final String RULE = "replay-order/1";
  private static final String SCOPE_RULE = "replay-scope/1";

  private final String replayId;
  private final Replay replay;
  private final Instant settled;
  private final Tally tally;
  private final Consumer<Finding> findings;

  // the scope
  private long scope;
  private long seen;
  private boolean prefix = true;
  private Event lastSeen;
  private Event firstUnseen;
  private Instant lastActive;

  // the receptions
  private byte[] begin;
  private byte[] previous;
  private Place previousPlace;
  private Instant previousAt;
  private long positioned;
  private long unplaced;
  private long restarts;
  private long descents;
  private Statement order;
  private Instant firstDescent;
  private Instant lastDescent;

  /** An event of the scope. */
  private record Event(Instant createdAt, String id, Place place) {}

  /**
   * A replay to be followed.
   *
   * @param replay what the registry says of it, or null where it does not know it
   * @param settled up to when what a replay did is complete; later ones may still be at it
   * @param findings takes what is stated
   */
  public FollowedReplay(
      String replayId, Replay replay, Instant settled, Tally tally, Consumer<Finding> findings) {
    this.replayId = replayId;
    this.replay = replay;
    this.settled = settled;
    this.tally = tally;
    this.findings = findings;
  }

  /** Where an event stands in the order that a replay publishes in. */
  public static KeyWriter writePosition(KeyWriter out, Instant createdAt, String originalId) {
    return out.instant(createdAt).text(originalId);
  }

  /**
   * The next event of its scope.
   *
   * @param trace when the replay last left a trace of it; null where it left none
   */
  public void event(Instant createdAt, String id, Instant trace, Place place) {
    scope++;
    if (trace == null) {
      firstUnseen = firstUnseen == null ? new Event(createdAt, id, place) : firstUnseen;
      return;
    }
    seen++;
    prefix &= firstUnseen == null;
    lastSeen = new Event(createdAt, id, place);
    lastActive = lastActive == null || trace.isAfter(lastActive) ? trace : lastActive;
  }

  /** A reception of an event that stands nowhere in the order: no original of it is known. */
  public void unplacedReception() {
    unplaced++;
  }

  /**
   * The next reception.
   *
   * @param position bytes of {@link #writePosition}
   */
  public void reception(Instant receivedAt, byte[] position, Place place) {
    positioned++;
    if (begin == null) {
      begin = position;
    } else if (Arrays.compareUnsigned(position, previous) < 0) {
      if (Arrays.equals(position, begin)) {
        restarts++;
      } else {
        descent(receivedAt, position, place);
      }
    }
    previous = position;
    previousPlace = place;
    previousAt = receivedAt;
  }

  private void descent(Instant receivedAt, byte[] position, Place place) {
    descents++;
    lastDescent = receivedAt;
    if (order == null) {
      firstDescent = receivedAt;
      order =
          Statement.of(Kind.REPLAY_ORDER, new JsonObject().put("replay_id", replayId))
              .because(
                  "A replay publishes by (created_at, original id), and an older event came behind"
                      + " a younger one")
              .sides(describe(previous, previousAt), describe(position, receivedAt))
              .under(RULE)
              .seenAt(previousPlace, place);
    }
  }

  private static JsonObject describe(byte[] position, Instant receivedAt) {
    KeyReader in = new KeyReader(position);
    Instant createdAt = in.instant();
    return new JsonObject()
        .put("created_at", createdAt)
        .put("original_event_id", in.text())
        .put("received_at", receivedAt);
  }

  /** States what is to be said of it. */
  public void end() {
    tally.add(restarts, RESTARTS, replayId);
    tally.add(seen, SEEN, replayId);
    if (replay == null) {
      Coverage.notJudged(tally, Kind.REPLAY_ORDER, "replay not in the registry");
      return;
    }
    if (positioned > 0) {
      Coverage.judged(tally, Kind.REPLAY_ORDER);
    } else if (unplaced > 0) {
      Coverage.notJudged(tally, Kind.REPLAY_ORDER, "events known by replays alone");
    }
    if (order != null) {
      findings.accept(order.when(firstDescent, lastDescent).times(descents).finding());
    }
    endScope();
  }

  private void endScope() {
    if (!replay.intervalKnown()) {
      Coverage.notJudged(tally, Kind.REPLAY_PARTIAL, NO_ZONE);
      return;
    }
    if (seen == 0) {
      return; // it left no trace in its scope, so it did not begin
    }
    boolean partial = prefix && seen < scope;
    if (partial && lastActive.isAfter(settled)) {
      Coverage.silent(tally, Kind.REPLAY_PARTIAL, "IN_FLIGHT");
      return;
    }
    Coverage.judged(tally, Kind.REPLAY_PARTIAL);
    if (partial) {
      findings.accept(
          Statement.of(Kind.REPLAY_PARTIAL, new JsonObject().put("replay_id", replayId))
              .because("The replay ends before its scope does, and was not resumed")
              .sides(
                  replay
                      .describeScope(new JsonObject())
                      .put("events", scope)
                      .put("next_created_at", firstUnseen.createdAt())
                      .put("next_event_id", firstUnseen.id()),
                  new JsonObject()
                      .put("events", seen)
                      .put("last_created_at", lastSeen.createdAt())
                      .put("last_event_id", lastSeen.id())
                      .put("restarts", restarts))
              .under(SCOPE_RULE)
              .seenAt(replay.place(), lastSeen.place(), firstUnseen.place())
              .when(lastActive)
              .finding());
    }
  }

  /** How often a replay began again, of the whole run. */
  public static long restarts(Tally tally, String replayId) {
    return tally.sum(RESTARTS, replayId);
  }

  /** Of how many events of its scope it left a trace. */
  public static long seenEvents(Tally tally, String replayId) {
    return tally.sum(SEEN, replayId);
  }
}
