package dev.constat.transforms.simulator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A replay as it is asked for.
 *
 * @param id its batch id
 * @param topic the topic, or null for all
 * @param from first created_at
 * @param to last created_at
 * @param registered whether the registry knows it
 * @param authorised whether it has leave for effects
 * @param ownKeys whether its effects have keys of their own, else the original ones
 * @param conduct how it is carried out
 * @param emissions what handlers did, in order of time
 */
record Replay(
    String id,
    String topic,
    Instant from,
    Instant to,
    boolean registered,
    boolean authorised,
    boolean ownKeys,
    Conduct conduct,
    List<Replay.Emission> emissions) {

  /**
   * How a replay is carried out.
   *
   * @param effects whether handlers run
   * @param throughOutbox whether their messages go through rows of their own
   * @param resumed whether it breaks off and begins again
   */
  record Conduct(boolean effects, boolean throughOutbox, boolean resumed) {}

  /**
   * What a handler did during a replay.
   *
   * @param entry the row it acknowledged
   * @param consumer who, or null where nobody acknowledged the row
   * @param key the idempotency key, or null
   * @param outOfScope whether the event is not one that was to be replayed
   */
  record Emission(OutboxEntry entry, String consumer, String key, boolean outOfScope) {}

  Replay(
      String id,
      String topic,
      Instant from,
      Instant to,
      boolean registered,
      boolean authorised,
      boolean ownKeys,
      Conduct conduct) {
    this(id, topic, from, to, registered, authorised, ownKeys, conduct, new ArrayList<>());
  }

  /** Whether an event is to be replayed. */
  boolean takes(SourceEvent event) {
    return (topic == null || topic.equals(event.topic))
        && !event.createdAt.isBefore(from)
        && !event.createdAt.isAfter(to);
  }
}
