package dev.constat.transforms.stages;

import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.Quarantined;
import java.util.function.Consumer;

/**
 * Where what is known of an event goes on; each that a run has no use for is null, but for
 * arrivals, quarantined and verdicts.
 *
 * @param arrivals takes receptions to their place in time
 * @param sequences takes numbered receptions to their sequence
 * @param aggregates takes rows to their aggregate
 * @param claims takes repeats to the claims that lapsed before them
 * @param replays takes what is to be followed of replays
 * @param quarantined takes versions to be quarantined
 * @param verdicts is told what identity says of every key
 */
record EventExits(
    ArrivalRecords arrivals,
    SequenceRecords sequences,
    AggregateRecords aggregates,
    ClaimRecords claims,
    ReplayRecords replays,
    Consumer<Quarantined> quarantined,
    Consumer<KeyVerdict> verdicts) {}
