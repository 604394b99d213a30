package dev.constat.rules.reconcile;

import dev.constat.rules.identity.ContentHash;

/** Hashes of contents. */
final class Hashes {

  static final String RULE = "jcs-exact/1";

  private Hashes() {}

  static ContentHash recomputed(String value) {
    return new ContentHash(RULE, value, true, null, null, null, false);
  }

  /** Declared, and nothing to recompute it from. */
  static ContentHash declared(String rule, String value) {
    return new ContentHash(rule, value, false, rule, value, null, true);
  }

  /** Recomputed, with a declared hash that is something else under its own rule. */
  static ContentHash mismatch(String value, String rule, String declared, String under) {
    return new ContentHash(RULE, value, true, rule, declared, under, false);
  }

  /** A content that no rule hashes. */
  static ContentHash none(String identity) {
    return new ContentHash(ContentHash.NO_RULE, identity, false, null, null, null, false);
  }
}
