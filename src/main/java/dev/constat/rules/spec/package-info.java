/**
 * The run spec, {@code constat.yaml}: what it may say, how its text is read, and what a run is
 * told.
 *
 * <p>{@link dev.constat.rules.spec.RunSpecShape} says once which keys there are, what they hold and
 * what they default to; the parser, its messages, the JSON Schema, the printed defaults and the
 * canonical form all follow it.
 */
package dev.constat.rules.spec;
