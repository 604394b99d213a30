package dev.constat.rules.projection;

import java.time.Instant;

/**
 * A window of time.
 *
 * @param start where it begins (inclusive)
 * @param end where it ends (exclusive)
 */
public record Window(Instant start, Instant end) {}
