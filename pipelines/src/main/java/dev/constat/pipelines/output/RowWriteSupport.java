package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** The members of an element of {@link TableSchema.Type#WINDOWS}. */
  private static final ImmutableList<Column> WINDOW =
      ImmutableList.of(
          new Column("projection", TableSchema.Type.TEXT),
          new Column("version", TableSchema.Type.TEXT),
          new Column("window_start", TableSchema.Type.TIME),
          new Column("outcome", TableSchema.Type.TEXT));

  private static final Instant EARLIEST = Instant.ofEpochSecond(0, Long.MIN_VALUE);
  private static final Instant LATEST = Instant.ofEpochSecond(0, Long.MAX_VALUE);

  private final EncodedNames names;
  private final MessageType schema;
  private final Fields fields;
  private final Fields windowFields = new Fields(WINDOW);
  private final EncodedTexts encodedTexts = new EncodedTexts();
  private final Runnable afterLastRowGroup;
  private RecordConsumer out;

  /**
   * Writes rows of {@code table}.
   *
   * @param files names of the files of the inputs
   * @param afterLastRowGroup called once all row groups are written, before the footer is
   */
  RowWriteSupport(TableSchema table, InputFiles files, Runnable afterLastRowGroup) {
    this.names = new EncodedNames(files);
    this.afterLastRowGroup = afterLastRowGroup;
    schema =
        new MessageType("constat", table.columns().stream().map(RowWriteSupport::typeOf).toList());
    fields = new Fields(table.columns());
  }

  private static Type typeOf(Column column) {
    return switch (column.type()) {
      case TEXT, FILE, JSON ->
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
      case WINDOWS ->
          Types.requiredList()
              .element(
                  Types.requiredGroup()
                      .addFields(WINDOW.stream().map(RowWriteSupport::typeOf).toArray(Type[]::new))
                      .named("element"))
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
    if (row.length != fields.names.length) {
      throw new IllegalArgumentException(
          "A row has " + row.length + " values, its table " + fields.names.length + " columns");
    }
    out.startMessage();
    fields.write(row);
    out.endMessage();
  }

  /** The fields of a row or a group. */
  private final class Fields {

    private final String[] names;
    private final TableSchema.Type[] types;
    private final boolean[] distinct;

    Fields(List<Column> columns) {
      names = columns.stream().map(Column::name).toArray(String[]::new);
      types = columns.stream().map(Column::type).toArray(TableSchema.Type[]::new);
      distinct = new boolean[names.length];
      for (int i = 0; i < distinct.length; i++) {
        distinct[i] = columns.get(i).distinct();
      }
    }

    void write(Object[] values) {
      for (int i = 0; i < values.length; i++) {
        Object value = values[i];
        if (value == null || types[i] == TableSchema.Type.TIME && !fits((Instant) value)) {
          continue;
        }
        out.startField(names[i], i);
        switch (types[i]) {
          case TEXT, JSON, BYTES ->
              out.addBinary(
                  !distinct[i] && value instanceof String text
                      ? encodedTexts.of(text)
                      : binary(value));
          case TIME -> writeTime((Instant) value);
          case FILE -> out.addBinary(RowWriteSupport.this.names.of((Place) value));
          case LONG -> out.addLong((Long) value);
          case BOOLEAN -> out.addBoolean((Boolean) value);
          case TEXTS -> writeTexts((List<?>) value);
          case WINDOWS -> writeWindows((List<?>) value);
        }
        out.endField(names[i], i);
      }
    }
  }

  private static boolean fits(Instant time) {
    return !time.isBefore(EARLIEST) && !time.isAfter(LATEST);
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
        startElement();
        out.addBinary(encodedTexts.of((String) text));
        endElement();
      }
      out.endField("list", 0);
    }
    out.endGroup();
  }

  private void writeWindows(List<?> windows) {
    out.startGroup();
    if (!windows.isEmpty()) {
      out.startField("list", 0);
      for (Object window : windows) {
        startElement();
        out.startGroup();
        windowFields.write((Object[]) window);
        out.endGroup();
        endElement();
      }
      out.endField("list", 0);
    }
    out.endGroup();
  }

  private void startElement() {
    out.startGroup();
    out.startField("element", 0);
  }

  private void endElement() {
    out.endField("element", 0);
    out.endGroup();
  }

  /** The names of files as they are written: each encoded once, most asked for in a row. */
  private static final class EncodedNames {

    private final InputFiles files;
    private final Map<String, Binary> encoded = new HashMap<>();
    private int input = -1;
    private int file = -1;
    private Binary last;

    EncodedNames(InputFiles files) {
      this.files = files;
    }

    Binary of(Place place) {
      if (place.input() != input || place.file() != file) {
        input = place.input();
        file = place.file();
        last =
            encoded.computeIfAbsent(
                files.name(place),
                name -> Binary.fromConstantByteArray(name.getBytes(StandardCharsets.UTF_8)));
      }
      return last;
    }
  }

  /**
   * Texts as they are written, for columns with few values: those met lately are not encoded again.
   */
  private static final class EncodedTexts {

    private static final int SLOTS = 256;

    private final String[] texts = new String[SLOTS];
    private final Binary[] encoded = new Binary[SLOTS];

    Binary of(String text) {
      int hash = text.hashCode();
      int slot = (hash ^ hash >>> 16) & SLOTS - 1;
      if (!text.equals(texts[slot])) {
        texts[slot] = text;
        encoded[slot] = binary(text);
      }
      return encoded[slot];
    }
  }

  private static Binary binary(Object value) {
    return value instanceof String text
        ? Binary.fromConstantByteArray(text.getBytes(StandardCharsets.UTF_8))
        : Binary.fromReusedByteArray((byte[]) value);
  }
}
