package dev.constat.pipelines.archive;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.parquet.ParquetRuntimeException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * A file of a table that a run wrote, read back: first the few columns that tell which rows are
 * wanted, then these rows. Values have the types that {@link TableSchema.Type} names, texts and
 * files as {@link String}. A column that the file lacks has no values.
 *
 * @param path where it lies
 * @param name its name in messages
 * @param table its table
 */
public record TableFile(Path path, String name, TableSchema table) {

  /** Tells whether a row is wanted by what it has in some columns of text. */
  @FunctionalInterface
  public interface Choice {

    /** Whether it is; {@code texts} are UTF-8, null where there is none, and used again. */
    boolean wants(byte[][] texts);
  }

  /**
   * Rows that are wanted.
   *
   * @param numbers theirs, from 0, as far as they were kept
   * @param total how many there are
   */
  public record Found(SortedSet<Long> numbers, long total) {}

  /**
   * Finds the rows that are wanted.
   *
   * @param columns columns of text, the only ones that are read
   * @param limit how many numbers are kept
   * @throws IOException if the file is not there or is no such table
   */
  public Found find(List<String> columns, Choice choice, int limit) throws IOException {
    SortedSet<Long> found = new TreeSet<>();
    long[] total = new long[1];
    byte[][] texts = new byte[columns.size()][];
    List<Column> asked =
        columns.stream()
            .map(column -> new Column(column, TableSchema.Type.BYTES))
            .collect(ImmutableList.toImmutableList());
    scan(
        asked,
        null,
        (row, values) -> {
          for (int i = 0; i < texts.length; i++) {
            texts[i] = (byte[]) values[i];
          }
          if (choice.wants(texts) && total[0]++ < limit) {
            found.add(row);
          }
        });
    return new Found(found, total[0]);
  }

  /**
   * Reads rows as a whole.
   *
   * @param rows their numbers
   * @param reader is handed them in the order of the file
   * @throws IOException if the file is not there or is no such table
   */
  public void read(SortedSet<Long> rows, Consumer<Object[]> reader) throws IOException {
    if (!rows.isEmpty()) {
      scan(table.columns(), rows, (row, values) -> reader.accept(values.clone()));
    }
  }

  @FunctionalInterface
  private interface Rows {

    void row(long number, Object[] values);
  }

  private void scan(List<Column> asked, SortedSet<Long> wanted, Rows rows) throws IOException {
    try (ParquetInput input = ParquetInput.open(path, name)) {
      try (ParquetFileReader reader = input.openReader()) {
        scan(reader, asked, wanted, rows);
      } catch (ParquetRuntimeException | IllegalArgumentException | ClassCastException e) {
        throw new IOException(name + " cannot be read: " + ParquetRowGroup.cause(e), e);
      } finally {
        input.rethrowFailure();
      }
    }
  }

  private static void scan(
      ParquetFileReader reader, List<Column> asked, SortedSet<Long> wanted, Rows rows)
      throws IOException {
    MessageType schema = reader.getFileMetaData().getSchema();
    List<Type> fields = new ArrayList<>();
    for (Column column : asked) {
      if (schema.containsField(column.name())) {
        fields.add(schema.getType(column.name()));
      }
    }
    if (fields.isEmpty()) {
      return;
    }
    MessageType projection = new MessageType(schema.getName(), fields);
    reader.setRequestedSchema(projection);
    String writer = reader.getFileMetaData().getCreatedBy();
    long first = 0;
    int group = 0;
    for (BlockMetaData block : reader.getRowGroups()) {
      long behind = first + block.getRowCount();
      if (wanted == null || !wanted.subSet(first, behind).isEmpty()) {
        PageReadStore pages = new CheckedPages(reader.readRowGroup(group));
        Cell[] cells = new Cell[asked.size()];
        for (int i = 0; i < cells.length; i++) {
          Column column = asked.get(i);
          cells[i] =
              projection.containsField(column.name())
                  ? Cell.of(column, pages, projection, writer)
                  : null;
        }
        read(cells, first, behind, wanted, rows);
      }
      first = behind;
      group++;
    }
  }

