package dev.constat.rules.order;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.findings.Tally;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a run counted of the order of aggregates.
 *
 * @param idOrder how outbox ids are ordered: {@code text} or {@code integer}; null without outbox
 * @param types one per effect type with rows that name an aggregate, ordered ones before others
 */
public record OrderReport(String idOrder, ImmutableList<OfType> types) {

  /** That of a run without outbox. */
  public static final OrderReport NONE = new OrderReport(null, ImmutableList.of());

  /**
   * The rows of one effect type that keep order, or of those that do not.
   *
   * @param effectType the type, or null
   * @param ordered whether they keep the order of their aggregate
   * @param delivered delivered rows that were judged
   * @param overtakings of these, by {@link Cause}: delivered before one they stand behind
   * @param priorityInversions of these: the one behind which they stand had the greater priority
   * @param heads rows that made the next one wait; 0 where no order is kept
   * @param freedByDlq of these: let the others go as dead letters
   * @param still of these: make the next one wait at the cut
   * @param longest the longest that one did, or null
   */
  public record OfType(
      String effectType,
      boolean ordered,
      long delivered,
      ImmutableSortedMap<String, Long> overtakings,
      long priorityInversions,
      long heads,
      long freedByDlq,
      long still,
      OrderTally.Longest longest) {}

  /**
   * The report of what was counted.
   *
   * @param integerIds how outbox ids are ordered
   */
  public static OrderReport of(Tally tally, boolean integerIds) {
    ImmutableList.Builder<OfType> types = ImmutableList.builder();
    for (boolean ordered : new boolean[] {true, false}) {
      String mode = ordered ? OrderTally.ORDERED : OrderTally.UNORDERED;
      Set<List<String>> paths = new HashSet<>(tally.sumsUnder(OrderTally.DELIVERED, mode).keySet());
      if (ordered) {
        paths.addAll(tally.sumsUnder(OrderTally.HEADS).keySet());
      }
      List<List<String>> sorted = new ArrayList<>(paths);
      sorted.sort((a, b) -> a.get(0).compareTo(b.get(0)));
      sorted.forEach(path -> types.add(ofType(tally, Tally.step(path, 0), ordered, mode)));
    }
    return new OrderReport(integerIds ? "integer" : "text", types.build());
  }

  private static OfType ofType(Tally tally, String type, boolean ordered, String mode) {
    ImmutableSortedMap.Builder<String, Long> overtakings = ImmutableSortedMap.naturalOrder();
    for (Cause cause : Cause.values()) {
      overtakings.put(cause.name(), tally.sum(OrderTally.OVERTAKINGS, mode, type, cause.name()));
    }
    byte[] longest = ordered ? tally.max(OrderTally.LONGEST, type) : null;
    return new OfType(
        type,
        ordered,
        tally.sum(OrderTally.DELIVERED, mode, type),
        overtakings.buildOrThrow(),
        tally.sum(OrderTally.INVERSIONS, mode, type),
        ordered ? tally.sum(OrderTally.HEADS, type) : 0,
        ordered ? tally.sum(OrderTally.FREED_BY_DLQ, type) : 0,
        ordered ? tally.sum(OrderTally.STILL, type) : 0,
        longest == null ? null : OrderTally.Longest.fromBytes(longest));
  }
}
