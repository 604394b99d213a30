package dev.constat.rules.identity;

/** What becomes of a reception, by identity alone (spec section 3). */
public enum Decision {
  /** The first reception of its key. */
  ACCEPTED,
  /** The first reception of a key that replaces another. */
  CORRECTION,
  /** A later reception of the same content. */
  EXACT_DUPLICATE,
  /** A later reception of another content: quarantined. */
  CONFLICTING_DUPLICATE,
  /** A second copy of one reception attempt in the archive; counts nowhere else. */
  ARCHIVE_COPY,
  /** One of several contents under one ingestion_id: quarantined, no part of identity. */
  ARCHIVE_CONFLICT;

  /** Whether history holds it. */
  public boolean inHistory() {
    return this == ACCEPTED || this == CORRECTION;
  }
}
