package dev.constat.rules.projection;

import dev.constat.rules.encoding.KeyWriter;
import java.time.Instant;

/**
 * How the records are laid out that meet in {@link CellFold}:
 *
 * <pre>
 * group  rule (2 octets, or UNKNOWN_RULE) [projection, version of an unknown rule] business_key
 * order  window_start, kind (1 octet), what orders the records of that kind
 *        PARTIAL   nothing
 *        EVENT     sequence, epoch, number, occurred_at, event
 *        RECORDED  digest of the consumed ids, computed_at; then copies are neighbours
 * </pre>
 *
 * <p>All fields that may be null are nullable; null comes first.
 */
public final class CellRecords {

  /** Contributions, outcomes and marks of one cell, added up. */
  public static final int PARTIAL = 0;

  /** One contribution to what an implementation found at run time makes. */
  public static final int EVENT = 1;

  /** A recorded cell. */
  public static final int RECORDED = 2;

  /** Stands for the rule of a recorded cell whose projection or version is not configured. */
  static final int UNKNOWN_RULE = 0xFFFF;

  private CellRecords() {}

  /** Begins the group of a rule, given by its place among all of the run. */
  static KeyWriter group(KeyWriter out, int rule) {
    return out.clear().octet(rule >>> 8).octet(rule);
  }

  /** Begins the order of a record; {@code start} is null where there is no window. */
  static KeyWriter order(KeyWriter out, Instant start, int kind) {
    return out.clear().nullableInstant(start).octet(kind);
  }
}
