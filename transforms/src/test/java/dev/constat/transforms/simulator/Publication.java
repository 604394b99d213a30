package dev.constat.transforms.simulator;

import java.time.Instant;

/**
 * A message that a worker gave to the broker.
 *
 * @param entry the row it came from
 * @param worker who did it
 * @param claim under which claim, or null without claims
 * @param begun when the attempt began
 * @param at when the broker had it
 * @param overtaken whether by then somebody else had claimed the row
 */
record Publication(
    OutboxEntry entry,
    String worker,
    OutboxEntry.Claim claim,
    Instant begun,
    Instant at,
    boolean overtaken) {

  /** Whether it came after its lease had ended, and somebody else had claimed the row. */
  boolean stale() {
    return overtaken && !at.isBefore(claim.until());
  }

  /** Whether it came under a lease that held, and somebody else had stolen the row. */
  boolean besideAnother() {
    return overtaken && entry.stolen && at.isBefore(claim.until());
  }

  /** Whether the row had been marked before it was taken up for this. */
  boolean afterMark() {
    Instant takenUp = claim == null ? begun : claim.from();
    return entry.marks.stream().anyMatch(mark -> mark.isBefore(takenUp));
  }
}
