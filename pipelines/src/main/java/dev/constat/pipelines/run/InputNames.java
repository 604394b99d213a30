package dev.constat.pipelines.run;

import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.output.Evidence;
import dev.constat.pipelines.output.Places;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.reconcile.InputFindings;
import dev.constat.rules.reconcile.LineNumbers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names files and records as reports do: files relative to the run spec, lines by their number in
 * the whole file, which is known once every part of it was counted.
 */
final class InputNames implements Places, InputFindings.Files {

  private final Map<List<Integer>, String> names = new HashMap<>();
  private final LineNumbers lines;

  /**
   * Names of a run.
   *
   * @param tally what reading counted
   */
  InputNames(List<ArchiveFile> files, Tally tally) {
    this.lines = new LineNumbers(tally);
    for (ArchiveFile file : files) {
      names.put(List.of(file.input().ordinal(), file.rank()), file.name());
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
    String name = names.get(List.of(place.input(), place.file()));
    Long line = lines.of(place);
    return line == null
        ? new Evidence.Row(name, place.part(), place.position())
        : new Evidence.Line(name, line, place.position());
  }
}
