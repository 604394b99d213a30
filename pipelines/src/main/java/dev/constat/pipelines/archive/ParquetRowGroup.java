package dev.constat.pipelines.archive;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.archive.ParquetColumns.MisfitException;
import dev.constat.pipelines.archive.ParquetColumns.Used;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import org.apache.parquet.ParquetRuntimeException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Reads one row group of a Parquet file, row by row, its used columns alone. Rows that could be
 * decoded count; from one that could not, the rest of the group is unreadable.
 */
final class ParquetRowGroup {

  /** Thrift prints objects by where they lie in memory, which is elsewhere every time. */
  private static final Pattern OBJECT = Pattern.compile("@[0-9a-f]{1,8}\\b");

  private final Split split;
  private final Layout layout;
  private final Archive archive;
  private final RowSink sink;
  private final RowBuilder builder;
  private final Limits limits;

  ParquetRowGroup(Split split, Layout layout, Archive archive, RowSink sink, Limits limits) {
    this.split = split;
    this.layout = layout;
    this.archive = archive;
    this.sink = sink;
    this.limits = limits;
    this.builder = new RowBuilder(layout, archive, sink);
  }

  /** Reads the rows whose number in the file is wanted. */
  void read(LongPredicate wanted) throws IOException {
    try (ParquetInput input = ParquetInput.open(split.file())) {
      try (ParquetFileReader reader = input.openReader(limits.pageBytes())) {
        read(input, reader, wanted);
      } catch (MisfitException e) {
        throw new IllegalStateException("A file was planned that does not fit: " + split, e);
      } finally {
        input.rethrowFailure();
      }
    }
  }

  private void read(ParquetInput input, ParquetFileReader reader, LongPredicate wanted)
      throws IOException, MisfitException {
    MessageType schema = reader.getFileMetaData().getSchema();
    ParquetColumns columns = ParquetColumns.of(split.file(), schema, layout, archive);
    MessageType projection = columns.schema(schema);
    reader.setRequestedSchema(projection);

    List<ParquetCell> cells = new ArrayList<>();
    List<NestedColumn> nested = new ArrayList<>();
    List<ColumnReader> readers = new ArrayList<>();
    long rows;
    try {
      Map<List<String>, PrimitiveConverter> converters = new HashMap<>();
      for (Used used : columns.used()) {
        if (used.nested() != null) {
          nested.add(new NestedColumn(used, builder, limits.lineBytes()));
          used.nested().leaves().forEach(leaf -> converters.put(leaf.path(), leaf));
        }
      }
      checkPages(input, reader.getRowGroups().get(split.part()), projection);
      PageReadStore pages = new CheckedPages(reader.readRowGroup(split.part()));
      rows = pages.getRowCount();
      List<Used> flat = new ArrayList<>();
      for (Used used : columns.used()) {
        if (used.nested() == null) {
          ParquetCell cell = new ParquetCell(builder, used);
          if (converters.get(used.path()) instanceof NestedLeaf leaf) {
            // A column is read once, for the nested value and by itself.
            leaf.giveTo(cell);
          } else {
            converters.put(used.path(), cell);
            cells.add(cell);
            flat.add(used);
          }
        }
      }
      ColumnReadStoreImpl store =
          new ColumnReadStoreImpl(
              pages,
              new Converters(projection, ImmutableList.of(), converters),
              projection,
              reader.getFileMetaData().getCreatedBy());
      for (Used used : flat) {
        readers.add(open(store, projection.getColumnDescription(array(used.path())), rows));
      }
      for (NestedColumn column : nested) {
        for (NestedLeaf leaf : column.leaves()) {
          leaf.open(store.getColumnReader(projection.getColumnDescription(array(leaf.path()))));
        }
      }
    } catch (IOException | RuntimeException e) {
      tell(split.start(), e);
      return;
    }
    readRows(cells, readers, nested, rows, wanted);
  }

  private void checkPages(ParquetInput input, BlockMetaData group, MessageType projection)
      throws IOException {
    Map<List<String>, ColumnChunkMetaData> chunks = new HashMap<>();
    for (ColumnChunkMetaData chunk : group.getColumns()) {
      chunks.put(ImmutableList.copyOf(chunk.getPath().toArray()), chunk);
    }
    long together = 0;
    for (ColumnDescriptor column : projection.getColumns()) {
      together +=
          PageHeaders.check(
              input.newStream(),
              chunks.get(ImmutableList.copyOf(column.getPath())),
              group.getRowCount(),
              column.getMaxRepetitionLevel() == 0,
              limits.pageBytes());
    }
    if (together > limits.rowGroupBytes()) {
      throw new RefusedException(
          ("it is over limits.row_group_bytes: pages of all columns used take %s bytes unpacked,"
                  + " more than %s")
              .formatted(together, limits.rowGroupBytes()),
          "raise it with limits: {row_group_bytes: ...} in the run spec, or write the file with"
              + " smaller pages");
    }
  }

