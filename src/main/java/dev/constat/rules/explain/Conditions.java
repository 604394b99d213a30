package dev.constat.rules.explain;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.spec.Effect;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Why no entry of an effect type asks for the effect of an event. */
public final class Conditions {

  private static final String FLAGS = "flags";

  private Conditions() {}

  /**
   * The account.
   *
   * @param entries those of the type
   * @param values of a column, of {@code decision} and of {@code timeliness}, by name; null where
   *     the event has none
   * @param flags of the event
   */
  public static Account unmet(
      List<Effect> entries, Function<String, String> values, List<String> flags) {
    ImmutableList.Builder<String> why = ImmutableList.builder();
    ImmutableList.Builder<String> unless = ImmutableList.builder();
    for (Effect entry : entries) {
      ImmutableList.Builder<String> has = ImmutableList.builder();
      ImmutableList.Builder<String> needs = ImmutableList.builder();
      for (Map.Entry<String, Effect.AnyOf> condition : entry.when().entrySet()) {
        String column = condition.getKey();
        boolean holds = holds(column, condition.getValue(), values, flags);
        if (!holds) {
          has.add(column + " is " + shown(column, values, flags));
          needs.add(column + " " + shown(condition.getValue()));
        }
      }
      why.add(String.join(" and ", has.build()));
      unless.add("With %s it would have been.".formatted(String.join(" and ", needs.build())));
    }
    return new Account("Not expected: " + String.join("; ", why.build()) + ".", unless.build());
  }

  /** Whether an entry asks for the effect of an event; parameters are those of {@link #unmet}. */
  public static boolean hold(Effect entry, Function<String, String> values, List<String> flags) {
    return entry.when().entrySet().stream()
        .allMatch(condition -> holds(condition.getKey(), condition.getValue(), values, flags));
  }

  private static boolean holds(
      String column, Effect.AnyOf any, Function<String, String> values, List<String> flags) {
    if (!column.equals(FLAGS)) {
      return any.holds(values.apply(column));
    }
    return flags.isEmpty() ? any.orAbsent() : flags.stream().anyMatch(any::holds);
  }

  private static String shown(String column, Function<String, String> values, List<String> flags) {
    String value = column.equals(FLAGS) ? String.join(", ", flags) : values.apply(column);
    return value == null || value.isEmpty() ? "absent" : value;
  }

  private static String shown(Effect.AnyOf any) {
    String values = String.join(" or ", any.values());
    return any.orAbsent() ? (values.isEmpty() ? "absent" : values + " or absent") : values;
  }
}
