package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.projection.Window;
import dev.constat.rules.projection.Windows;
import dev.constat.rules.spec.WindowRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.junit.jupiter.api.Test;

/**
 * The windows of instants are those that Beam assigns. Where an instant lies further before 1970
 * than a window is long, Beam's remainder is negative and its windows do not hold the instant;
 * moved on by whole windows to where it is not, they are the same.
 */
final class WindowAssignmentTest {

  private static final int INSTANTS = 20_000;

  /** About a hundred years. */
  private static final long FAR = 3_000_000_000_000L;

  private final Random chance = new Random(20260105);

  @Test
  void fixed() {
    for (int i = 0; i < INSTANTS; i++) {
      long size = duration();
      long at = instant(size);

      assertThat(
              windows(new WindowRule.Fixed(Duration.ofMillis(size)), at, chance.nextInt(1_000_000)))
          .as("%s in windows of %s", at, size)
          .isEqualTo(beam(FixedWindows.of(millis(size)), at, size));
    }
  }

  @Test
  void sliding() {
    for (int i = 0; i < INSTANTS; i++) {
      long every = duration();
      long size = every + chance.nextInt((int) Math.min(20 * every, Integer.MAX_VALUE));
      long at = instant(every);
      WindowRule rule = new WindowRule.Sliding(Duration.ofMillis(size), Duration.ofMillis(every));

      assertThat(windows(rule, at, 0))
          .as("%s in windows of %s every %s", at, size, every)
          .isEqualTo(beam(SlidingWindows.of(millis(size)).every(millis(every)), at, every));
    }
  }

  @Test
  void session() {
    for (int i = 0; i < INSTANTS; i++) {
      long gap = duration();
      long at = instant(gap);

      assertThat(windows(new WindowRule.Session(Duration.ofMillis(gap)), at, 0))
          .as("%s with a gap of %s", at, gap)
          .isEqualTo(beam(Sessions.withGapDuration(millis(gap)), at, gap));
    }
  }

  /** The day that this fails, the others need not move instants any more. */
  @Test
  void beamsWindowsDoNotHoldInstantsFurtherBefore1970ThanTheyAreLong() {
    IntervalWindow beams = FixedWindows.of(millis(10)).assignWindow(moment(-15));

    assertThat(beams.start()).isEqualTo(moment(-10));
    assertThat(windows(new WindowRule.Fixed(Duration.ofMillis(10)), -15, 0))
        .containsExactly("-20/-10");
  }

  /** A size that people give, or one of a few milliseconds. */
  private long duration() {
    return chance.nextBoolean()
        ? 1 + chance.nextInt(20)
        : 1_000L * (1 + chance.nextInt(60)) * (chance.nextBoolean() ? 60 : 1);
  }

  /** Any instant, or one at a multiple of a period or next to it. */
  private long instant(long period) {
    long any = chance.nextLong(-FAR, FAR);
    return switch (chance.nextInt(4)) {
      case 0 -> any;
      case 1 -> chance.nextInt(100) - 50;
      default -> Math.floorDiv(any, period) * period + chance.nextInt(3) - 1;
    };
  }

  /** As {@code start/end} in milliseconds, in the order of starts. */
  private static List<String> windows(WindowRule rule, long at, int nanos) {
    return Windows.of(rule, Instant.ofEpochMilli(at).plusNanos(nanos)).stream()
        .map(WindowAssignmentTest::text)
        .toList();
  }

  private static String text(Window window) {
    return window.start().toEpochMilli() + "/" + window.end().toEpochMilli();
  }

  /**
   * What Beam assigns.
   *
   * @param period how far apart windows are
   */
  private static <W extends IntervalWindow> List<String> beam(
      WindowFn<Object, W> windows, long at, long period) {
    boolean right = windows instanceof Sessions || at >= -period;
    long moved = right ? 0 : Math.floorDiv(at, period) * period;
    List<W> assigned = new ArrayList<>(assign(windows, at - moved));
    assigned.sort(null);
    return assigned.stream()
        .map(w -> (w.start().getMillis() + moved) + "/" + (w.end().getMillis() + moved))
        .collect(ImmutableList.toImmutableList());
  }

  private static <W extends BoundedWindow> Collection<W> assign(WindowFn<Object, W> fn, long at) {
    try {
      return fn.assignWindows(
          fn.new AssignContext() {
            @Override
            public Object element() {
              return "";
            }

            @Override
            public org.joda.time.Instant timestamp() {
              return moment(at);
            }

            @Override
            public BoundedWindow window() {
              return GlobalWindow.INSTANCE;
            }
          });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static org.joda.time.Instant moment(long millis) {
    return org.joda.time.Instant.ofEpochMilli(millis);
  }

  private static org.joda.time.Duration millis(long millis) {
    return org.joda.time.Duration.millis(millis);
  }
}
