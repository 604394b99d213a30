package dev.constat.rules.time;

import dev.constat.rules.envelope.Place;
import java.time.Instant;

/**
 * A reception with a number.
 *
 * @param number its source_sequence, unsigned
 * @param occurredAt when it happened
 * @param receivedAt when it was received
 * @param ingestionId names it
 * @param place where it stands
 * @param judged whether findings about it are stated: those of a run that looks at a part of
 *     history only are not
 */
public record Numbered(
    long number,
    Instant occurredAt,
    Instant receivedAt,
    String ingestionId,
    Place place,
    boolean judged) {}
