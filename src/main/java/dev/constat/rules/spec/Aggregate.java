package dev.constat.rules.spec;

import java.io.Serializable;

/**
 * One column of a windowed projection.
 *
 * @param function how it is computed
 * @param pointer JSON Pointer (RFC 6901) into the payload; "" for {@link Function#COUNT}
 */
public record Aggregate(Function function, String pointer) implements Serializable {

  /** The functions that there are. */
  public enum Function {
    /** Number of contributions. */
    COUNT,
    /** Exact sum of numbers. */
    SUM,
    /** Smallest number. */
    MIN,
    /** Largest number. */
    MAX,
    /** Value of the first contribution, in the order of {@code current}. */
    FIRST,
    /** Value of the last contribution, in the order of {@code current}. */
    LAST,
    /** Number of distinct values that are not null. */
    DISTINCT
  }
}
