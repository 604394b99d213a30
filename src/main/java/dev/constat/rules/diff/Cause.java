package dev.constat.rules.diff;

import java.util.Locale;

/** Why two versions of a projection differ in a cell. Declared in the order of outputs. */
public enum Cause {
  /** The event falls into a window that the other version does not have, or has elsewhere. */
  WINDOW,
  /** The event came too late for the allowed lateness of the other version. */
  BUDGET,
  /** In the other version another link of the event's chain of corrections is in force. */
  CORRECTION,
  /** The other version does not project the event, or finds no value in it that it can use. */
  SCHEMA,
  /**
   * The versions key their cells or compute the column differently, or no event explains the
   * difference.
   */
  DEFINITION;

  /** As outputs write it. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
