package dev.constat.rules.replay;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import java.time.Instant;

/**
 * Rows of the registry. What is left out: every topic, an interval that is open on both sides, no
 * leave, the originals' keys.
 */
public final class Registered {

  private final String id;
  private String topic;
  private OptionalTime from = OptionalTime.ABSENT;
  private OptionalTime to = OptionalTime.ABSENT;
  private String version;
  private boolean authorised;
  private boolean own;
  private Instant startedAt;
  private int line;

  private Registered(String id) {
    this.id = id;
  }

  public static Registered of(String id) {
    return new Registered(id);
  }

  /** A time of the day; one that ends in "?" has no zone, null is open. */
  private static OptionalTime time(String text) {
    if (text == null) {
      return OptionalTime.ABSENT;
    }
    boolean known = !text.endsWith("?");
    return new OptionalTime(at(known ? text : text.substring(0, text.length() - 1)), known);
  }

  static Instant at(String time) {
    return Instant.parse("2026-01-05T" + time + "Z");
  }

  public Registered topic(String value) {
    topic = value;
    return this;
  }

  public Registered between(String first, String last) {
    from = time(first);
    to = time(last);
    return this;
  }

  public Registered version(String value) {
    version = value;
    return this;
  }

  public Registered authorised() {
    authorised = true;
    return this;
  }

  public Registered ownKeys() {
    own = true;
    return authorised();
  }

  public Registered started(String time) {
    startedAt = at(time);
    return this;
  }

  public Registered line(int value) {
    line = value;
    return this;
  }

  public Place place() {
    return new Place(Input.REPLAYS.ordinal(), 0, 0, line, line);
  }

  public Replay get() {
    return new Replay(id, topic, from, to, version, authorised, own, startedAt, place());
  }
}
