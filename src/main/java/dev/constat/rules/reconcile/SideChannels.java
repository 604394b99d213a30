package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.outbox.Acknowledgement;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks for deliveries that go past the outbox, and for outboxes to which nothing writes: consumers
 * that acknowledge rows which are not there, and effect types that events are expected to have and
 * no row announces.
 *
 * @param consumers those whose acknowledgements no outbox row announces, by name
 * @param types effect types that are declared or that rows have, by name
 */
public record SideChannels(ImmutableList<OfConsumer> consumers, ImmutableList<OfType> types) {

  private static final String ACKS = "side channel";

  private static final Comparator<OfType> BY_NAME =
      Comparator.comparing(OfType::effectType, Comparator.nullsFirst(Comparator.naturalOrder()));

  /**
   * A consumer whose acknowledgements are ORPHAN_ACK.
   *
   * @param consumer its name, or null
   * @param declared whether an entry of the run spec names it
   * @param acks how many
   * @param firstAt the first
   * @param lastAt the last
   */
  public record OfConsumer(
      String consumer, boolean declared, long acks, Instant firstAt, Instant lastAt) {}

  /**
   * What writes to an effect type.
   *
   * @param effectType the type, or null
   * @param declared whether an entry of the run spec names it
   * @param expected events that are expected to have it
   * @param rows outbox rows of it, those of replays excepted
   * @param lastCreatedAt when the last of these was created, or null
   */
  public record OfType(
      String effectType, boolean declared, long expected, long rows, Instant lastCreatedAt) {

    /** Whether events are expected to have it and nothing writes it at all. */
    public boolean unwritten() {
      return expected > 0 && rows == 0;
    }
  }

  /** Counts an acknowledgement that is an ORPHAN_ACK. */
  static void orphan(Acknowledgement ack, Tally tally) {
    byte[] time = new KeyWriter().instant(ack.ackedAt()).toBytes();
    tally.add(1, ACKS, ack.consumer());
    tally.min(time, ACKS, ack.consumer());
    tally.max(time, ACKS, ack.consumer());
  }

  /** What a tally holds. */
  static SideChannels of(EffectPolicy policy, Iterable<DeliveryTimes.OfType> written, Tally tally) {
    ImmutableList.Builder<OfConsumer> consumers = ImmutableList.builder();
    tally
        .sumsUnder(ACKS)
        .forEach(
            (path, acks) -> {
              String consumer = Tally.step(path, 0);
              consumers.add(
                  new OfConsumer(
                      consumer,
                      consumer != null && policy.names(consumer),
                      acks,
                      instant(tally.min(ACKS, consumer)),
                      instant(tally.max(ACKS, consumer))));
            });
    Map<String, OfType> declared = new TreeMap<>();
    for (String type : policy.types()) {
      declared.put(type, new OfType(type, true, expected(type, tally), 0, null));
    }
    ImmutableList.Builder<OfType> types = ImmutableList.builder();
    for (DeliveryTimes.OfType rows : written) {
      if (rows.rows() > 0) {
        String type = rows.effectType();
        OfType known = type == null ? null : declared.remove(type);
        types.add(
            new OfType(
                type,
                known != null,
                known == null ? 0 : known.expected(),
                rows.rows(),
                rows.lastCreatedAt()));
      }
    }
    types.addAll(declared.values());
    return new SideChannels(
        consumers.build(),
        types.build().stream().sorted(BY_NAME).collect(ImmutableList.toImmutableList()));
  }

  private static long expected(String type, Tally tally) {
    long expected = 0;
    for (Map.Entry<List<String>, Long> line :
        tally.sumsUnder(CheckTally.BOOK, "effects", type).entrySet()) {
      expected +=
          line.getKey().get(0).equals("not expected") || line.getKey().get(0).equals("not judged")
              ? 0
              : line.getValue();
    }
    return expected;
  }

  private static Instant instant(byte[] encoded) {
    return new KeyReader(encoded).instant();
  }
}
