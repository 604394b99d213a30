package dev.constat.rules.projection;

import dev.constat.rules.spec.Aggregate;

/** Which values a column takes in (spec section 5). */
public final class UsableValue {

  private UsableValue() {}

  /**
   * Whether a column makes something of a value.
   *
   * @param json canonical JSON, or null where nothing is there
   */
  public static boolean of(Aggregate.Function function, String json) {
    boolean something = json != null && !json.equals(CellValues.NULL);
    return switch (function) {
      case COUNT -> true;
      case SUM, MIN, MAX -> something && CellValues.decimal(json) != null;
      case FIRST, LAST, DISTINCT -> something;
    };
  }
}
