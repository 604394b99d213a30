package dev.constat.transforms.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Seeded chance: equal seeds give equal histories. */
final class Chance {

  private final Random random;

  Chance(long seed) {
    // Seeds that stand side by side would begin alike.
    random = new Random(seed * 0x9E3779B97F4A7C15L + 0x632BE59BD9B4E019L);
  }

  boolean oneIn(int cases) {
    return random.nextInt(cases) == 0;
  }

  /** From least to most, both included. */
  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  /** A time of so many milliseconds and some microseconds, which keep times apart. */
  Duration millis(int least, int most) {
    return Duration.ofNanos((between(least, most) * 1000L + random.nextInt(1000)) * 1000L);
  }

  /** A time of so many seconds and some microseconds. */
  Duration seconds(int least, int most) {
    return millis(least * 1000, most * 1000);
  }

  <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** The same elements in another order. */
  <T> List<T> shuffled(List<T> list) {
    List<T> copy = new ArrayList<>(list);
    Collections.shuffle(copy, random);
    return copy;
  }

  /** A name that says nothing about when it was given. */
  String name() {
    return Integer.toHexString(random.nextInt(1 << 24));
  }
}
