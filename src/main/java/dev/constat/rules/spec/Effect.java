package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.io.Serializable;
import java.time.Duration;

/**
 * An effect that accepted events are expected to have, and the limits its delivery is held to.
 *
 * @param type the effect type, as outbox rows name it
 * @param when column to the values that let it hold; empty: every accepted event
 * @param consumers who acknowledges it; null where unknown
 * @param grace how long the other side may lag behind
 * @param pendingAfter how long a row may be PENDING
 * @param leaseTtl how long a lease may last
 * @param maxAttempts how often delivery is tried
 * @param ordered whether rows of one aggregate are to be delivered in the order of the contract
 * @param replayable whether replays may have it
 */
public record Effect(
    String type,
    ImmutableMap<String, AnyOf> when,
    ImmutableList<String> consumers,
    Duration grace,
    Duration pendingAfter,
    Duration leaseTtl,
    int maxAttempts,
    boolean ordered,
    boolean replayable)
    implements Serializable {

  /** What {@code when} may compare that is not a column but Constat's own answer. */
  public static final ImmutableSet<String> COMPUTED =
      ImmutableSet.of("decision", "flags", "timeliness");

  public static final Duration DEFAULT_GRACE = Duration.ofMinutes(10);
  public static final Duration DEFAULT_PENDING_AFTER = Duration.ofMinutes(30);
  public static final Duration DEFAULT_LEASE_TTL = Duration.ofSeconds(60);
  public static final int DEFAULT_MAX_ATTEMPTS = 5;

  /** What types without an entry take. */
  public static Effect undeclared(String type) {
    return new Effect(
        type,
        ImmutableMap.of(),
        null,
        DEFAULT_GRACE,
        DEFAULT_PENDING_AFTER,
        DEFAULT_LEASE_TTL,
        DEFAULT_MAX_ATTEMPTS,
        false,
        false);
  }

  /**
   * The values of a column that let an effect hold.
   *
   * @param values any of these
   * @param orAbsent or none at all
   */
  public record AnyOf(ImmutableSet<String> values, boolean orAbsent) implements Serializable {

    /** Whether a column with this value, null where it has none, lets the effect hold. */
    public boolean holds(String value) {
      return value == null ? orAbsent : values.contains(value);
    }
  }
}
