package dev.constat.rules.envelope;

/**
 * The content of an event as received.
 *
 * @param bytes UTF-8 text, opaque bytes, or the JSON text of a nested object as it stood in its
 *     record; never modified
 * @param nested whether it was an object inside its record, so that its own bytes as the producer
 *     sent them are gone
 * @param ambiguous whether members that are null in typed columns were left out of the text: such
 *     columns hold the same for a member that was null and for one that was not there, so a hash of
 *     the text proves nothing against a hash of what was sent
 * @param nonFinite whether it held NaN or infinities, which JSON has no numbers for; the text has
 *     their names as strings
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole; its hash is
public record Payload(byte[] bytes, boolean nested, boolean ambiguous, boolean nonFinite) {

  /** A payload that is exactly what its text says. */
  public Payload(byte[] bytes, boolean nested) {
    this(bytes, nested, false, false);
  }
}
