package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.projection.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LagSweepTest {

  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  /** What the sweep is told of one event. */
  private record Event(String source, Instant occurredAt, Instant largestBefore, Duration budget) {}

  /** What it is told of one window. */
  private record Asked(
      String source, String projection, Instant largestBefore, Instant end, Duration allowed) {}

  private final List<Event> events = new ArrayList<>();
  private final List<Asked> windows = new ArrayList<>();

  private void tell(LagSweep sweep, int event) {
    Event told = events.get(event);
    sweep.event(told.source, told.occurredAt, told.largestBefore, told.budget);
    for (Asked window : windows.subList(2 * event, 2 * event + 2)) {
      sweep.window(
          window.source, window.projection, window.largestBefore, window.end, window.allowed);
    }
  }

  @Test
  void budgetsGrow() {
    assertThat(LagSweep.BUDGETS.asList()).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void everyBudgetIsAnsweredAsIfItHadBeenInForce() {
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      String source = "s" + random.nextInt(3);
      Instant largest = random.nextInt(20) == 0 ? null : near(random, NOON);
      events.add(
          new Event(source, near(random, NOON), largest, nearABudget(random, Duration.ZERO)));
      for (String projection : List.of("a version 1", "b version 2")) {
        windows.add(
            new Asked(
                source,
                projection,
                largest,
                near(random, NOON),
                nearABudget(random, Duration.ZERO)));
      }
    }
    Tally whole = new Tally();
    Tally parts = new Tally();
    LagSweep sweep = new LagSweep();
    LagSweep part = new LagSweep();
    for (int i = 0; i < events.size(); i++) {
      tell(sweep, i);
      tell(part, events.size() - 1 - i);
      if (random.nextInt(50) == 0) {
        part.flush(parts);
      }
    }
    sweep.flush(whole);
    part.flush(parts);

    assertThat(parts.toBytes()).isEqualTo(whole.toBytes());
    assertThat(LagSweep.of(Tally.fromBytes(whole.toBytes()))).isEqualTo(naive());
  }

  @Test
  void theEndsOfTheTimelineAreNoExceptions() {
    Random random = new Random(6);
    for (int i = 0; i < 2_000; i++) {
      Instant largest = Times.any(random);
      Instant end = Times.any(random);
      events.add(new Event("S", Times.any(random), largest, Duration.ofMinutes(5)));
      // an outcome adds the allowed lateness to the end, which must not leave the timeline
      Duration allowed =
          end.isBefore(Instant.MAX.minusSeconds(86_400))
              ? nearABudget(random, Duration.ZERO).dividedBy(8)
              : Duration.ZERO;
      windows.add(new Asked("S", "a version 1", largest, end, allowed));
      windows.add(new Asked("S", "b version 2", largest, end, Duration.ZERO));
    }
    Tally tally = new Tally();
    LagSweep sweep = new LagSweep();
    for (int i = 0; i < events.size(); i++) {
      tell(sweep, i);
    }
    sweep.flush(tally);
    assertThat(LagSweep.of(tally)).isEqualTo(naive());
  }

  @Test
  void anAllowedLatenessMayBeEndless() {
    Duration endless = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    LagSweep sweep = new LagSweep();
    sweep.event("S", Instant.MIN, Instant.MAX, endless);
    sweep.window("S", "a version 1", Instant.MAX, Instant.MIN, endless);
    Tally tally = new Tally();
    sweep.flush(tally);
    assertThat(LagSweep.of(tally).get(0))
        .isEqualTo(
            new SweepRow(
                "S",
                Duration.ZERO,
                1,
                1,
                1,
                ImmutableList.of(new SweepRow.Restated("a version 1", 1, 1, 0))));
  }

  /** A budget away from an instant, either way, or a nanosecond beside that. */
  private static Instant near(Random random, Instant instant) {
    Duration off = nearABudget(random, Duration.ofNanos(random.nextInt(3) - 1));
    return random.nextBoolean() ? instant.plus(off) : instant.minus(off);
  }

  private static Duration nearABudget(Random random, Duration beside) {
    long seconds = LagSweep.BUDGETS.get(random.nextInt(LagSweep.BUDGETS.length()));
    return Duration.ofSeconds(random.nextInt(4) == 0 ? seconds / 2 : seconds).plus(beside);
  }

  private ImmutableList<SweepRow> naive() {
    ImmutableList.Builder<SweepRow> rows = ImmutableList.builder();
    for (String source : events.stream().map(Event::source).distinct().sorted().toList()) {
      for (long seconds : LagSweep.BUDGETS.asList()) {
        Duration budget = Duration.ofSeconds(seconds);
        List<Event> counted =
            events.stream()
                .filter(event -> event.source.equals(source) && event.largestBefore != null)
                .toList();
        rows.add(
            new SweepRow(
                source,
                budget,
                counted.size(),
                counted.stream().filter(event -> late(event, budget)).count(),
                counted.stream()
                    .filter(event -> late(event, budget) != late(event, event.budget))
                    .count(),
                ImmutableList.of(
                    restated(source, "a version 1", budget),
                    restated(source, "b version 2", budget))));
      }
    }
    return rows.build();
  }

  private static boolean late(Event event, Duration budget) {
    return Clock.timeliness(
            event.occurredAt,
            event.occurredAt,
            Clock.watermark(event.largestBefore, budget),
            Duration.ZERO)
        == Timeliness.LATE;
  }

  private SweepRow.Restated restated(String source, String projection, Duration budget) {
    List<Outcome> outcomes =
        windows.stream()
            .filter(
                window ->
                    window.source.equals(source)
                        && window.projection.equals(projection)
                        && window.largestBefore != null)
            .map(
                window ->
                    Outcome.of(
                        Clock.watermark(window.largestBefore, budget), window.end, window.allowed))
            .toList();
    return new SweepRow.Restated(
        projection,
        outcomes.size(),
        outcomes.stream().filter(outcome -> outcome == Outcome.REFINES).count(),
        outcomes.stream().filter(outcome -> outcome == Outcome.TOO_LATE).count());
  }
}
