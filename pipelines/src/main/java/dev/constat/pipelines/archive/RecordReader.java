package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Reads a few records of a file again, by their positions: {@link Place#position}. */
public final class RecordReader {

  private RecordReader() {}

  /**
   * Hands over the records at {@code positions}, as far as they can be read, in the order of the
   * file. Plain files are read only where the records are; a gzip file or row group is passed from
   * its beginning.
   *
   * @param limits those with which the file was read
   * @throws ArchiveChangedException if the file changes meanwhile
   */
  public static void read(
      ArchiveFile file,
      Layout layout,
      Archive archive,
      Limits limits,
      SortedSet<Long> positions,
      Consumer<Row> rows)
      throws IOException {
    RowSink sink = new RowsAt(positions, rows);
    List<Split> splits = SplitPlanner.create().withLimits(limits).plan(file, layout, archive, sink);
    for (int i = 0; i < splits.size(); i++) {
      Split split = splits.get(i);
      SortedSet<Long> here =
          new TreeSet<>(
              positions.subSet(
                  first(split), i + 1 < splits.size() ? first(splits.get(i + 1)) : Long.MAX_VALUE));
      if (!here.isEmpty()) {
        read(split, layout, archive, limits, here, sink);
      }
    }
    file.requireUnchanged();
  }

  private static long first(Split split) {
    return split.start().position();
  }

  /**
   * Reads what stands at positions of a split; where all of it has to be passed, the sink is handed
   * other records too.
   */
  static void read(
      Split split,
      Layout layout,
      Archive archive,
      Limits limits,
      SortedSet<Long> positions,
      RowSink sink)
      throws IOException {
    JsonLines lines = new JsonLines(split, layout, archive, sink, limits);
    switch (split.kind()) {
      case LINES -> {
        for (long position : positions) {
          lines.readLine(split.place(position, 0));
        }
      }
      case GZIP_LINES -> lines.readGzip();
      case ROW_GROUP -> new ParquetRowGroup(split, layout, archive, sink).read(positions::contains);
      case DIGEST -> throw new IllegalArgumentException("A digest has no records: " + split);
    }
  }

  /** Keeps the rows that are asked for, and hears nothing else. */
  private static final class RowsAt extends RowsOnly {

    private final SortedSet<Long> positions;
    private final Consumer<Row> rows;

    RowsAt(SortedSet<Long> positions, Consumer<Row> rows) {
      this.positions = positions;
      this.rows = rows;
    }

    @Override
    public void row(Row row) {
      if (positions.contains(row.place().position())) {
        rows.accept(row);
      }
    }
  }
}
