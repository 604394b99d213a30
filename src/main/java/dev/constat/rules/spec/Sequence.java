package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import java.io.Serializable;

/**
 * Where the numbers of a source mean something (spec section 4).
 *
 * @param scope columns inside which they are numbered, besides the source; empty: the whole source
 * @param dense whether a number that is missing is an event that is missing
 */
public record Sequence(ImmutableList<String> scope, boolean dense) implements Serializable {}
