package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;

/**
 * The messages that would have to be sent again.
 *
 * @param messages one per effect type and kind of finding
 * @param withheld messages that had better not be sent, by reason
 * @param notMended findings of level error that no message mends, by kind
 */
public record RepairPlanReport(
    ImmutableList<Messages> messages,
    ImmutableSortedMap<String, Long> withheld,
    ImmutableSortedMap<String, Long> notMended)
    implements TaskReport {

  /**
   * Messages of an effect type that mend one kind of finding.
   *
   * @param effectType the type, or null
   * @param kind the kind
   * @param planned how many are planned
   * @param withheld how many are withheld
   */
  public record Messages(String effectType, String kind, long planned, long withheld) {}

  /** All that are planned. */
  public long planned() {
    return messages.stream().mapToLong(Messages::planned).sum();
  }
}
