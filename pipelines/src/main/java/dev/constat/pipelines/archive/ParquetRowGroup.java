package dev.constat.pipelines.archive;

import com.google.common.base.Preconditions;
import dev.constat.pipelines.archive.ParquetColumns.MisfitException;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.parquet.ParquetRuntimeException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.schema.MessageType;

/**
 * Reads one row group of a Parquet file, row by row, its used columns alone. Rows that could be
 * decoded count; from one that could not, the rest of the group is unreadable.
 */
final class ParquetRowGroup {

  private final Split split;
  private final Layout layout;
  private final Archive archive;
  private final RowSink sink;
  private final RowBuilder builder;

  ParquetRowGroup(Split split, Layout layout, Archive archive, RowSink sink) {
    this.split = split;
    this.layout = layout;
    this.archive = archive;
    this.sink = sink;
    this.builder = new RowBuilder(layout, archive, sink);
  }

  /** Reads the rows whose number in the file is wanted. */
  void read(LongPredicate wanted) throws IOException {
    try (ParquetInput input = ParquetInput.open(split.file())) {
      try (ParquetFileReader reader = input.openReader()) {
        read(reader, wanted);
      } catch (MisfitException e) {
        throw new IllegalStateException("A file was planned that does not fit: " + split, e);
      } finally {
        input.rethrowFailure();
      }
    }
  }

  private void read(ParquetFileReader reader, LongPredicate wanted)
      throws IOException, MisfitException {
    MessageType schema = reader.getFileMetaData().getSchema();
    ParquetColumns columns = ParquetColumns.of(split.file(), schema, layout, archive);
    MessageType projection = columns.schema(schema);
    reader.setRequestedSchema(projection);

    List<ParquetCell> cells = new ArrayList<>();
    columns.used().forEach(used -> cells.add(new ParquetCell(builder, used)));
    List<ColumnReader> readers = new ArrayList<>();
    long rows;
    try {
      PageReadStore pages = new CheckedPages(reader.readRowGroup(split.part()));
      rows = pages.getRowCount();
      ColumnReadStoreImpl store =
          new ColumnReadStoreImpl(
              pages, new Root(cells), projection, reader.getFileMetaData().getCreatedBy());
      for (ColumnDescriptor column : projection.getColumns()) {
        readers.add(open(store, column, rows));
      }
    } catch (IOException | RuntimeException e) {
      tell(split.start(), e);
      return;
    }
    readRows(cells, readers, rows, wanted);
  }

  private static ColumnReader open(ColumnReadStoreImpl store, ColumnDescriptor column, long rows) {
    ColumnReader reader = store.getColumnReader(column);
    Preconditions.checkArgument(
        reader.getTotalValueCount() == rows,
        "column %s has %s values in %s rows",
        column.getPath()[0],
        reader.getTotalValueCount(),
        rows);
    return reader;
  }

  private void readRows(
      List<ParquetCell> cells, List<ColumnReader> readers, long rows, LongPredicate wanted) {
    ParquetCell[] cellArray = cells.toArray(ParquetCell[]::new);
    ColumnReader[] readerArray = readers.toArray(ColumnReader[]::new);
    for (long row = 0; row < rows; row++) {
      Place place = split.place(split.firstRow() + row, 0);
      boolean kept = wanted.test(place.position());
      if (kept) {
        builder.begin();
      }
      try {
        for (int i = 0; i < readerArray.length; i++) {
          // Only now, so that a page that cannot be opened does not cost the row before it.
          if (row > 0) {
            readerArray[i].consume();
          }
          if (kept) {
            give(readerArray[i], cellArray[i]);
          } else {
            skip(readerArray[i]);
          }
        }
      } catch (RuntimeException e) {
        tell(place, e);
        return;
      }
      if (kept) {
        builder.end(place);
      }
    }
  }

  private static void give(ColumnReader reader, ParquetCell cell) {
    if (isPresent(reader)) {
      reader.writeCurrentValueToConverter();
    } else {
      cell.nothing();
    }
  }

  private static void skip(ColumnReader reader) {
    if (isPresent(reader)) {
      reader.skip();
    }
  }

  private static boolean isPresent(ColumnReader reader) {
    return reader.getCurrentDefinitionLevel() == reader.getDescriptor().getMaxDefinitionLevel();
  }

  private void tell(Place from, Exception e) {
    sink.unreadable(
        WholeFile.unreadable(
            from,
            "row group %s cannot be decoded from row %s on: %s"
                .formatted(split.part(), from.position(), cause(e)),
            "fetch or write the file again"));
  }

  /** What parquet-java says is wrong, or the kind of exception where it merely stumbled. */
  static String cause(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    boolean meant =
        root instanceof IOException
            || root instanceof ParquetRuntimeException
            || root instanceof IllegalArgumentException;
    return meant && root.getMessage() != null
        ? Excerpt.of(root.getMessage(), 200)
        : root.getClass().getSimpleName();
  }

  /** Hands each column its cell. */
  private static final class Root extends GroupConverter {

    private final List<ParquetCell> cells;

    Root(List<ParquetCell> cells) {
      this.cells = cells;
    }

    @Override
    public Converter getConverter(int field) {
      return cells.get(field);
    }

    @Override
    public void start() {
      throw new IllegalStateException("Columns are read one by one");
    }

    @Override
    public void end() {
      throw new IllegalStateException("Columns are read one by one");
    }
  }
}
