package dev.constat.rules.spec;

import java.util.Optional;

/** The named, versioned rules under which contents are hashed (spec section 3.5). */
public enum HashRule {
  /** SHA-256 of the bytes as received; does not parse. */
  RAW_BYTES_1("raw-bytes/1"),
  /**
   * SHA-256 of canonical JSON: keys sorted at every depth, array order kept, numbers by exact
   * decimal value, strings untouched.
   */
  JCS_EXACT_1("jcs-exact/1"),
  /**
   * SHA-256 of canonical JSON as RFC 8785 has it, with numbers by way of a double. Content with a
   * number that a double would change is hashed under {@link #JCS_EXACT_1} instead, and flagged.
   */
  JCS_1("jcs/1"),
  /** SHA-256 over every contract column that says what happened, where there is no content. */
  FIELDS_1("fields/1");

  private final String id;

  HashRule(String id) {
    this.id = id;
  }

  /** Name and version, as run specs and outputs write it. */
  public String id() {
    return id;
  }

  /** The rule of that name, if Constat knows it. */
  public static Optional<HashRule> of(String id) {
    for (HashRule rule : values()) {
      if (rule.id.equals(id)) {
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }
}
