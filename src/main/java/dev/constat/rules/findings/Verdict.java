package dev.constat.rules.findings;

/** What a run concludes. */
public enum Verdict {
  /** All evidence was complete and no finding is an error. */
  MATCH,
  /** All evidence was complete and at least one finding is an error, acknowledged or not. */
  DISCREPANCIES,
  /** Some evidence is incomplete, whatever was found. */
  INCONCLUSIVE
}
