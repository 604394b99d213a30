package dev.constat.rules.envelope;

/**
 * The content of an event as received.
 *
 * @param bytes UTF-8 text, opaque bytes, or the JSON text of a nested object as it stood in its
 *     record; never modified
 * @param nested whether it was an object inside its record, so that its own bytes as the producer
 *     sent them are gone
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole; its hash is
public record Payload(byte[] bytes, boolean nested) {}
