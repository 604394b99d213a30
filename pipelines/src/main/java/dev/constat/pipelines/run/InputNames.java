package dev.constat.pipelines.run;

import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.output.Evidence;
import dev.constat.pipelines.output.Places;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.reconcile.InputFindings;
import dev.constat.rules.reconcile.ReadTally;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Names files and records as reports do: files relative to the run spec, lines by their number in
 * the whole file, which is known once every part of it was counted.
 */
final class InputNames implements Places, InputFindings.Files {

  private final Map<List<Integer>, String> names = new HashMap<>();
  private final Map<List<Integer>, SortedMap<Integer, Long>> linesBefore = new HashMap<>();

  /**
   * Names of a run.
   *
   * @param tally what reading counted
   */
  InputNames(List<ArchiveFile> files, Tally tally) {
    for (ArchiveFile file : files) {
      Input input = file.input();
      List<Integer> key = List.of(input.ordinal(), file.rank());
      names.put(key, file.name());
      SortedMap<Integer, Long> counts = new TreeMap<>();
      tally
          .sumsUnder(ReadTally.LINES, input.key(), Integer.toString(file.rank()))
          .forEach((path, count) -> counts.put(Integer.valueOf(path.get(0)), count));
      if (!counts.isEmpty()) {
        long before = 0;
        for (Map.Entry<Integer, Long> part : counts.entrySet()) {
          long lines = part.getValue();
          part.setValue(before);
          before += lines;
        }
        linesBefore.put(key, counts);
      }
    }
  }

  @Override
  public String name(Input input, int file) {
    return names.get(List.of(input.ordinal(), file));
  }

  @Override
  public String place(Place place) {
    Evidence evidence = of(place);
    if (evidence instanceof Evidence.Line line) {
      return "line " + line.line();
    }
    Evidence.Row row = (Evidence.Row) evidence;
    return "row group " + row.rowGroup() + ", row " + row.row();
  }

  @Override
  public Evidence of(Place place) {
    List<Integer> key = List.of(place.input(), place.file());
    String name = names.get(key);
    SortedMap<Integer, Long> before = linesBefore.get(key);
    return before == null
        ? new Evidence.Row(name, place.part(), place.position())
        : new Evidence.Line(name, before.get(place.part()) + place.line() + 1, place.position());
  }
}
