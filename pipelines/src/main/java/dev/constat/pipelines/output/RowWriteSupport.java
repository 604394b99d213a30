package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableMap;
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
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/** Writes rows of a table value by value, without a record object in between. */
final class RowWriteSupport extends WriteSupport<Object[]> {

  private static final Instant EARLIEST = Instant.ofEpochSecond(0, Long.MIN_VALUE);
  private static final Instant LATEST = Instant.ofEpochSecond(0, Long.MAX_VALUE);

  private final MessageType schema;
  private final String[] names;
  private final List<Consumer<Object>> writers;
  private final Runnable afterLastRowGroup;
  private RecordConsumer out;

  /**
   * Writes rows of {@code table}.
   *
   * @param afterLastRowGroup called once all row groups are written, before the footer is
   */
  RowWriteSupport(TableSchema table, Runnable afterLastRowGroup) {
    this.afterLastRowGroup = afterLastRowGroup;
    schema =
        new MessageType("constat", table.columns().stream().map(RowWriteSupport::typeOf).toList());
    names = table.columns().stream().map(Column::name).toArray(String[]::new);
    writers = table.columns().stream().map(this::writerOf).toList();
  }

  private static Type typeOf(Column column) {
    return switch (column.type()) {
      case TEXT ->
          Types.optional(PrimitiveTypeName.BINARY)
              .as(LogicalTypeAnnotation.stringType())
              .named(column.name());
      case BYTES -> Types.optional(PrimitiveTypeName.BINARY).named(column.name());
      case TIME ->
          Types.optional(PrimitiveTypeName.INT64)
              .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.NANOS))
              .named(column.name());
      case LONG -> Types.optional(PrimitiveTypeName.INT64).named(column.name());
      case BOOLEAN -> Types.optional(PrimitiveTypeName.BOOLEAN).named(column.name());
      case TEXTS ->
          Types.requiredList()
              .requiredElement(PrimitiveTypeName.BINARY)
              .as(LogicalTypeAnnotation.stringType())
              .named(column.name());
    };
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
  public FinalizedWriteContext finalizeWrite() {
    afterLastRowGroup.run();
    return super.finalizeWrite();
  }

  @Override
  public void prepareForWrite(RecordConsumer consumer) {
    out = consumer;
  }

  @Override
  public void write(Object[] row) {
    if (row.length != names.length) {
      throw new IllegalArgumentException(
          "A row has " + row.length + " values, its table " + names.length + " columns");
    }
    out.startMessage();
    for (int i = 0; i < row.length; i++) {
      if (row[i] != null && fits(row[i])) {
        out.startField(names[i], i);
        writers.get(i).accept(row[i]);
        out.endField(names[i], i);
      }
    }
    out.endMessage();
  }

  private Consumer<Object> writerOf(Column column) {
    return switch (column.type()) {
      case TEXT, BYTES -> value -> out.addBinary(binary(value));
      case TIME -> value -> writeTime((Instant) value);
      case LONG -> value -> out.addLong((Long) value);
      case BOOLEAN -> value -> out.addBoolean((Boolean) value);
      case TEXTS -> value -> writeTexts((List<?>) value);
    };
  }

  private static boolean fits(Object value) {
    return !(value instanceof Instant time) || !time.isBefore(EARLIEST) && !time.isAfter(LATEST);
  }

  private void writeTime(Instant time) {
    // Just above EARLIEST the product alone overflows; the sum wraps back.
    out.addLong(time.getEpochSecond() * 1_000_000_000L + time.getNano());
  }

  private void writeTexts(List<?> texts) {
    out.startGroup();
    if (!texts.isEmpty()) {
      out.startField("list", 0);
      for (Object text : texts) {
        out.startGroup();
        out.startField("element", 0);
        out.addBinary(binary(text));
        out.endField("element", 0);
        out.endGroup();
      }
      out.endField("list", 0);
    }
    out.endGroup();
  }

  private static Binary binary(Object value) {
    return value instanceof String text
        ? Binary.fromConstantByteArray(text.getBytes(StandardCharsets.UTF_8))
        : Binary.fromReusedByteArray((byte[]) value);
  }
}
