package dev.constat.rules.reconcile;

import java.time.Instant;

/** Times as the tables of tests write them. */
final class Times {

  private Times() {}

  /** "10:00:01.5" is on 2026-01-05, in UTC; "2025-11-01T10:00:00" is what it says; null is null. */
  static Instant at(String text) {
    if (text == null) {
      return null;
    }
    return Instant.parse((text.indexOf('T') < 0 ? "2026-01-05T" + text : text) + "Z");
  }
}
