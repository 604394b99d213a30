package dev.constat.transforms.buckets;

import static com.google.common.base.Preconditions.checkState;

import java.io.IOException;
import java.util.Arrays;

/**
 * Sorted records, read once from front to back as groups of records:
 *
 * <pre>{@code
 * while (records.nextGroup()) {
 *   while (records.nextRecord()) {
 *     fold(records.kind(), new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo()));
 *   }
 * }
 * }</pre>
 *
 * <p>Nothing is copied or allocated for a record: its parts are slices of {@link #buffer}, valid
 * until the next call of {@link #nextRecord} or {@link #nextGroup}. The bytes of the group are
 * slices of {@link #groupBuffer}, valid until the next call of {@link #nextGroup}. None of the
 * arrays may be written to.
 */
public abstract sealed class SortedRecords permits ArenaRecords, MergedRecords {

  private enum State {
    BEFORE_FIRST_GROUP,
    /** The record read last is the first of the group, and not handed over yet. */
    BEFORE_FIRST_RECORD,
    ON_RECORD,
    /** The record read last is the first of the next group. */
    AFTER_GROUP,
    AFTER_LAST_GROUP,
    CLOSED
  }

  private State state = State.CLOSED;

  SortedRecords() {}

  /**
   * Goes to the next group, passing over what is unread of the current one.
   *
   * @return false when there is none
   */
  public final boolean nextGroup() throws IOException {
    boolean found =
        switch (state) {
          case BEFORE_FIRST_GROUP -> advance();
          case BEFORE_FIRST_RECORD, ON_RECORD -> {
            boolean more = advance();
            while (more && isInGroup(record())) {
              more = advance();
            }
            yield more;
          }
          case AFTER_GROUP -> true;
          case AFTER_LAST_GROUP -> false;
          case CLOSED -> throw closed();
        };
    if (found) {
      keepGroup(record());
    }
    state = found ? State.BEFORE_FIRST_RECORD : State.AFTER_LAST_GROUP;
    return found;
  }

  /**
   * Goes to the next record of the current group.
   *
   * @return false when the group has no more
   */
  public final boolean nextRecord() throws IOException {
    switch (state) {
      case BEFORE_FIRST_RECORD -> {
        state = State.ON_RECORD;
        return true;
      }
      case ON_RECORD -> {
        if (!advance()) {
          state = State.AFTER_LAST_GROUP;
        } else if (!isInGroup(record())) {
          state = State.AFTER_GROUP;
        }
        return state == State.ON_RECORD;
      }
      case AFTER_GROUP, AFTER_LAST_GROUP -> {
        return false;
      }
      case BEFORE_FIRST_GROUP ->
          throw new IllegalStateException("There is no group yet; go to one with nextGroup()");
      case CLOSED -> throw closed();
    }
    throw new AssertionError(state);
  }

  /** The array that holds the bytes of the current group. */
  public abstract byte[] groupBuffer();

  /** Where the group begins in {@link #groupBuffer}. */
  public abstract int groupFrom();

  /** Where the group ends in {@link #groupBuffer}. */
  public abstract int groupTo();

  /** The array that holds the order bytes and the body of the current record. */
  public final byte[] buffer() {
    return current().buffer;
  }

  /** Where the order bytes begin in {@link #buffer}. */
  public final int orderFrom() {
    return current().orderFrom;
  }

  /** Where the order bytes end in {@link #buffer}. */
  public final int orderTo() {
    return current().kindAt;
  }

  /** The kind of the current record. */
  public final int kind() {
    RecordView record = current();
    return record.buffer[record.kindAt] & 0xFF;
  }

  /** Where the body begins in {@link #buffer}. */
  public final int bodyFrom() {
    return current().kindAt + 1;
  }

  /** Where the body ends in {@link #buffer}. */
  public final int bodyTo() {
    return current().to;
  }

  /** A copy of the bytes of the current group. */
  public final byte[] group() {
    return Arrays.copyOfRange(groupBuffer(), groupFrom(), groupTo());
  }

  /** A copy of the order bytes of the current record. */
  public final byte[] order() {
    return Arrays.copyOfRange(buffer(), orderFrom(), orderTo());
  }

  /** A copy of the body of the current record. */
  public final byte[] body() {
    return Arrays.copyOfRange(buffer(), bodyFrom(), bodyTo());
  }

  /** Moves {@link #record} to the next record in the total order, or returns false at the end. */
  abstract boolean advance() throws IOException;

  /** The record moved to last. */
  abstract RecordView record();

  /** Makes the group of {@code record} the current one. */
  abstract void keepGroup(RecordView record);

  /** Gets ready to read from the first record on. */
  final void open() {
    state = State.BEFORE_FIRST_GROUP;
  }

  /** Refuses to be read from now on. */
  final void end() {
    state = State.CLOSED;
  }

  private boolean isInGroup(RecordView record) {
    return Arrays.equals(
        groupBuffer(), groupFrom(), groupTo(), record.buffer, record.groupFrom, record.orderFrom);
  }

  private RecordView current() {
    checkState(state == State.ON_RECORD, "There is no current record");
    return record();
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("The records were dropped by their sorter");
  }
}
