package dev.constat.rules.envelope;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.time.Instant;

/**
 * A time that need not be there: absent, unknown (given without a zone nobody declared) or known.
 *
 * @param instant the instant where it is known; where it is unknown, what it would be in UTC
 * @param known whether it is known
 */
public record OptionalTime(Instant instant, boolean known) {

  /** No time. */
  public static final OptionalTime ABSENT = new OptionalTime(null, true);

  private static final int IS_ABSENT = 0;
  private static final int IS_UNKNOWN = 1;
  private static final int IS_KNOWN = 2;

  /** The time in a column of a row. */
  public static OptionalTime of(Row row, int column) {
    UnzonedTime unzoned = row.unzoned(column);
    if (unzoned != null) {
      return new OptionalTime(unzoned.readAsUtc(), false);
    }
    Instant instant = row.instant(column);
    return instant == null ? ABSENT : new OptionalTime(instant, true);
  }

  /** A known time. */
  public static OptionalTime at(Instant instant) {
    return new OptionalTime(instant, true);
  }

  /** Whether there is none. */
  public boolean absent() {
    return instant == null;
  }

  /** The instant where it is known, else null. */
  public Instant orNull() {
    return known ? instant : null;
  }

  /** Appends it to a record. */
  public void write(KeyWriter out) {
    if (absent()) {
      out.octet(IS_ABSENT);
    } else {
      out.octet(known ? IS_KNOWN : IS_UNKNOWN).instant(instant);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static OptionalTime read(KeyReader in) {
    int tag = in.octet();
    return tag == IS_ABSENT ? ABSENT : new OptionalTime(in.instant(), tag == IS_KNOWN);
  }
}
