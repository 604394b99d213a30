/**
 * What the times and numbers of accepted receptions say (spec section 4), computed from data alone:
 * how an event stands to the clock that history had, which times look like a mistake, which numbers
 * are missing, and what another lateness budget would have changed.
 *
 * <p>Instants are compared exactly, over the whole range of {@link java.time.Instant}.
 */
package dev.constat.rules.time;