  private static void read(
      Cell[] cells, long first, long behind, SortedSet<Long> wanted, Rows rows) {
    Object[] values = new Object[cells.length];
    for (long row = first; row < behind; row++) {
      boolean kept = wanted == null || wanted.contains(row);
      for (int i = 0; i < cells.length; i++) {
        if (cells[i] != null) {
          values[i] = cells[i].next(kept);
        }
      }
      if (kept) {
        rows.row(row, values);
      }
    }
  }

  /** Reads one column, row after row. */
  private interface Cell {

    /** The value in the next row; nothing where it is not {@code kept}. */
    Object next(boolean kept);

    static Cell of(Column column, PageReadStore pages, MessageType schema, String writer) {
      List<Leaf> leaves = new ArrayList<>();
      for (ColumnDescriptor descriptor : schema.getColumns()) {
        if (descriptor.getPath()[0].equals(column.name())) {
          leaves.add(new Leaf(descriptor, pages, schema, writer));
        }
      }
      return switch (column.type()) {
        case TEXT, FILE, JSON, FINDINGS, SENTENCE -> kept -> text(leaves.get(0).value(kept));
        case TIME -> kept -> time(leaves.get(0).value(kept));
        case BYTES, LONG, BOOLEAN -> kept -> leaves.get(0).value(kept);
        case TEXTS -> kept -> leaves.get(0).values(kept).stream().map(Cell::text).toList();
        case WINDOWS -> kept -> windows(leaves, kept);
      };
    }

    private static String text(Object value) {
      return value == null ? null : new String((byte[]) value, StandardCharsets.UTF_8);
    }

    private static Instant time(Object value) {
      return value == null ? null : Instant.ofEpochSecond(0, (Long) value);
    }

    private static List<Object[]> windows(List<Leaf> leaves, boolean kept) {
      List<List<Object>> members = leaves.stream().map(leaf -> leaf.values(kept)).toList();
      List<Object[]> windows = new ArrayList<>();
      for (int i = 0; i < members.get(0).size(); i++) {
        windows.add(
            new Object[] {
              text(members.get(0).get(i)),
              text(members.get(1).get(i)),
              time(members.get(2).get(i)),
              text(members.get(3).get(i))
            });
      }
      return windows;
    }
  }

  /** The values of one column of the file, in order. */
  private static final class Leaf {

    private final ColumnReader reader;
    private final int present;
    private final PrimitiveType type;

    Leaf(ColumnDescriptor column, PageReadStore pages, MessageType schema, String writer) {
      // The values are asked for one by one, so nobody is told of them.
      reader =
          new ColumnReadStoreImpl(pages, new Unheard(), schema, writer).getColumnReader(column);
      present = column.getMaxDefinitionLevel();
      type =
          switch (column.getPrimitiveType().getPrimitiveTypeName()) {
            case BINARY -> PrimitiveType.BYTES;
            case INT64 -> PrimitiveType.LONG;
            case BOOLEAN -> PrimitiveType.BOOLEAN;
            default ->
                throw new IllegalArgumentException(
                    "column " + column.getPath()[0] + " is none of a table");
          };
    }

    private enum PrimitiveType {
      BYTES,
      LONG,
      BOOLEAN
    }

    /** The only value of the next row. */
    Object value(boolean kept) {
      Object value = current(kept);
      reader.consume();
      return value;
    }

    /** The elements of the list in the next row. */
    List<Object> values(boolean kept) {
      List<Object> values = new ArrayList<>();
      boolean any = reader.getCurrentDefinitionLevel() > 0;
      do {
        Object value = current(kept);
        if (kept && any) {
          values.add(value);
        }
        reader.consume();
      } while (reader.getCurrentRepetitionLevel() > 0);
      return values;
    }

    private Object current(boolean kept) {
      if (reader.getCurrentDefinitionLevel() < present) {
        return null;
      }
      if (!kept) {
        reader.skip();
        return null;
      }
      return switch (type) {
        case BYTES -> reader.getBinary().getBytes();
        case LONG -> reader.getLong();
        case BOOLEAN -> reader.getBoolean();
      };
    }
  }

  /** Stands where somebody would be handed values. */
  private static final class Unheard extends GroupConverter {

    @Override
    public Converter getConverter(int field) {
      return new UnheardMember();
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

  /** A group with members, or a value. */
  private static final class UnheardMember extends PrimitiveConverter {

    @Override
    public GroupConverter asGroupConverter() {
      return new Unheard();
    }

    @Override
    public boolean isPrimitive() {
      return true;
    }
  }
}
