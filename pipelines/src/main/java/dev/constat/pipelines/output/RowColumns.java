package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * The columns of a table in Parquet: their types, and how a row's values go to them, each straight
 * to the writer of its column with its repetition and definition levels (Parquet's format, "Nested
 * Encoding").
 */
final class RowColumns {

  /** The members of an element of {@link TableSchema.Type#WINDOWS}. */
  static final ImmutableList<Column> WINDOW =
      ImmutableList.of(
          new Column("projection", TableSchema.Type.TEXT),
          new Column("version", TableSchema.Type.TEXT),
          new Column("window_start", TableSchema.Type.TIME),
          new Column("outcome", TableSchema.Type.TEXT));

  private static final Instant EARLIEST = Instant.ofEpochSecond(0, Long.MIN_VALUE);
  private static final Instant LATEST = Instant.ofEpochSecond(0, Long.MAX_VALUE);

  private final MessageType schema;
  private final EncodedNames names;
  private final EncodedTexts encodedTexts = new EncodedTexts();
  private final List<Field> fields = new ArrayList<>();

  /**
   * The columns of {@code table}.
   *
   * @param files names of the files of the inputs
   */
  RowColumns(TableSchema table, InputFiles files) {
    names = new EncodedNames(files);
    schema = new MessageType("constat", table.columns().stream().map(RowColumns::typeOf).toList());
    Iterator<ColumnDescriptor> leaves = schema.getColumns().iterator();
    for (Column column : table.columns()) {
      fields.add(
          switch (column.type()) {
            case TEXTS -> new TextsField(leaves.next());
            case WINDOWS -> new WindowsField(leaves);
            case TEXT, JSON, FINDINGS, SENTENCE, BYTES, TIME, FILE, LONG, BOOLEAN ->
                new ValueField(column, leaves.next(), 0);
          });
    }
  }

  private static Type typeOf(Column column) {
    return switch (column.type()) {
      case TEXT, FILE, JSON, FINDINGS, SENTENCE ->
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
                      .addFields(WINDOW.stream().map(RowColumns::typeOf).toArray(Type[]::new))
                      .named("element"))
              .named(column.name());
    };
  }

  /** As Parquet has it. */
  MessageType schema() {
    return schema;
  }

  /** Begins a row group. */
  void begin(ColumnWriteStore store) {
    fields.forEach(field -> field.begin(store));
  }

  /** Writes a row, whose values stand in the order of the table's columns. */
  void write(Object[] row) {
    if (row.length != fields.size()) {
      throw new IllegalArgumentException(
          "A row has " + row.length + " values, its table " + fields.size() + " columns");
    }
    for (int i = 0; i < row.length; i++) {
      fields.get(i).write(row[i]);
    }
  }

  /** Writes what waits for something to follow it: before a page or a row group ends. */
  void settle() {
    fields.forEach(Field::settle);
  }

  /** A field of a row. */
  private abstract static sealed class Field permits ValueField, ListField {

    abstract void begin(ColumnWriteStore store);

    abstract void write(Object value);

    abstract void settle();
  }

  /** A value, or null. */
  private final class ValueField extends Field {

    private final TableSchema.Type type;
    private final boolean distinct;
    private final ColumnDescriptor descriptor;
    private final int nullLevel;
    private ColumnWriter out;

    /** A field whose null has a definition level. */
    ValueField(Column column, ColumnDescriptor descriptor, int nullLevel) {
      this.type = column.type();
      this.distinct = column.distinct();
      this.descriptor = descriptor;
      this.nullLevel = nullLevel;
    }

    @Override
    void begin(ColumnWriteStore store) {
      out = store.getColumnWriter(descriptor);
    }

    @Override
    void write(Object value) {
      write(value, 0);
    }

    void write(Object value, int repetition) {
      if (value == null) {
        out.writeNull(repetition, nullLevel);
        return;
      }
      int level = nullLevel + 1;
      switch (type) {
        case TEXT, JSON, BYTES ->
            out.write(
                !distinct && value instanceof String text ? encodedTexts.of(text) : binary(value),
                repetition,
                level);
        case SENTENCE -> out.write(sentence(value), repetition, level);
        case TIME -> writeTime((Instant) value, repetition);
        case FILE -> out.write(names.of((Place) value), repetition, level);
        case LONG -> out.write((Long) value, repetition, level);
        case BOOLEAN -> out.write((Boolean) value, repetition, level);
        case FINDINGS -> throw new IllegalStateException("[BUG] Findings are no value");
        case TEXTS, WINDOWS -> throw new IllegalStateException("[BUG] A list is no value");
      }
    }

    private Binary sentence(Object value) {
      return value instanceof byte[] bytes
          ? binary(Sentence.words(bytes))
          : encodedTexts.of(value.toString());
    }

    private void writeTime(Instant time, int repetition) {
      if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
        out.writeNull(repetition, nullLevel);
      } else {
        // Just above EARLIEST the product alone overflows; the sum wraps back.
        long nanos = time.getEpochSecond() * 1_000_000_000L + time.getNano();
        out.write(nanos, repetition, nullLevel + 1);
      }
    }

    @Override
    void settle() {
      // every value has been written
    }
  }

  /** A list. Most are empty, so empty ones are written when something follows them. */
  private abstract static sealed class ListField extends Field permits TextsField, WindowsField {

    private int pending;

    @Override
    void write(Object value) {
      List<?> elements = (List<?>) value;
      if (elements.isEmpty()) {
        pending++;
        return;
      }
      settle();
      for (int i = 0; i < elements.size(); i++) {
        writeElement(elements.get(i), i == 0 ? 0 : 1);
      }
    }

    @Override
    void settle() {
      for (; pending > 0; pending--) {
        writeEmpty();
      }
    }

    abstract void writeEmpty();

    abstract void writeElement(Object element, int repetition);
  }

  /** A list of texts. */
  private final class TextsField extends ListField {

    private final ColumnDescriptor descriptor;
    private ColumnWriter out;

    TextsField(ColumnDescriptor descriptor) {
      this.descriptor = descriptor;
    }

    @Override
    void begin(ColumnWriteStore store) {
      out = store.getColumnWriter(descriptor);
    }

    @Override
    void writeEmpty() {
      out.writeNull(0, 0);
    }

    @Override
    void writeElement(Object element, int repetition) {
      out.write(encodedTexts.of((String) element), repetition, 1);
    }
  }

  /** A list of windows. */
  private final class WindowsField extends ListField {

    private final ValueField[] members = new ValueField[WINDOW.size()];

    WindowsField(Iterator<ColumnDescriptor> leaves) {
      for (int i = 0; i < members.length; i++) {
        members[i] = new ValueField(WINDOW.get(i), leaves.next(), 1);
      }
    }

    @Override
    void begin(ColumnWriteStore store) {
      for (ValueField member : members) {
        member.begin(store);
      }
    }

    @Override
    void writeEmpty() {
      for (ValueField member : members) {
        member.out.writeNull(0, 0);
      }
    }

    @Override
    void writeElement(Object element, int repetition) {
      Object[] window = (Object[]) element;
      for (int i = 0; i < members.length; i++) {
        members[i].write(window[i], repetition);
      }
    }
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
