/**
 * How the values that an archive holds become the typed values of contract {@code constat/1},
 * whatever store or format they come from.
 */
package dev.constat.rules.reading;
