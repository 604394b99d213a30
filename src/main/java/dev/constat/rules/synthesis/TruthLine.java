package dev.constat.rules.synthesis;

import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.json.JsonObject;

/**
 * A finding that an archive must lead to.
 *
 * @param kind its kind
 * @param level its level
 * @param subject canonical JSON text of its subject, as findings have it
 * @param shared whether other faults may lead to the same finding
 */
public record TruthLine(Kind kind, Level level, String subject, boolean shared) {

  /** A finding of one fault alone. */
  static TruthLine of(Kind kind, JsonObject subject) {
    return new TruthLine(kind, kind.level(), subject.toString(), false);
  }

  /** A finding that many faults lead to together. */
  static TruthLine shared(Kind kind, JsonObject subject) {
    return new TruthLine(kind, kind.level(), subject.toString(), true);
  }

  /** As it stands in {@code truth.jsonl}. */
  public String json() {
    return "{\"kind\":\""
        + kind
        + "\",\"level\":\""
        + level.key()
        + "\",\"subject\":"
        + subject
        + "}";
  }
}
