package dev.constat.rules.time;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.time.Instant;

/**
 * The epochs of one sequence (spec section 4), in the order in which they were opened.
 *
 * @param opened by index; their arrivals grow, and so do the occurred_at of all but the first
 */
public record Epochs(ImmutableList<Epoch> opened) {

  /** A sequence whose numbers never began anew. */
  public static final Epochs SINGLE = new Epochs(ImmutableList.of());

  /**
   * An epoch, by the reception that opened it.
   *
   * @param receivedAt when that was received
   * @param ingestionId names it
   * @param occurredAt when it happened
   */
  public record Epoch(Instant receivedAt, String ingestionId, Instant occurredAt) {}

  /** Whether all receptions belong to one epoch, so that nothing need be looked up. */
  public boolean single() {
    return opened.size() < 2;
  }

  /**
   * The epoch that a reception belongs to: the last one opened until then, by itself perhaps, whose
   * first occurred_at is not after its own; the first one where there is none.
   */
  public long of(Instant receivedAt, String ingestionId, Instant occurredAt) {
    if (single()) {
      return 0;
    }
    Arrival arrival = new Arrival(receivedAt, ingestionId);
    int from = 1;
    int to = opened.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      Epoch epoch = opened.get(middle);
      // both orders grow with the index, so that the first epoch to fail parts them
      boolean holds =
          !epoch.occurredAt().isAfter(occurredAt)
              && new Arrival(epoch.receivedAt(), epoch.ingestionId()).compareTo(arrival) <= 0;
      if (holds) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1L;
  }

  /** Appends them to a record. */
  public void write(KeyWriter out) {
    out.unsigned(opened.size());
    for (Epoch epoch : opened) {
      out.instant(epoch.receivedAt()).text(epoch.ingestionId()).instant(epoch.occurredAt());
    }
  }

  /** Reads what {@link #write} wrote. */
  public static Epochs read(KeyReader in) {
    ImmutableList.Builder<Epoch> opened = ImmutableList.builder();
    for (long left = in.unsigned(); left > 0; left--) {
      opened.add(new Epoch(in.instant(), in.text(), in.instant()));
    }
    return new Epochs(opened.build());
  }
}
