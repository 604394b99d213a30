package dev.constat.transforms.simulator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says which row has which fault, one at most. */
final class Faults {

  private static final List<Fault> CRASHES =
      List.of(
          Fault.CRASH_BEFORE_PUBLISH,
          Fault.CRASH_AFTER_PUBLISH,
          Fault.STALL_BEFORE_PUBLISH,
          Fault.STALL_AFTER_PUBLISH,
          Fault.AMBIGUOUS_FAILURE,
          Fault.BROKER_REPEATS,
          Fault.STALE_FAILURE,
          Fault.LOST_MARK);

  private final Scenario scenario;
  private final Chance chance;
  private final Set<Integer> targets = new HashSet<>();
  private int rows;

  Faults(Scenario scenario, Chance chance) {
    this.scenario = scenario;
    this.chance = chance;
    int first = chance.between(2, 8);
    targets.add(first);
    boolean one = scenario.breach() != null && scenario.breach().neglectsOrder();
    if (!one && chance.oneIn(2)) {
      targets.add(first + chance.between(5, 12));
    }
  }

  /** Gives a new row of a pool its fault. */
  void assign(OutboxEntry entry, PoolPlan pool) {
    entry.fault = fault(pool);
  }

  private Fault fault(PoolPlan pool) {
    Breach breach = scenario.breach();
    if (breach != null && breach.fault() != Fault.NONE && (pool.ordered() || !breach.ordered())) {
      rows++;
      if (targets.contains(rows)) {
        return breach.fault();
      }
    }
    if (scenario.crashes() && chance.oneIn(8)) {
      List<Fault> possible = new ArrayList<>(CRASHES);
      if (pool.workers() == 1) {
        possible.remove(Fault.STALE_FAILURE);
      }
      return chance.pick(possible);
    }
    return Fault.NONE;
  }
}
