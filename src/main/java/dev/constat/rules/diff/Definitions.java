package dev.constat.rules.diff;

import dev.constat.rules.spec.Aggregate;
import dev.constat.rules.spec.ProjectionRule;
import java.util.Objects;

/** How versions compute a column. */
final class Definitions {

  private Definitions() {}

  /** What a version computes a column by, or null where that is not known or it has none. */
  static Aggregate of(ProjectionRule rule, String column) {
    if (rule.kind().equals(ProjectionRule.CURRENT)) {
      return column.equals(ProjectionRule.VALUE)
          ? new Aggregate(Aggregate.Function.LAST, rule.value())
          : null;
    }
    return rule.aggregates().get(column);
  }

  /** Whether a version takes the value of the first or last event, be there one or not. */
  static boolean isHead(ProjectionRule rule, String column) {
    Aggregate aggregate = of(rule, column);
    return aggregate != null
        && (aggregate.function() == Aggregate.Function.FIRST
            || aggregate.function() == Aggregate.Function.LAST);
  }

  /** Whether two versions compute a column alike, as far as their rules tell. */
  static boolean alike(ProjectionRule a, ProjectionRule b, String column) {
    return a.kind().equals(b.kind())
        && Objects.equals(of(a, column), of(b, column))
        && a.options().equals(b.options())
        && a.fields().equals(b.fields());
  }
}
