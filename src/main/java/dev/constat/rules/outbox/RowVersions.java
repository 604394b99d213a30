package dev.constat.rules.outbox;

import dev.constat.rules.envelope.Place;
import java.util.Objects;

/**
 * Finds the row among the contents of one outbox_id, which come in the order of their versions,
 * copies left out (spec section 1): the greatest row_version is the row, the others its history;
 * where two contents share a version, or one has none, it is a STATE_CONFLICT.
 */
public final class RowVersions {

  private OutboxRow row;
  private Place other;
  private boolean conflict;
  private boolean joinsNone;
  private long contents;

  /** Starts another outbox_id. */
  public void clear() {
    row = null;
    other = null;
    conflict = false;
    joinsNone = false;
    contents = 0;
  }

  /** The next content. */
  public void next(OutboxRow content) {
    contents++;
    if (row != null) {
      conflict |= row.rowVersion().text() == null || row.rowVersion().equals(content.rowVersion());
      joinsNone |=
          !Objects.equals(row.source(), content.source())
              || !Objects.equals(row.sourceEventId(), content.sourceEventId());
      other = row.place();
    }
    row = content;
  }

  /** The row, or null where no content came. */
  public OutboxRow row() {
    return row;
  }

  /** Whether no version says which content is the row. */
  public boolean conflict() {
    return conflict;
  }

  /** Whether there is a conflict and its contents name different events. */
  public boolean joinsNone() {
    return conflict && joinsNone;
  }

  /** Place of another content than the row's where there is a conflict, else null. */
  public Place other() {
    return conflict ? other : null;
  }

  /** How many contents came besides the row. */
  public long older() {
    return contents - 1;
  }
}
