package dev.constat.rules.spec;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static dev.constat.rules.spec.Key.particular;
import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.spec.GroupShape.Values;
import dev.constat.rules.spec.WindowRule.Days;
import dev.constat.rules.spec.WindowRule.Fixed;
import dev.constat.rules.spec.WindowRule.Session;
import dev.constat.rules.spec.WindowRule.Sliding;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** How a windowed projection divides time: {@code {fixed: PT10M}} and so on. */
final class WindowShape {

  /** An event goes into that many windows at most: each of them is a cell to be kept. */
  private static final long MOST_WINDOWS = 1_000;

  private static final Key<WindowRule, Duration> FIXED =
      particular(
          "fixed",
          Notations.WINDOW_SIZE,
          rule -> rule instanceof Fixed fixed ? fixed.size() : null,
          Duration.ofMinutes(10),
          "Windows of this size, side by side.");

  private static final Key<WindowRule, Duration> SLIDING =
      particular(
          "sliding",
          Notations.WINDOW_SIZE,
          rule -> rule instanceof Sliding sliding ? sliding.size() : null,
          Duration.ofMinutes(10),
          "Windows of this size, a new one every period.");

  private static final Key<WindowRule, Duration> EVERY =
      particular(
          "every",
          Notations.WINDOW_SIZE,
          rule -> rule instanceof Sliding sliding ? sliding.every() : null,
          Duration.ofMinutes(5),
          "The period of sliding windows, at most their size.");

  private static final Key<WindowRule, Duration> SESSION =
      particular(
          "session",
          Notations.WINDOW_SIZE,
          rule -> rule instanceof Session session ? session.gap() : null,
          Duration.ofMinutes(30),
          "Windows that last until nothing has happened for this long.");

  private static final Key<WindowRule, Integer> DAYS =
      particular(
          "days",
          IntegerShape.only("1", List.of(1)),
          rule -> rule instanceof Days ? 1 : null,
          1,
          "Calendar days, from midnight to midnight.");

  private static final Key<WindowRule, ZoneId> ZONE =
      particular(
          "zone",
          Notations.ZONE,
          rule -> rule instanceof Days days ? days.zone() : null,
          ZoneId.of("Europe/Paris"),
          "Whose midnight that is.");

  private static final ImmutableList<Key<WindowRule, ?>> WAYS =
      ImmutableList.of(FIXED, SLIDING, SESSION, DAYS);

  static final GroupShape<WindowRule> WINDOW =
      new GroupShape<>(
          ImmutableList.of(FIXED, SLIDING, EVERY, SESSION, DAYS, ZONE), WindowShape::bind);

  private WindowShape() {}

  private static WindowRule bind(Values<WindowRule> values) {
    ImmutableList<Key<WindowRule, ?>> ways =
        WAYS.stream().filter(values::has).collect(toImmutableList());
    if (ways.size() != 1) {
      String given = ways.stream().map(Key::name).collect(joining(" and "));
      values.problem(
          ways.isEmpty() ? " divides time in no way" : " has both " + given,
          "give it one of fixed, sliding, session and days");
      return null;
    }
    Key<WindowRule, ?> way = ways.get(0);
    completes(EVERY, SLIDING, way, values);
    completes(ZONE, DAYS, way, values);
    return switch (way.name()) {
      case "fixed" -> new Fixed(values.get(FIXED));
      case "sliding" -> sliding(values);
      case "session" -> new Session(values.get(SESSION));
      default -> new Days(values.get(ZONE));
    };
  }

  /** Checks that a key stands where, and only where, the one that it completes does. */
  private static void completes(
      Key<WindowRule, ?> key,
      Key<WindowRule, ?> completed,
      Key<WindowRule, ?> way,
      Values<WindowRule> values) {
    if (way == completed && !values.has(key)) {
      values.missing(key);
    } else if (way != completed && values.has(key)) {
      values.misplaced(key, "goes with " + completed.name() + " only");
    }
  }

  private static Sliding sliding(Values<WindowRule> values) {
    Duration size = values.get(SLIDING);
    Duration every = values.get(EVERY);
    if (every != null && every.compareTo(size) > 0) {
      values
          .reading()
          .problem(
              values.path().key(EVERY.name()),
              every.toString(),
              "every %s is longer than sliding %s, so that no window would hold what lies between"
                  .formatted(Notations.text(every), Notations.text(size)),
              "give at most the size");
    }
    if (every != null && size.dividedBy(every) > MOST_WINDOWS) {
      values
          .reading()
          .problem(
              values.path().key(EVERY.name()),
              every.toString(),
              "every %s puts each event into more than %s windows of %s"
                  .formatted(Notations.text(every), MOST_WINDOWS, Notations.text(size)),
              "give a longer period, or a smaller size");
    }
    return new Sliding(size, every);
  }
}
