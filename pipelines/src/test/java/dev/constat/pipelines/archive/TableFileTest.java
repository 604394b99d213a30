package dev.constat.pipelines.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.pipelines.output.InputFiles;
import dev.constat.pipelines.output.ParquetTables;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was written comes back, row by row. */
final class TableFileTest {

  private static final TableSchema TABLE =
      TableSchema.of(
          "t",
          new Column("text", Type.TEXT),
          new Column("time", Type.TIME),
          new Column("count", Type.LONG, true),
          new Column("yes", Type.BOOLEAN),
          new Column("texts", Type.TEXTS),
          new Column("windows", Type.WINDOWS),
          new Column("file", Type.FILE));

  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00.000000001Z");
  private static final InputFiles FILES =
      new InputFiles(ImmutableListMultimap.of(Input.EVENTS, "a.jsonl", Input.EVENTS, "b.jsonl"));

  @TempDir private Path folder;

  private TableFile write(int rows) throws IOException {
    try (TableSink.Part part = new ParquetTables(folder.toString(), FILES).open(TABLE, 0, 1)) {
      for (int i = 0; i < rows; i++) {
        part.add(row(i));
      }
      String name = part.finish().orElseThrow().file();
      return new TableFile(folder.resolve(name), name, TABLE);
    }
  }

  /** Nulls, lists of none, one and two, in every combination sooner or later. */
  private static Object[] row(int i) {
    List<Object[]> windows = new ArrayList<>();
    for (int w = 0; w < i % 3; w++) {
      windows.add(new Object[] {"p" + w, i % 5 == 0 ? null : "1", w == 1 ? null : NOON, "ON_TIME"});
    }
    return new Object[] {
      i % 7 == 0 ? null : "t" + i % 10,
      i % 2 == 0 ? null : NOON.plusSeconds(i),
      i % 4 == 0 ? null : (long) i,
      i % 3 == 0 ? null : i % 2 == 0,
      List.of("a", "b").subList(0, i % 3),
      windows,
      i % 5 == 0 ? null : new Place(Input.EVENTS.ordinal(), i % 2, 0, i, 0)
    };
  }

  private static String shown(int i) {
    Object[] row = row(i);
    row[6] = row[6] == null ? null : i % 2 == 0 ? "a.jsonl" : "b.jsonl";
    return shown(row);
  }

  private static String shown(Object[] row) {
    Object[] shown = row.clone();
    shown[5] = Arrays.deepToString(((List<?>) row[5]).toArray());
    return Arrays.toString(shown);
  }

  @Test
  void wantedRowsComeBackWhole() throws IOException {
    TableFile file = write(5_000);
    List<String> read = new ArrayList<>();

    file.read(ImmutableSortedSet.of(0L, 1L, 17L, 2_111L, 4_999L), row -> read.add(shown(row)));

    assertThat(read).containsExactly(shown(0), shown(1), shown(17), shown(2_111), shown(4_999));
  }

  @Test
  void rowsAreFoundByTheirTexts() throws IOException {
    TableFile file = write(1_000);

    TableFile.Found found =
        file.find(
            List.of("text", "file"),
            texts ->
                Arrays.equals(texts[0], "t3".getBytes(UTF_8))
                    && Arrays.equals(texts[1], "b.jsonl".getBytes(UTF_8)),
            2);

    assertThat(found.numbers()).containsExactly(3L, 13L);
    assertThat(found.total()).isEqualTo(86);
  }

  @Test
  void aColumnThatTheFileLacksHasNoValues() throws IOException {
    TableFile file = write(10);
    TableSchema later =
        TableSchema.of("t", new Column("newer", Type.TEXT), new Column("count", Type.LONG));
    List<String> read = new ArrayList<>();

    new TableFile(file.path(), file.name(), later)
        .read(ImmutableSortedSet.of(3L), row -> read.add(Arrays.toString(row)));

    assertThat(read).containsExactly("[null, 3]");
  }

  @Test
  void whatIsNoTableIsNamed() {
    assertThatThrownBy(
            () ->
                new TableFile(folder.resolve("none"), "none", TABLE)
                    .find(List.of("text"), texts -> true, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none");
  }
}
