package dev.constat.rules.envelope;

/**
 * A record that cannot be read, or a whole file where {@code record} is false. It becomes an
 * INPUT_ERROR, and the run INCONCLUSIVE.
 *
 * @param place where the record stands; of a file, its first place
 * @param record whether it is one record rather than the rest of a file
 * @param column canonical name of the column at fault, or null
 * @param value the offending value as text, shortened, or null
 * @param problem what is wrong, as half a sentence: "occurred_at is an integer without a unit"
 * @param remedy what to do: "declare time_unit of events"
 * @param raw the first bytes of the record as they stand (at most {@link #RAW_LIMIT}); empty for a
 *     file
 * @param length bytes of the whole record, or 0 where unknown
 */
@SuppressWarnings("ArrayRecordComponent") // a report, never compared
public record Unreadable(
    Place place,
    boolean record,
    String column,
    String value,
    String problem,
    String remedy,
    byte[] raw,
    long length) {

  /** How many raw bytes are kept; place and length lead to the others. */
  public static final int RAW_LIMIT = 1024;
}
