package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Sentence;

/**
 * A book: what comes in on the left must be accounted for, line by line, on the right.
 *
 * @param title what is booked
 * @param total the left side
 * @param lines the right side
 */
public record Book(Sentence title, long total, ImmutableList<Line> lines) {

  /** What is booked, as it reads. */
  public String name() {
    return title.toString();
  }

  /** What the lines leave unaccounted for; anything but 0 is a bug of Constat. */
  public long residue() {
    return total - lines.stream().mapToLong(Line::count).sum();
  }

  /**
   * One line.
   *
   * @param name what is counted
   * @param count how often
   */
  public record Line(String name, long count) {}
}
