package dev.constat.pipelines.archive;

import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reading.RowSink;
import java.util.TreeSet;

/**
 * The columns of a part that a run does not use. Keeps the first {@link #LIMIT} by name and one
 * more: so the first of the whole file, and whether there are others, come out the same however the
 * file was cut.
 */
final class UnknownColumns {

  /** How many are worth a note. */
  static final int LIMIT = 100;

  private final TreeSet<String> names = new TreeSet<>();

  void add(String name) {
    names.add(Excerpt.of(name));
    if (names.size() > LIMIT + 1) {
      names.pollLast();
    }
  }

  void tell(RowSink sink) {
    names.forEach(sink::unknownColumn);
  }
}
