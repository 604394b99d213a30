package dev.constat.rules.findings;

import java.util.HashSet;
import java.util.Set;

/**
 * Knows which findings have been stated graver than now, under the same fingerprint: a row that
 * overtook another and was also sent again after it had been given up is one ORDER_VIOLATION, an
 * error that carries the hint {@link #DLQ_RESUBMIT}, and no warning beside it. Findings come in the
 * order of reports, gravest first; memory is one fingerprint for each error with that hint.
 */
public final class StatedGraver {

  /** Hint: the row was delivered after it had been given up. */
  public static final String DLQ_RESUBMIT = "DLQ_RESUBMIT";

  private final Set<String> fingerprints = new HashSet<>();

  /** Whether the next finding says less than an earlier one of the same fingerprint did. */
  public boolean covers(Finding next) {
    if (next.kind() != Kind.ORDER_VIOLATION || !next.hints().contains(DLQ_RESUBMIT)) {
      return false;
    }
    if (next.level() == next.kind().level()) {
      fingerprints.add(next.fingerprint());
      return false;
    }
    return fingerprints.contains(next.fingerprint());
  }
}
