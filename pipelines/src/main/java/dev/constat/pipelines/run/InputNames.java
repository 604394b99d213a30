package dev.constat.pipelines.run;

import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.output.Evidence;
import dev.constat.pipelines.output.Places;
import dev.constat.pipelines.tables.ExtractKeys;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.reconcile.InputFindings;
import dev.constat.rules.reconcile.LineNumbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Names files and records as reports do: files relative to the run spec, lines by their number in
 * the whole file, which is known once every part of it was counted; rows of tables by their key.
 */
final class InputNames implements Places, InputFindings.Files, AutoCloseable {

  private final Map<List<Integer>, ArchiveFile> files = new HashMap<>();
  private final Map<ArchiveFile, ExtractKeys> keys = new HashMap<>();
  private final LineNumbers lines;
  private final UnaryOperator<String> shown;

  /**
   * Names of a run.
   *
   * @param tally what reading counted
   * @param shown makes of the key of a row what may be shown of it
   */
  InputNames(List<ArchiveFile> files, Tally tally, UnaryOperator<String> shown) {
    this.shown = shown;
    this.lines = new LineNumbers(tally);
    for (ArchiveFile file : files) {
      this.files.put(List.of(file.input().ordinal(), file.rank()), file);
    }
  }

  @Override
  public String name(Input input, int file) {
    return files.get(List.of(input.ordinal(), file)).name();
  }

  @Override
  public String place(Place place) {
    Evidence evidence = of(place);
    if (evidence instanceof Evidence.TableRow row) {
      return row.key() == null ? "a row without a key that can be read" : "key " + row.key();
    }
    if (evidence instanceof Evidence.Line line) {
      return "line " + line.line();
    }
    Evidence.Row row = (Evidence.Row) evidence;
    return "row group " + row.rowGroup() + ", row " + row.row();
  }

  @Override
  public Evidence of(Place place) {
    ArchiveFile file = files.get(List.of(place.input(), place.file()));
    if (file.isExtract()) {
      return new Evidence.TableRow(file.name(), key(file, place));
    }
    Long line = lines.of(place);
    return line == null
        ? new Evidence.Row(file.name(), place.part(), place.position())
        : new Evidence.Line(file.name(), line, place.position());
  }

  private String key(ArchiveFile file, Place place) {
    try {
      ExtractKeys of = keys.get(file);
      if (of == null) {
        of = new ExtractKeys(file.path(), file.keyColumn());
        keys.put(file, of);
      }
      return shown.apply(of.at(place.position()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (ExtractKeys of : keys.values()) {
      of.close();
    }
  }
}
