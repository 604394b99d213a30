package dev.constat.rules.findings;

import java.util.Locale;

/** How grave a finding is; graver first. */
public enum Level {
  ERROR,
  WARNING,
  INFO;

  /** As outputs write it. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
