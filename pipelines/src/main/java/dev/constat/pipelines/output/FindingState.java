package dev.constat.pipelines.output;

/** How a finding stands to what was known before the run. */
public enum FindingState {
  /** An entry of the baseline that has not expired answers for it. */
  ACKNOWLEDGED
}
