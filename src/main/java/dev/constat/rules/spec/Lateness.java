package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * How long a source's events may take: the budgets of its partitions' watermarks, each from some
 * received_at on (spec section 4).
 *
 * @param budgets in falling order of {@code from}, the one that holds from the beginning last
 */
public record Lateness(ImmutableList<Budget> budgets) implements Serializable {

  /** What holds where the run spec says nothing. */
  public static final Budget DEFAULT_BUDGET = new Budget(null, Duration.ofMinutes(5), "default");

  /** The default budget, for ever. */
  public static final Lateness DEFAULT = new Lateness(ImmutableList.of(DEFAULT_BUDGET));

  /** The budget in force at a reception. */
  public Budget at(Instant receivedAt) {
    for (Budget budget : budgets) {
      if (budget.from() == null || !receivedAt.isBefore(budget.from())) {
        return budget;
      }
    }
    return DEFAULT_BUDGET;
  }

  /**
   * One budget.
   *
   * @param from the received_at from which on it holds (inclusive), or null: from the beginning
   * @param length how far the watermark stays behind the largest occurred_at
   * @param version its name, as decisions state it
   */
  public record Budget(Instant from, Duration length, String version) implements Serializable {}
}
