package dev.constat.rules.time;

/**
 * The paths under which times and sequences are counted. Of those that say so there is also, under
 * {@link #first}, the minimum of (received_at, ingestion_id, place), and under {@link #last}, the
 * maximum of received_at.
 */
public final class TimeTally {

  /** Sum, first and last, by source and schema version: accepted events that are no replays. */
  public static final String EVENTS = "time events";

  /** Sum, first and last, by source and schema version: those neither FUTURE nor UNIT_SUSPECT. */
  public static final String PLAUSIBLE = "time plausible";

  /** Sum, first and last, by source, schema version and repair: UNIT_SUSPECT events. */
  public static final String UNIT_SUSPECT = "time unit suspect";

  /**
   * Sum, first and last, by source, schema version and number of quarters of an hour: events that
   * were received so much later than they happened.
   */
  public static final String QUARTERS = "time quarters";

  /** Sum, first and last, by source, schema version, JSON Pointer and type: its values. */
  public static final String VALUE_TYPES = "time value types";

  /** Sum, by source, whether LATE, and step of the ladder: events whose lag reaches that step. */
  public static final String SWEEP_EVENTS = "sweep events";

  /**
   * Sum, by source, projection version, outcome and step of the ladder: windows of events that have
   * that outcome under the budgets below that step.
   */
  public static final String SWEEP_WINDOWS = "sweep windows";

  /** Sum, by source: numbers seen, each once in its epoch. */
  public static final String NUMBERS = "sequence numbers";

  /** Sum, by source: contiguous holes. */
  public static final String HOLES = "sequence holes";

  /**
   * Sum, by source: numbers missing in these holes, of each scope at most {@link #MISSING_LIMIT}.
   */
  public static final String MISSING = "sequence missing";

  /** So many missing numbers of one scope count in {@link #MISSING}, so that sums hold. */
  public static final long MISSING_LIMIT = 1_000_000_000_000L;

  /** Sum, by source: epochs opened after the first of their scope. */
  public static final String RESETS = "sequence resets";

  private TimeTally() {}

  /** The path of the first of what is counted under another path. */
  public static String first(String path) {
    return path + " first";
  }

  /** The path of the time of the last of what is counted under another path. */
  public static String last(String path) {
    return path + " last";
  }
}
