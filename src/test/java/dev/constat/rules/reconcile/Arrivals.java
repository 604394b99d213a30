package dev.constat.rules.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Flag;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/**
 * Receptions on their way to their place in time. What is left out: source S, partition p0, event
 * e1, schema version 1, ACCEPTED, occurred_at a second before received_at.
 */
final class Arrivals {

  private final String ingestionId;
  private Decision decision = Decision.ACCEPTED;
  private Instant received = Times.at("10:00:01");
  private Instant occurred;
  private String schemaVersion = "1";
  private String hashRule = "jcs-exact/1";
  private String replayId;
  private boolean contested;
  private EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
  private List<String> projected = List.of();

  private Arrivals(String ingestionId) {
    this.ingestionId = ingestionId;
  }

  static Arrivals of(String ingestionId) {
    return new Arrivals(ingestionId);
  }

  Arrivals decided(Decision value) {
    decision = value;
    return this;
  }

  Arrivals at(String time) {
    received = Times.at(time);
    return this;
  }

  Arrivals occurred(String time) {
    occurred = Times.at(time);
    return this;
  }

  Arrivals schema(String version) {
    schemaVersion = version;
    return this;
  }

  Arrivals hashRule(String value) {
    hashRule = value;
    return this;
  }

  Arrivals replay(String value) {
    replayId = value;
    return this;
  }

  Arrivals contested() {
    contested = true;
    return this;
  }

  Arrivals flags(Flag... values) {
    flags = EnumSet.noneOf(Flag.class);
    flags.addAll(List.of(values));
    return this;
  }

  /** What projections look at: JSON of values, text of keys. */
  Arrivals projected(String... values) {
    projected = Arrays.asList(values);
    return this;
  }

  Arrived get() {
    return new Arrived(
        "S",
        "p0",
        received,
        ingestionId,
        Places.of(Input.EVENTS, ingestionId),
        decision,
        "e1".getBytes(UTF_8),
        occurred == null ? received.minusSeconds(1) : occurred,
        null,
        schemaVersion,
        "{\"source\":\"S\",\"source_event_id\":\"e1\"}".getBytes(UTF_8),
        "h".getBytes(UTF_8),
        hashRule.getBytes(UTF_8),
        null,
        0,
        null,
        null,
        replayId == null ? null : replayId.getBytes(UTF_8),
        contested,
        false,
        null,
        0,
        flags,
        projected,
        null,
        null,
        null,
        null);
  }
}
