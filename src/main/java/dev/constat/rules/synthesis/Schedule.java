package dev.constat.rules.synthesis;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Ordering;
import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;
import dev.constat.rules.spec.Profile.Rate;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which events a fault is planted in, by their numbers from 0: those at a fixed distance from each
 * other. An event takes one fault; where several fall on one, the rarest has it. First numbers
 * differ, so that no fault is kept out by others for good.
 */
final class Schedule {

  /** Numbers of events that faults begin with lie this far apart, where they can. */
  private static final int SPREAD = 13;

  private final ImmutableMap<Fault, Rate> rates;
  private final Map<Fault, Integer> phases = new EnumMap<>(Fault.class);

  /** Rarest first. */
  private final ImmutableList<Fault> faults;

  private final long events;

  /** What is planted in so many events. */
  Schedule(Profile profile, long events) {
    this.rates = profile.faults();
    this.events = events;
    this.faults =
        ImmutableList.sortedCopyOf(
            Ordering.<Integer>natural()
                .onResultOf((Fault fault) -> rates.get(fault).oneIn())
                .reverse()
                .compound(Ordering.natural()),
            rates.keySet());
    Set<Integer> taken = new HashSet<>();
    for (Fault fault : faults.reverse()) {
      int period = rates.get(fault).oneIn();
      int phase = (fault.ordinal() * SPREAD + SPREAD / 2) % period;
      while (!taken.add(phase)) {
        phase = (phase + 1) % period;
      }
      phases.put(fault, phase);
    }
  }

  /** How many events there are. */
  long events() {
    return events;
  }

  /** All that is planted, rarest first. */
  ImmutableList<Fault> faults() {
    return faults;
  }

  /** The fault planted in an event, or null. */
  Fault at(long event) {
    for (Fault fault : faults) {
      if (falls(fault, event)) {
        return fault;
      }
    }
    return null;
  }

  private boolean falls(Fault fault, long event) {
    int phase = phases.get(fault);
    return event >= phase && (event - phase) % rates.get(fault).oneIn() == 0 && event < end(fault);
  }

  private long end(Fault fault) {
    Rate rate = rates.get(fault);
    return rate.atMost() == null
        ? events
        : Math.min(events, phases.get(fault) + (long) rate.oneIn() * rate.atMost());
  }

  /**
   * The first event from one on that a fault falls on, whether or not it has it; the number of
   * events where there is none.
   */
  long next(Fault fault, long from) {
    long phase = phases.get(fault);
    int period = rates.get(fault).oneIn();
    long steps = from <= phase ? 0 : (from - phase + period - 1) / period;
    long event = phase + steps * period;
    return event < end(fault) ? event : events;
  }

  /** The events of a range that have a fault, less the first of the range. */
  BitSet planted(long from, long to) {
    BitSet planted = new BitSet(Math.toIntExact(Math.max(0, to - from)));
    for (Fault fault : faults) {
      int period = rates.get(fault).oneIn();
      long last = Math.min(to, end(fault));
      for (long event = next(fault, from); event < last; event += period) {
        planted.set((int) (event - from));
      }
    }
    return planted;
  }
}
