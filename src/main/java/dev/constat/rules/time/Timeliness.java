package dev.constat.rules.time;

/** How an accepted reception stands to the clock that history had (spec section 4). */
public enum Timeliness {
  /** Neither of the others. */
  ON_TIME,
  /** It happened before the watermark of its partition. */
  LATE,
  /** It claims to have happened later than its reception by more than the tolerance. */
  FUTURE
}
