package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import java.time.Instant;

/**
 * What a synthetic archive is like: how events come, and which faults are planted how often. Read
 * by {@link ProfileParser}.
 *
 * @param name of the profile
 * @param start when the first event happens
 * @param eventsPerSecond how many happen per second, evenly
 * @param sources how many sources they come from
 * @param partitions how many partitions they are numbered in
 * @param businessKeys how many business keys they are about
 * @param schemaVersion of their payloads
 * @param delays how long after it happened an event is received; shares add up to 100
 * @param faults what is planted, in the order of {@link Fault}
 */
public record Profile(
    String name,
    Instant start,
    int eventsPerSecond,
    int sources,
    int partitions,
    int businessKeys,
    String schemaVersion,
    ImmutableList<Delay> delays,
    ImmutableMap<Fault, Rate> faults) {

  /**
   * A share of the events and how long they take to arrive: any time in a range.
   *
   * @param percent the share
   * @param from the shortest
   * @param to the longest, less one microsecond
   */
  public record Delay(int percent, Duration from, Duration to) {}

  /**
   * How often a fault is planted.
   *
   * @param oneIn in one event out of so many
   * @param atMost but not more often than this; null where there is no bound
   */
  public record Rate(int oneIn, Integer atMost) {}

  /** Whether any fault that needs a part of an archive is planted. */
  public boolean has(Fault.Part part) {
    return faults.keySet().stream().anyMatch(fault -> fault.part() == part);
  }

  /** Canonical JSON text of it all: equal profiles have the same. */
  public String canonicalText() {
    return ProfileShape.PROFILE.write(this).toString();
  }
}
