package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableMap;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;

/**
 * Rows as parquet-java would have them written: through its tree of fields, value by value. {@link
 * RowColumns} has to give the same bytes.
 */
final class PlainRowWriter extends WriteSupport<Object[]> {

  private static final Instant EARLIEST = Instant.ofEpochSecond(0, Long.MIN_VALUE);
  private static final Instant LATEST = Instant.ofEpochSecond(0, Long.MAX_VALUE);

  private final InputFiles files;
  private final MessageType schema;
  private final Fields fields;
  private final Fields windowFields = new Fields(RowColumns.WINDOW);
  private RecordConsumer out;

  /**
   * Writes rows of {@code table}.
   *
   * @param files names of the files of the inputs
   */
  PlainRowWriter(TableSchema table, InputFiles files) {
    this.files = files;
    schema = new RowColumns(table, files).schema();
    fields = new Fields(table.columns());
  }

  @Override
  @SuppressWarnings("deprecation") // abstract all the same
  public WriteContext init(Configuration conf) {
    return init();
  }

  @Override
  public WriteContext init(ParquetConfiguration conf) {
    return init();
  }

  private WriteContext init() {
    return new WriteContext(schema, ImmutableMap.of("constat.contract", "constat/1"));
  }

  @Override
  public void prepareForWrite(RecordConsumer consumer) {
    out = consumer;
  }

  @Override
  public void write(Object[] row) {
    if (row.length != fields.names.length) {
      throw new IllegalArgumentException(
          "A row has " + row.length + " values, its table " + fields.names.length + " columns");
    }
    out.startMessage();
    fields.write(row);
    out.endMessage();
  }

  /** The fields of a row or a group, each with what writes its values. */
  private final class Fields {

    private final String[] names;
    private final List<Consumer<Object>> writers;

    Fields(List<Column> columns) {
      names = columns.stream().map(Column::name).toArray(String[]::new);
      writers = columns.stream().map(PlainRowWriter.this::writerOf).toList();
    }

    void write(Object[] values) {
      for (int i = 0; i < values.length; i++) {
        if (values[i] != null && fits(values[i])) {
          out.startField(names[i], i);
          writers.get(i).accept(values[i]);
          out.endField(names[i], i);
        }
      }
    }
  }

  private Consumer<Object> writerOf(Column column) {
    return switch (column.type()) {
      case TEXT, JSON, BYTES -> value -> out.addBinary(binary(value));
      case SENTENCE ->
          value ->
              out.addBinary(
                  binary(
                      value instanceof byte[] bytes
                          ? Sentence.read(bytes).toString()
                          : value.toString()));
      case FINDINGS -> throw new IllegalArgumentException("Findings are no value");
      case TIME -> value -> writeTime((Instant) value);
      case FILE -> value -> out.addBinary(Binary.fromString(files.name((Place) value)));
      case LONG -> value -> out.addLong((Long) value);
      case BOOLEAN -> value -> out.addBoolean((Boolean) value);
      case TEXTS -> value -> writeList((List<?>) value, text -> out.addBinary(binary(text)));
      case WINDOWS -> value -> writeList((List<?>) value, this::writeWindow);
    };
  }

  private static boolean fits(Object value) {
    return !(value instanceof Instant time) || !time.isBefore(EARLIEST) && !time.isAfter(LATEST);
  }

  private void writeTime(Instant time) {
    // Just above EARLIEST the product alone overflows; the sum wraps back.
    out.addLong(time.getEpochSecond() * 1_000_000_000L + time.getNano());
  }

  private void writeList(List<?> elements, Consumer<Object> writer) {
    out.startGroup();
    if (!elements.isEmpty()) {
      out.startField("list", 0);
      for (Object element : elements) {
        out.startGroup();
        out.startField("element", 0);
        writer.accept(element);
        out.endField("element", 0);
        out.endGroup();
      }
      out.endField("list", 0);
    }
    out.endGroup();
  }

  private void writeWindow(Object window) {
    out.startGroup();
    windowFields.write((Object[]) window);
    out.endGroup();
  }

  private static Binary binary(Object value) {
    return value instanceof String text
        ? Binary.fromConstantByteArray(text.getBytes(StandardCharsets.UTF_8))
        : Binary.fromReusedByteArray((byte[]) value);
  }
}
