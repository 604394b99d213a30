package dev.constat.rules.order;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.encoding.RecentTexts;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * Audits the order of deliveries in one aggregate after the other, or in one part of a large one
 * after the other (spec section 6, order). The rows of a part come in the order of the contract;
 * what stood before them, and which ordered row comes after them, is handed in.
 *
 * <p>A row violates the order if one before it let go later than it was delivered: at the earlier
 * of its delivery and its dlq_at, or not at all. Of several, it is compared with the one that let
 * go last, and of those with the first. One that does not let go at all decides only where it had
 * been delivered by the cut if it ever was; else those that did are asked. Nor does one decide
 * against a row whose own delivery is only dated by its mark yet: its acknowledgement, on its way
 * at the cut, would date it later.
 *
 * <p>Rows of effects that keep no order are compared among themselves, and only counted.
 */
public final class AggregateScan {

  private final Out out;
  private final boolean integerIds;
  private final Instant cut;
  private final RecentTexts texts = new RecentTexts();
  private final OrderCounts counts = new OrderCounts();
  private final Resubmissions resubmissions = new Resubmissions();
  private final Before ordered = new Before();
  private final Before unordered = new Before();
  private final KeyWriter position = new KeyWriter();
  private final KeyWriter content = new KeyWriter();
  private final KeyWriter mark = new KeyWriter();
  private final KeyWriter time = new KeyWriter();

  private String aggregateType;
  private String aggregateId;
  private byte[] next;

  /** The first row of the aggregate that its status says is not terminal, as a mark, or null. */
  private byte[] head;

  private AggregateRow headRow;

  // the ordered row before the one at hand, and what stood before it
  private AggregateRow previous;
  private byte[] lastBeforePrevious;
  private boolean heldBeforePrevious;

  /** Takes down what is said of the rows of an aggregate. */
  public interface Out {

    /** A finding, or a part of one. */
    void finding(Finding finding);

    /**
     * A row that is stuck, unless another holds it back.
     *
     * @param head the first row before it that is not terminal, or null
     */
    void waiting(AggregateRow row, AggregateRow head);

    /**
     * An ordered row that made the next one wait.
     *
     * @param since from when on that could have been sent, and this was the first to be
     * @param until when it let go; null where it still does not
     */
    void head(AggregateRow row, Instant since, Instant until);
  }

  /** What stood before a part, of rows that keep order or of those that do not. */
  private static final class Before {

    /** The mark of the row that let go last, of several the first; or null. */
    private byte[] last;

    /** The mark of the first row that does not let go; or null. */
    private byte[] held;

    void add(KeyWriter mark) {
      if (last == null
          || Arrays.compareUnsigned(mark.buffer(), 0, mark.size(), last, 0, last.length) > 0) {
        last = mark.toBytes();
      }
    }
  }

  /**
   * A scan.
   *
   * @param cut up to when the outbox is complete
   * @param integerIds how its ids are ordered
   */
  public AggregateScan(Instant cut, boolean integerIds, Out out) {
    this.cut = cut;
    this.integerIds = integerIds;
    this.out = out;
  }

  /**
   * Begins an aggregate, or a part of one.
   *
   * @param type of the aggregate
   * @param id of the aggregate
   * @param before marks of what stands before the part
   * @param after the mark of the first ordered row behind the part, or null
   */
  public void begin(String type, String id, Marks before, byte[] after) {
    aggregateType = type;
    aggregateId = id;
    next = after;
    ordered.last = before.orderedLast();
    ordered.held = before.orderedHeld();
    unordered.last = before.unorderedLast();
    unordered.held = before.unorderedHeld();
    head = before.head();
    headRow = null;
    previous = null;
    resubmissions.clear();
  }

  /**
   * What stands before a part of an aggregate: marks that {@link RowMark} writes, or null.
   *
   * @param orderedLast of the ordered row that let go last
   * @param orderedHeld of the first ordered row that does not
   * @param unorderedLast of the other rows likewise
   * @param unorderedHeld of the other rows likewise
   * @param head of the first ordered row that its status says is not terminal
   */
  public record Marks(
      byte[] orderedLast,
      byte[] orderedHeld,
      byte[] unorderedLast,
      byte[] unorderedHeld,
      byte[] head) {

    /** Nothing stands before. */
    public static final Marks NONE = new Marks(null, null, null, null, null);
  }