  private static String[] array(List<String> path) {
    return path.toArray(String[]::new);
  }

  private static ColumnReader open(ColumnReadStoreImpl store, ColumnDescriptor column, long rows) {
    ColumnReader reader = store.getColumnReader(column);
    Preconditions.checkArgument(
        reader.getTotalValueCount() == rows,
        "column %s has %s values in %s rows",
        String.join("/", column.getPath()),
        reader.getTotalValueCount(),
        rows);
    return reader;
  }

  private void readRows(
      List<ParquetCell> cells,
      List<ColumnReader> readers,
      List<NestedColumn> nested,
      long rows,
      LongPredicate wanted) {
    ParquetCell[] cellArray = cells.toArray(ParquetCell[]::new);
    ColumnReader[] readerArray = readers.toArray(ColumnReader[]::new);
    NestedColumn[] nestedArray = nested.toArray(NestedColumn[]::new);
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
        for (NestedColumn column : nestedArray) {
          column.next(kept);
        }
      } catch (RuntimeException e) {
        tell(place, e);
        return;
      }
      if (kept) {
        builder.end(place);
      }
    }
    try {
      nested.forEach(NestedColumn::end);
    } catch (RuntimeException e) {
      tell(split.place(split.firstRow() + rows, 0), e);
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
    int level = reader.getCurrentDefinitionLevel();
    int deepest = reader.getDescriptor().getMaxDefinitionLevel();
    Preconditions.checkArgument(level <= deepest, "wrong definition levels");
    return level == deepest;
  }

  private void tell(Place from, Exception e) {
    sink.unreadable(
        WholeFile.unreadable(
            from,
            "row group %s cannot be decoded from row %s on: %s"
                .formatted(split.part(), from.position(), cause(e)),
            RefusedException.remedy(e)));
  }

  /** What is said to be wrong, or the kind of exception where parquet-java merely stumbled. */
  static String cause(Throwable e) {
    Throwable root = e;
    Throwable meant = null;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      root = cause;
      boolean says =
          cause instanceof IOException
              || cause instanceof ParquetRuntimeException
              || cause instanceof IllegalArgumentException;
      meant = says && cause.getMessage() != null ? cause : meant;
    }
    return meant == null
        ? root.getClass().getSimpleName()
        : Excerpt.of(OBJECT.matcher(meant.getMessage()).replaceAll(""), 200);
  }

  /** Hands each column its converter. */
  private static final class Converters extends GroupConverter {

    private final GroupType group;
    private final ImmutableList<String> path;
    private final Map<List<String>, PrimitiveConverter> byPath;

    Converters(
        GroupType group, ImmutableList<String> path, Map<List<String>, PrimitiveConverter> byPath) {
      this.group = group;
      this.path = path;
      this.byPath = byPath;
    }

    @Override
    public Converter getConverter(int field) {
      Type type = group.getType(field);
      ImmutableList<String> below =
          ImmutableList.<String>builder().addAll(path).add(type.getName()).build();
      return type.isPrimitive()
          ? byPath.get(below)
          : new Converters(type.asGroupType(), below, byPath);
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

  /** A nested column, whose values the current row takes as JSON. */
  private static final class NestedColumn {

    private final NestedValue value;
    private final RowBuilder row;
    private final NestedText text;
    private final int[] columns;

    NestedColumn(Used used, RowBuilder row, int textLimit) {
      this.value = used.nested();
      this.row = row;
      this.text =
          new NestedText(
              leaves().stream().map(NestedLeaf::name).collect(ImmutableList.toImmutableList()),
              textLimit);
      this.columns = used.columns().stream().mapToInt(Integer::intValue).toArray();
      leaves().forEach(leaf -> leaf.giveTo(text));
    }

    ImmutableList<NestedLeaf> leaves() {
      return value.leaves();
    }

    /** Reads the next row, for use or not. */
    void next(boolean kept) {
      if (!kept) {
        value.skipRow();
        return;
      }
      if (value.begins()) {
        text.begin();
        value.write(text);
        text.giveTo(row, columns);
      } else {
        for (int column : columns) {
          row.nothing(column);
        }
      }
    }

    void end() {
      leaves().forEach(NestedLeaf::end);
    }
  }
}
