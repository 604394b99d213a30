package dev.constat.rules.outbox;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.time.Instant;

/**
 * An outbox row as its versions and acknowledgements leave it.
 *
 * @param row the version in force; of a STATE_CONFLICT, the last in order
 * @param stateConflict whether several contents are there and no version says which is the row
 * @param joinsNone whether those contents name different events
 * @param other place of another content, where there is a conflict, else null
 * @param firstAckAt the earliest acknowledgement of any kind, or null
 * @param firstOriginalAt the earliest effective one without a replay mark, or null
 * @param firstOriginalPlace its place, or null
 * @param acknowledgedEvent source and id that an acknowledgement names against the row's, as text,
 *     or null
 */
public record Delivery(
    OutboxRow row,
    boolean stateConflict,
    boolean joinsNone,
    Place other,
    Instant firstAckAt,
    Instant firstOriginalAt,
    Place firstOriginalPlace,
    String acknowledgedEvent) {

  /** Whether an original acknowledgement stands for an effect of it. */
  public boolean acknowledged() {
    return firstOriginalAt != null;
  }

  /** Appends it to a record. */
  public void write(KeyWriter out) {
    out.text(row.outboxId());
    row.writeContent(out);
    out.bool(stateConflict).bool(joinsNone);
    writePlace(out, other);
    out.nullableInstant(firstAckAt).nullableInstant(firstOriginalAt);
    writePlace(out, firstOriginalPlace);
    out.nullableText(acknowledgedEvent);
  }

  /** Reads what {@link #write} wrote. */
  public static Delivery read(KeyReader in, int namedColumns) {
    return new Delivery(
        OutboxRow.read(in.text(), in, namedColumns),
        in.bool(),
        in.bool(),
        readPlace(in),
        in.nullableInstant(),
        in.nullableInstant(),
        readPlace(in),
        in.nullableText());
  }

  private static void writePlace(KeyWriter out, Place place) {
    out.bool(place != null);
    if (place != null) {
      place.write(out);
    }
  }

  private static Place readPlace(KeyReader in) {
    return in.bool() ? Place.read(in) : null;
  }
}
