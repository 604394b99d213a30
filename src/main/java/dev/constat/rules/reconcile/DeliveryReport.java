package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.spec.RunSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the outbox's history shows of deliveries, in numbers.
 *
 * @param leases times, redeliveries and leases, one per effect type that rows have
 * @param deadLetters one per effect type that has any
 * @param memory how long the live system remembers, one per source that has repeats
 * @param sideChannels what goes past the outbox
 */
public record DeliveryReport(
    ImmutableList<DeliveryTimes.OfType> leases,
    ImmutableList<Dead> deadLetters,
    ImmutableList<DedupMemory.OfSource> memory,
    SideChannels sideChannels) {

  /** Of a run that delivered nothing. */
  public static final DeliveryReport NONE =
      new DeliveryReport(
          ImmutableList.of(),
          ImmutableList.of(),
          ImmutableList.of(),
          new SideChannels(ImmutableList.of(), ImmutableList.of()));

  /**
   * The dead letters of one effect type.
   *
   * @param effectType the type, or null
   * @param declared rows of status DLQ
   * @param implicit rows that nobody will send and nobody declared dead
   * @param received by consumer: rows that it received all the same
   * @param neverReceived by consumer: rows that nothing shows it received
   * @param notJudged by consumer: rows whose acknowledgements cannot be known
   */
  public record Dead(
      String effectType,
      long declared,
      long implicit,
      ImmutableSortedMap<String, Long> received,
      ImmutableSortedMap<String, Long> neverReceived,
      ImmutableSortedMap<String, Long> notJudged) {}

  /** What the tally of a run says. */
  public static DeliveryReport of(RunSpec spec, Tally tally) {
    EffectPolicy policy = new EffectPolicy(spec);
    ImmutableList<DeliveryTimes.OfType> leases =
        DeliveryTimes.of(tally, type -> policy.limits(type).leaseTtl());
    return new DeliveryReport(
        leases,
        deadLetters(tally),
        DedupMemory.of(spec, tally),
        SideChannels.of(policy, leases, tally));
  }

  private static ImmutableList<Dead> deadLetters(Tally tally) {
    TreeMap<String, String> types = new TreeMap<>();
    for (String path : List.of(CheckTally.DEAD_DECLARED, CheckTally.DEAD_IMPLICIT)) {
      tally.sumsUnder(path).keySet().forEach(t -> types.put(t.get(0), Tally.step(t, 0)));
    }
    ImmutableList.Builder<Dead> dead = ImmutableList.builder();
    for (String type : types.values()) {
      dead.add(
          new Dead(
              type,
              tally.sum(CheckTally.DEAD_DECLARED, type),
              tally.sum(CheckTally.DEAD_IMPLICIT, type),
              line(type, DeadLetters.RECEIVED, tally),
              line(type, DeadLetters.NEVER_RECEIVED, tally),
              line(type, DeadLetters.NOT_JUDGED, tally)));
    }
    return dead.build();
  }

  private static ImmutableSortedMap<String, Long> line(String type, String line, Tally tally) {
    ImmutableSortedMap.Builder<String, Long> consumers = ImmutableSortedMap.naturalOrder();
    for (Map.Entry<List<String>, Long> count :
        tally.sumsUnder(CheckTally.BOOK, CheckTally.DEAD, type).entrySet()) {
      if (count.getKey().get(1).equals(line)) {
        consumers.put(count.getKey().get(0), count.getValue());
      }
    }
    return consumers.buildOrThrow();
  }
}
