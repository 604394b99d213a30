package dev.constat.transforms.simulator;

import com.google.common.collect.ImmutableList;
import java.time.Duration;

/**
 * How a pool of workers is set up.
 *
 * @param name of the pool; begins the names of its workers
 * @param types the effect types that it sends
 * @param consumers who gets them
 * @param ordered whether order per aggregate was asked for
 * @param keepsOrder whether only the head of each aggregate is visible to it
 * @param claims whether rows are claimed under a lease
 * @param workers how many there are
 * @param batch how many rows a worker takes at once
 * @param parallel whether it sends a batch in parallel tasks, in any order
 * @param idle the most seconds between two looks at an empty outbox
 * @param failures one of so many attempts fails by itself; 0: none
 * @param countsAtStart whether an attempt is counted when it begins, else with its mark
 * @param fenced whether a mark needs the claim to be still its own
 * @param clearsLease whether the mark takes the lease off the row
 * @param maxAttempts after how many attempts a row is dead
 */
record PoolPlan(
    String name,
    ImmutableList<String> types,
    ImmutableList<String> consumers,
    boolean ordered,
    boolean keepsOrder,
    boolean claims,
    int workers,
    int batch,
    boolean parallel,
    int idle,
    int failures,
    boolean countsAtStart,
    boolean fenced,
    boolean clearsLease,
    int maxAttempts) {

  static final Duration LEASE = Duration.ofSeconds(60);
}
