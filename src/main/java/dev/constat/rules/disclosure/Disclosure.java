package dev.constat.rules.disclosure;

/**
 * What a redacted run shows of a value. What nobody classified is {@link #HASHED}: the safe side.
 */
public enum Disclosure {
  /**
   * All of it: words of the contract and of Constat, times, counts, flags, places in files, and
   * what the run spec says.
   */
  KEPT,
  /**
   * A name that is configuration where the run spec names it in the same column (a source, an
   * effect type, a consumer, a topic), and data elsewhere: kept or hashed accordingly.
   */
  NAMED,
  /** The name of a hash rule: kept if Constat or the run spec knows it, else hashed. */
  RULE,
  /** A keyed hash in its place. */
  HASHED,
  /** Nothing: null, or an empty list. */
  WITHHELD
}
