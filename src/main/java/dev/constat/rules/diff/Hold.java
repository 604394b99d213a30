package dev.constat.rules.diff;

/** What corrections leave of an event in a version, whatever its windows. */
public enum Hold {
  /** It counts in the windows that it was not too late for. */
  IN_TIME,
  /** It counts in all its windows, as a correction does that was applied. */
  EVERYWHERE,
  /** It came too late to be applied, to its own windows or to those of what it corrects. */
  TOO_LATE,
  /** It was replaced or taken back, or its chain does not say what is in force. */
  NOT_IN_FORCE
}
