package dev.constat.rules.table;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Encodes rows of a table whose columns are plain values, so that they can travel as records. */
public final class RowCodec {

  private RowCodec() {}

  /** Appends a row. */
  public static void write(KeyWriter out, TableSchema table, Object[] row) {
    for (int i = 0; i < row.length; i++) {
      Object value = row[i];
      switch (table.columns().get(i).type()) {
        case TEXT, BYTES, JSON, FINDINGS ->
            out.nullableBytes(
                value instanceof String text
                    ? text.getBytes(StandardCharsets.UTF_8)
                    : (byte[]) value);
        case SENTENCE ->
            out.nullableBytes(
                value instanceof Sentence sentence ? sentence.toBytes() : (byte[]) value);
        case TIME -> out.nullableInstant((Instant) value);
        case LONG -> out.nullableSigned((Long) value);
        case BOOLEAN -> out.nullableBool((Boolean) value);
        case FILE -> out.nullableBytes(value == null ? null : ((Place) value).toBytes());
        case TEXTS, WINDOWS ->
            throw new IllegalArgumentException("A row of " + table.name() + " holds lists");
      }
    }
  }

  /** Reads what {@link #write} wrote; texts are UTF-8 in {@code byte[]}. */
  public static Object[] read(KeyReader in, TableSchema table) {
    Object[] row = new Object[table.columns().size()];
    for (int i = 0; i < row.length; i++) {
      row[i] =
          switch (table.columns().get(i).type()) {
            case TEXT, BYTES, JSON, FINDINGS, SENTENCE -> in.nullableBytes();
            case TIME -> in.nullableInstant();
            case LONG -> in.nullableSigned();
            case BOOLEAN -> in.nullableBool();
            case FILE -> place(in.nullableBytes());
            case TEXTS, WINDOWS ->
                throw new IllegalArgumentException("A row of " + table.name() + " holds lists");
          };
    }
    return row;
  }

  private static Place place(byte[] bytes) {
    return bytes == null ? null : Place.fromBytes(bytes, 0);
  }
}
