/**
 * What the history of outbox rows says about leases (spec sections 1 and 6): whether two workers
 * owned a row at once, how long claims, dispatches and acknowledgements took, and the lease that
 * would have been long enough.
 */
package dev.constat.rules.lease;
