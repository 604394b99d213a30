package dev.constat.rules.time;

/**
 * The begin of an epoch after the first.
 *
 * @param epoch the epoch that it opens, from 1
 * @param first the reception that opens it
 * @param largest the first reception with the largest number of the epoch before, at that moment
 */
public record Reset(long epoch, Numbered first, Numbered largest) {}
