package dev.constat.rules.envelope;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A time that was given without a zone, in an input whose zone the run spec does not declare: it is
 * unknown, not absent.
 *
 * @param local what the archive says
 */
public record UnzonedTime(LocalDateTime local) {

  /** The instant if the zone were UTC; good for nothing but a plausibility check of a lease. */
  public Instant readAsUtc() {
    return local.toInstant(ZoneOffset.UTC);
  }
}
