package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Numbers the lines of whole files, which is possible once every part of them was counted: a place
 * counts only from the beginning of its part.
 */
public final class LineNumbers {

  private final Tally read;
  private final Map<List<Integer>, SortedMap<Integer, Long>> linesBefore = new HashMap<>();

  /**
   * Numbers of a run.
   *
   * @param read what reading counted
   */
  public LineNumbers(Tally read) {
    this.read = read;
  }

  /** The number of the line that stands there, from 1; null where the file has no lines. */
  public Long of(Place place) {
    SortedMap<Integer, Long> before =
        linesBefore.computeIfAbsent(
            List.of(place.input(), place.file()), file -> before(place.input(), place.file()));
    return before.isEmpty() ? null : before.get(place.part()) + place.line() + 1;
  }

  private SortedMap<Integer, Long> before(int input, int file) {
    SortedMap<Integer, Long> counts = new TreeMap<>();
    read.sumsUnder(ReadTally.LINES, Input.values()[input].key(), Integer.toString(file))
        .forEach((path, count) -> counts.put(Integer.valueOf(path.get(0)), count));
    long before = 0;
    for (Map.Entry<Integer, Long> part : counts.entrySet()) {
      long lines = part.getValue();
      part.setValue(before);
      before += lines;
    }
    return counts;
  }
}
