package dev.constat.rules.findings;

/**
 * Counts what checks say of their subjects (spec section 6): each one was judged, or not and why,
 * or nothing is said of it yet or any more.
 */
public final class Coverage {

  /** Sum, by check: subjects judged. */
  public static final String JUDGED = "judged";

  /** Sum, by check and reason: subjects not judged. */
  public static final String NOT_JUDGED = "not judged";

  /** Sum, by check and standing: subjects about which nothing is said yet, or any more. */
  public static final String SILENT = "silent";

  private Coverage() {}

  /** Counts a subject that was judged. */
  public static void judged(Tally tally, Kind check) {
    tally.add(1, JUDGED, check.name());
  }

  /** Counts a subject that was not judged. */
  public static void notJudged(Tally tally, Kind check, String reason) {
    tally.add(1, NOT_JUDGED, check.name(), reason);
  }

  /** Counts a subject about which nothing is said. */
  public static void silent(Tally tally, Kind check, String standing) {
    tally.add(1, SILENT, check.name(), standing);
  }
}
