package dev.constat.rules.projection;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.time.Instant;

/**
 * Where an event stands in the order of {@code current} (spec section 5): by epoch and number among
 * those of one documented sequence, else by occurred_at. The two do not mix into one order, so the
 * last of each sequence is found first, and the last of those by occurred_at.
 *
 * @param sequence names the sequence (source and scope), or null where none is documented or the
 *     event has no number
 * @param epoch the epoch of the sequence, from 0
 * @param number the number in it, unsigned
 * @param occurredAt when it happened
 */
public record EventOrder(String sequence, long epoch, long number, Instant occurredAt) {

  /** An event that stands by when it happened. */
  public static EventOrder at(Instant occurredAt) {
    return new EventOrder(null, 0, 0, occurredAt);
  }

  /** Compares two events of one sequence, or two of none. */
  public int compareWithin(EventOrder other) {
    if (sequence == null) {
      return occurredAt.compareTo(other.occurredAt);
    }
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compareUnsigned(number, other.number);
  }

  /** Appends it to a record. */
  public void write(KeyWriter out) {
    out.nullableText(sequence).unsigned(epoch).unsigned(number).instant(occurredAt);
  }

  /** Reads what {@link #write} wrote. */
  public static EventOrder read(KeyReader in) {
    return new EventOrder(in.nullableText(), in.unsigned(), in.unsigned(), in.instant());
  }
}
