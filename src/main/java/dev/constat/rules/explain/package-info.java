/**
 * Why one event was decided as it was, had an effect or had none, and counts in a window or does
 * not: sentences for people, each with the nearest thing that would have changed it. They are made
 * of what a finished run says, and decide nothing anew.
 */
package dev.constat.rules.explain;
