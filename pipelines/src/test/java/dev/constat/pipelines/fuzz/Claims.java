package dev.constat.pipelines.fuzz;

import java.util.Objects;

/** What must hold, said so that an input that breaks it can be understood. */
final class Claims {

  private Claims() {}

  /**
   * Holds that two things are equal.
   *
   * @throws AssertionError if they are not
   */
  static void same(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(what + ":\n  " + expected + "\n  " + actual);
    }
  }

  /**
   * Holds that something is true.
   *
   * @throws AssertionError if it is not
   */
  static void holds(boolean truth, String what, Object about) {
    if (!truth) {
      throw new AssertionError(what + ": " + about);
    }
  }
}
