package dev.constat.rules.order;

import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import java.time.Duration;
import java.util.HashMap;
import java.util.Objects;

/**
 * Counts what {@link AggregateScan} sees, per effect type, until it is flushed to the paths of
 * {@link OrderTally}.
 */
final class OrderCounts {

  private final HashMap<Unit, Counts> byUnit = new HashMap<>();
  private Unit lastUnit;
  private Counts last;
  private long judged;
  private long inFlight;

  /** Rows of one effect type that keep order, or do not. */
  private record Unit(String effectType, boolean ordered) {}

  /** What is counted of them. */
  private static final class Counts {

    private final long[] overtakings = new long[Cause.values().length];
    private long delivered;
    private long inversions;
    private long heads;
    private long freedByDlq;
    private long still;
    private OrderTally.Longest longest;
  }

  /** A delivered row. */
  void delivered(AggregateRow row) {
    counts(row).delivered++;
    judged += row.ordered() ? 1 : 0;
  }

  /** A delivered row before which stands one that is not delivered, though it may be soon. */
  void inFlight(AggregateRow row) {
    counts(row).delivered++;
    inFlight += row.ordered() ? 1 : 0;
  }

  /** That a delivered row went ahead of another. */
  void overtaking(AggregateRow overtaken, AggregateRow overtaking, Cause cause) {
    Counts counts = counts(overtaking);
    counts.overtakings[cause.ordinal()]++;
    counts.inversions += Cause.greaterPriority(overtaken, overtaking) ? 1 : 0;
  }

  /** That an ordered row made a later one wait. */
  void head(AggregateRow head, Duration blocked, boolean still, boolean freedByDlq) {
    Counts counts = counts(head);
    counts.heads++;
    counts.still += still ? 1 : 0;
    counts.freedByDlq += freedByDlq ? 1 : 0;
    OrderTally.Longest candidate = new OrderTally.Longest(blocked, head.outboxId());
    if (candidate.isLongerThan(counts.longest)) {
      counts.longest = candidate;
    }
  }

  /** Adds all counts to a tally, and forgets them. */
  void flush(Tally tally) {
    byUnit.forEach((unit, counts) -> flush(tally, unit, counts));
    byUnit.clear();
    lastUnit = null;
    last = null;
    add(tally, judged, Coverage.JUDGED, Kind.ORDER_VIOLATION.name());
    add(tally, inFlight, Coverage.SILENT, Kind.ORDER_VIOLATION.name(), "IN_FLIGHT");
    judged = 0;
    inFlight = 0;
  }

  private static void flush(Tally tally, Unit unit, Counts counts) {
    String type = unit.effectType();
    String mode = unit.ordered() ? OrderTally.ORDERED : OrderTally.UNORDERED;
    add(tally, counts.delivered, OrderTally.DELIVERED, mode, type);
    for (Cause cause : Cause.values()) {
      long count = counts.overtakings[cause.ordinal()];
      add(tally, count, OrderTally.OVERTAKINGS, mode, type, cause.name());
    }
    add(tally, counts.inversions, OrderTally.INVERSIONS, mode, type);
    add(tally, counts.heads, OrderTally.HEADS, type);
    add(tally, counts.freedByDlq, OrderTally.FREED_BY_DLQ, type);
    add(tally, counts.still, OrderTally.STILL, type);
    if (counts.longest != null) {
      tally.max(counts.longest.toBytes(), OrderTally.LONGEST, type);
    }
  }

  private static void add(Tally tally, long count, String... path) {
    if (count > 0) {
      tally.add(count, path);
    }
  }

  private Counts counts(AggregateRow row) {
    if (lastUnit == null
        || lastUnit.ordered() != row.ordered()
        || !Objects.equals(lastUnit.effectType(), row.effectType())) {
      lastUnit = new Unit(row.effectType(), row.ordered());
      last = byUnit.computeIfAbsent(lastUnit, asked -> new Counts());
    }
    return last;
  }
}
