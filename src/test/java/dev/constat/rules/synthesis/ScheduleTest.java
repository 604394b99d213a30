package dev.constat.rules.synthesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.spec.Fault;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which events faults are planted. */
class ScheduleTest {

  @Test
  void everyFaultIsPlantedOnceBeforeAnyOfThemComesAgainTwice() {
    Schedule schedule = new Schedule(Profiles.all(), 1_000);

    EnumSet<Fault> seen = EnumSet.noneOf(Fault.class);
    for (long event = 0; event < 217; event++) {
      Fault fault = schedule.at(event);
      if (fault != null) {
        seen.add(fault);
      }
    }
    assertThat(seen).isEqualTo(EnumSet.allOf(Fault.class));
  }

  @Test
  void aFaultComesOnceInSoManyEvents() {
    Schedule schedule = new Schedule(Profiles.of("dlq: {one_in: 10}"), 1_000);

    assertThat(eventsWith(Fault.DLQ, schedule)).hasSize(100);
  }

  @Test
  void aBoundEndsIt() {
    Schedule schedule = new Schedule(Profiles.of("dlq: {one_in: 10, at_most: 3}"), 1_000);

    assertThat(eventsWith(Fault.DLQ, schedule)).hasSize(3);
    assertThat(schedule.next(Fault.DLQ, 500)).isEqualTo(1_000);
  }

  @Test
  void theRarestOfSeveralHasTheEvent() {
    Schedule schedule =
        new Schedule(Profiles.of("dlq: {one_in: 1}, redelivery: {one_in: 100}"), 1_000);

    assertThat(eventsWith(Fault.REDELIVERY, schedule)).hasSize(10);
    assertThat(eventsWith(Fault.DLQ, schedule)).hasSize(990);
  }

  @Test
  void partsAgreeWithSingleEvents() {
    Schedule schedule = new Schedule(Profiles.all(), 3_000);
    for (long from : new long[] {0, 1, 777, 2_990}) {
      long to = Math.min(3_000, from + 500);
      BitSet planted = schedule.planted(from, to);
      for (long event = from; event < to; event++) {
        assertThat(planted.get((int) (event - from))).isEqualTo(schedule.at(event) != null);
      }
    }
  }

  private static List<Long> eventsWith(Fault fault, Schedule schedule) {
    List<Long> events = new ArrayList<>();
    for (long event = 0; event < schedule.events(); event++) {
      if (schedule.at(event) == fault) {
        events.add(event);
      }
    }
    return events;
  }
}
