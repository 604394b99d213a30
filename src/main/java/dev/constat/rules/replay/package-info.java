/**
 * Replays (spec section 6): which are registered, what their intervals hold, which of them overlap,
 * and how their receptions follow each other. Whether one may have effects is asked of the registry
 * and judged in {@code dev.constat.rules.reconcile}.
 */
package dev.constat.rules.replay;
