package dev.constat.rules.replay;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;

/**
 * A replay as the registry has it; columns of the contract as {@code Input.REPLAYS} names them.
 *
 * @param replayId its id
 * @param topic what it republishes, or null for every topic
 * @param from first instant of its interval, inclusive; absent where it is open on that side
 * @param to last instant, inclusive; absent likewise
 * @param projectionVersion the version of a projection that it feeds, or null
 * @param effectsAuthorised whether it may have effects; where nobody says so, it may not
 * @param ownKeys whether its effects have keys of its own ({@code effect_keys: own}) rather than
 *     those of the originals
 * @param startedAt when it was started, or null
 * @param place where the registry says so
 */
public record Replay(
    String replayId,
    String topic,
    OptionalTime from,
    OptionalTime to,
    String projectionVersion,
    boolean effectsAuthorised,
    boolean ownKeys,
    Instant startedAt,
    Place place) {

  private static final int REPLAY_ID = Input.REPLAYS.indexOf("replay_id");
  private static final int TOPIC = Input.REPLAYS.indexOf("topic");
  private static final int FROM = Input.REPLAYS.indexOf("from");
  private static final int TO = Input.REPLAYS.indexOf("to");
  private static final int PROJECTION_VERSION = Input.REPLAYS.indexOf("projection_version");
  private static final int EFFECTS_AUTHORISED = Input.REPLAYS.indexOf("effects_authorised");
  private static final int EFFECT_KEYS = Input.REPLAYS.indexOf("effect_keys");
  private static final int STARTED_AT = Input.REPLAYS.indexOf("started_at");

  /** Reads a row of the registry. */
  public static Replay of(Row row) {
    return new Replay(
        row.text(REPLAY_ID),
        row.text(TOPIC),
        OptionalTime.of(row, FROM),
        OptionalTime.of(row, TO),
        row.text(PROJECTION_VERSION),
        Boolean.TRUE.equals(row.bool(EFFECTS_AUTHORISED)),
        "own".equals(row.text(EFFECT_KEYS)),
        row.instant(STARTED_AT),
        row.place());
  }

  /** How the event stands to the replay's scope. */
  public enum Scope {
    /** The event is in it. */
    INSIDE,
    /** It is older than the interval. */
    BEFORE,
    /** It is younger. */
    AFTER,
    /** It is of another topic. */
    OTHER_TOPIC,
    /** An end of the interval has no zone, so nobody knows. */
    UNKNOWN
  }

  /**
   * Whether the replay was meant to republish an event. A topic that one of the two does not name
   * keeps nothing out.
   *
   * @param createdAt the event's created_at
   * @param eventTopic its topic, or null
   */
  public Scope scopeOf(Instant createdAt, String eventTopic) {
    if (topic != null && eventTopic != null && !topic.equals(eventTopic)) {
      return Scope.OTHER_TOPIC;
    }
    if (!intervalKnown()) {
      return Scope.UNKNOWN;
    }
    if (!from.absent() && createdAt.isBefore(from.instant())) {
      return Scope.BEFORE;
    }
    return !to.absent() && createdAt.isAfter(to.instant()) ? Scope.AFTER : Scope.INSIDE;
  }

  /** Whether both ends of its interval are known, or known to be open. */
  public boolean intervalKnown() {
    return from.known() && to.known();
  }

  /** Topic and interval, as members of an object. */
  public JsonObject describeScope(JsonObject object) {
    return object.put("topic", topic).put("from", from.orNull()).put("to", to.orNull());
  }

  /**
   * Appends what two rows of one id are compared by: started_at first, so that of several rows the
   * greatest bytes are the one that was started last. Id and place stand elsewhere.
   */
  void writeContent(KeyWriter out) {
    out.nullableInstant(startedAt).nullableText(topic);
    from.write(out);
    to.write(out);
    out.nullableText(projectionVersion).bool(effectsAuthorised).bool(ownKeys);
  }

  /** Reads what {@link #writeContent} wrote. */
  static Replay read(String replayId, KeyReader in, Place place) {
    Instant startedAt = in.nullableInstant();
    return new Replay(
        replayId,
        in.nullableText(),
        OptionalTime.read(in),
        OptionalTime.read(in),
        in.nullableText(),
        in.bool(),
        in.bool(),
        startedAt,
        place);
  }
}