  /**
   * An ordered row of this part or an earlier one that was sent again after it had been given up;
   * they come in order, before the rows of the part.
   */
  public void resubmitted(
      byte[] buffer, int positionFrom, int positionTo, int contentFrom, int contentTo) {
    AggregateRow row = read(buffer, positionFrom, positionTo, contentFrom, contentTo);
    resubmissions.add(row, Arrays.copyOfRange(buffer, positionFrom, positionTo));
  }

  /**
   * The next row.
   *
   * @param buffer holds {@link AggregateRow#writePosition} and {@link AggregateRow#writeContent}
   */
  public void row(byte[] buffer, int positionFrom, int positionTo, int contentFrom, int contentTo) {
    AggregateRow row = read(buffer, positionFrom, positionTo, contentFrom, contentTo);
    Before before = row.ordered() ? ordered : unordered;
    if (row.ordered()) {
      if (previous != null) {
        endHead(row.due());
      }
      resubmissions.next(row, buffer, positionFrom, positionTo);
      if (row.waiting()) {
        out.waiting(row, head());
      }
    }
    if (row.judged() && row.delivery() != null) {
      judge(row, before);
    }
    if (row.ordered()) {
      previous = row;
      lastBeforePrevious = before.last;
      heldBeforePrevious = before.held != null;
    }
    boolean leads = row.ordered() && row.holdsBack() && head == null;
    if (row.release() == Release.UNKNOWN && !leads) {
      return;
    }
    position.clear().raw(buffer, positionFrom, positionTo);
    content.clear().raw(buffer, contentFrom, contentTo);
    if (row.release() == Release.NEVER && before.held == null) {
      RowMark.writeFirst(mark.clear(), position, content);
      before.held = mark.toBytes();
    } else if (row.release() == Release.AT_A_TIME) {
      RowMark.writeLast(mark.clear(), row, position, content);
      before.add(mark);
    }
    if (leads) {
      RowMark.writeFirst(mark.clear(), position, content);
      head = mark.toBytes();
    }
  }

  /** Ends the part. */
  public void end() {
    if (previous != null && next != null) {
      endHead(RowMark.first(next, aggregateType, aggregateId, integerIds).due());
    }
    previous = null;
    resubmissions.end(
        (row, ahead, count) -> out.finding(OrderFindings.resubmission(row, ahead, count)));
  }

  /** Adds what was counted to a tally. */
  public void flush(Tally tally) {
    counts.flush(tally);
  }

  private AggregateRow read(
      byte[] buffer, int positionFrom, int positionTo, int contentFrom, int contentTo) {
    return AggregateRow.read(
        aggregateType,
        aggregateId,
        new KeyReader(buffer, positionFrom, positionTo),
        new KeyReader(buffer, contentFrom, contentTo, texts),
        integerIds);
  }

  private AggregateRow head() {
    if (head != null && headRow == null) {
      headRow = RowMark.first(head, aggregateType, aggregateId, integerIds);
    }
    return headRow;
  }

  private void judge(AggregateRow row, Before before) {
    AggregateRow overtaken = null;
    if (before.held != null && row.settled()) {
      overtaken = RowMark.first(before.held, aggregateType, aggregateId, integerIds);
    } else if (before.last != null
        && RowMark.isAfter(before.last, time.clear().instant(row.delivery()))) {
      if (row.provisional()) {
        counts.inFlight(row);
        return;
      }
      overtaken = RowMark.last(before.last, aggregateType, aggregateId, integerIds);
    } else if (before.held != null) {
      counts.inFlight(row);
      return;
    }
    counts.delivered(row);
    if (overtaken == null) {
      return;
    }
    Cause cause = Cause.of(overtaken, row);
    counts.overtaking(overtaken, row, cause);
    if (row.ordered()) {
      out.finding(OrderFindings.overtaking(overtaken, row, cause));
    }
  }

  /** Says how long the row before made the next one wait. */
  private void endHead(Instant due) {
    if (heldBeforePrevious || previous.release() == Release.UNKNOWN || !previous.judged()) {
      return;
    }
    boolean still = previous.release() == Release.NEVER;
    Instant until = still ? cut : previous.releasedAt();
    if (!until.isAfter(due)) {
      return;
    }
    Instant freed = lastBeforePrevious == null ? due : RowMark.releasedAt(lastBeforePrevious);
    Instant since = freed.isAfter(due) ? freed : due;
    if (until.isAfter(since)) {
      boolean dead = !still && previous.delivery() == null || previous.resubmitted();
      counts.head(previous, Duration.between(since, until), still, dead);
      out.head(previous, since, still ? null : until);
    }
  }
}
