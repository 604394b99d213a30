package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Multimaps;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.spec.Effect;
import dev.constat.rules.spec.RunSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Which effects an event is expected to have, and which limits its rows are held to. */
public final class EffectPolicy {

  private static final String TIMELINESS = "timeliness";

  private final ImmutableListMultimap<String, Effect> byType;
  private final ImmutableSortedSet<String> types;
  private final EventColumns columns;
  private final boolean asksForTime;
  private final Duration largestGrace;
  private final Duration largestPendingAfter;

  /** The policy of a run. */
  public EffectPolicy(RunSpec spec) {
    this.byType = Multimaps.index(spec.effects(), Effect::type);
    this.types = ImmutableSortedSet.copyOf(byType.keySet());
    this.columns = new EventColumns(spec);
    this.asksForTime = asksForTime(spec);
    this.largestGrace =
        spec.effects().stream()
            .map(Effect::grace)
            .max(Duration::compareTo)
            .orElse(Effect.DEFAULT_GRACE);
    this.largestPendingAfter =
        spec.effects().stream()
            .map(Effect::pendingAfter)
            .max(Duration::compareTo)
            .orElse(Effect.DEFAULT_PENDING_AFTER);
  }

  /** Whether any entry of a run depends on the timeliness of events. */
  public static boolean asksForTime(RunSpec spec) {
    return spec.effects().stream().anyMatch(effect -> effect.when().containsKey(TIMELINESS));
  }

  /** Whether the expected effects of an event depend on its timeliness. */
  public boolean asksForTime() {
    return asksForTime;
  }

  /** The effect types that the run spec names, by name. */
  public ImmutableSortedSet<String> types() {
    return types;
  }

  /** Whether an entry names the type. */
  public boolean declares(String type) {
    return type != null && byType.containsKey(type);
  }

  /** The largest grace that is configured: what holds where no effect is known. */
  public Duration largestGrace() {
    return largestGrace;
  }

  /** The largest time a row may be PENDING: what holds where no effect is known. */
  public Duration largestPendingAfter() {
    return largestPendingAfter;
  }

  /** The entry of a type that holds for an accepted event: the first whose {@code when} fits. */
  public Effect entry(String type, KeyVerdict event) {
    for (Effect effect : byType.get(type)) {
      if (holds(effect, event)) {
        return effect;
      }
    }
    return null;
  }

  /**
   * The limits of a row whose event is unknown or has no entry that fits: the only entry of its
   * type, the most lenient limits of several (and the consumers that all of them name, and order
   * where all of them keep it), the defaults of none.
   */
  public Effect limits(String type) {
    if (!declares(type)) {
      return Effect.undeclared(type);
    }
    return byType.get(type).stream()
        .reduce(
            (a, b) ->
                new Effect(
                    type,
                    a.when(),
                    inBoth(a.consumers(), b.consumers()),
                    longer(a.grace(), b.grace()),
                    longer(a.pendingAfter(), b.pendingAfter()),
                    longer(a.leaseTtl(), b.leaseTtl()),
                    Math.max(a.maxAttempts(), b.maxAttempts()),
                    a.ordered() && b.ordered(),
                    a.replayable()))
        .orElseThrow();
  }

  /** The consumers that any entry of a type names, or null where none does. */
  public ImmutableSortedSet<String> consumers(String type) {
    ImmutableSortedSet.Builder<String> consumers = ImmutableSortedSet.naturalOrder();
    boolean known = false;
    for (Effect effect : byType.get(type)) {
      if (effect.consumers() != null) {
        known = true;
        consumers.addAll(effect.consumers());
      }
    }
    return known ? consumers.build() : null;
  }

  private static ImmutableList<String> inBoth(List<String> a, List<String> b) {
    return a == null || b == null
        ? null
        : a.stream().filter(b::contains).collect(ImmutableList.toImmutableList());
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private boolean holds(Effect effect, KeyVerdict event) {
    for (Map.Entry<String, Effect.AnyOf> condition : effect.when().entrySet()) {
      boolean holds =
          switch (condition.getKey()) {
            case "decision" -> condition.getValue().holds(event.decision().name());
            case "flags" -> anyFlag(condition.getValue(), event.flags());
            case TIMELINESS ->
                condition
                    .getValue()
                    .holds(event.timeliness() == null ? null : event.timeliness().name());
            default -> condition.getValue().holds(columns.value(condition.getKey(), event.first()));
          };
      if (!holds) {
        return false;
      }
    }
    return true;
  }

  private static boolean anyFlag(Effect.AnyOf condition, Collection<Flag> flags) {
    return flags.isEmpty()
        ? condition.orAbsent()
        : flags.stream().anyMatch(flag -> condition.holds(flag.name()));
  }
}
