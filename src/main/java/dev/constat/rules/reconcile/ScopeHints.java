package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.findings.Tally;
import java.util.List;
import java.util.Map;

/**
 * Suspects that the scope of a source's ids is declared too wide (spec section 3.8): over half of
 * its repeats conflict, and one column tells every conflict, and no exact duplicate, apart. Never a
 * licence to merge or to part anything.
 */
public final class ScopeHints {

  private ScopeHints() {}

  /** Sources to the column that their scope may lack; the first by name where several fit. */
  public static ImmutableSortedMap<String, String> of(Tally tally) {
    ImmutableSortedMap.Builder<String, String> hints = ImmutableSortedMap.naturalOrder();
    for (Map.Entry<List<String>, Long> entry : tally.sumsUnder(CheckTally.CONFLICTS).entrySet()) {
      String source = Tally.step(entry.getKey(), 0);
      long conflicts = entry.getValue();
      if (conflicts * 2 <= tally.sum(CheckTally.REPEATS, source)) {
        continue;
      }
      tally.sumsUnder(CheckTally.CONFLICTS_APART, source).entrySet().stream()
          .filter(apart -> apart.getValue() == conflicts)
          .map(apart -> Tally.step(apart.getKey(), 0))
          .filter(column -> tally.sum(CheckTally.DUPLICATES_APART, source, column) == 0)
          .findFirst()
          .ifPresent(column -> hints.put(source, column));
    }
    return hints.build();
  }

  /** The hint as findings carry it. */
  public static String hint(String column) {
    return "WRONG_SCOPE: " + column;
  }
}
