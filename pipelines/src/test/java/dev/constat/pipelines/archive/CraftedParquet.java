package dev.constat.pipelines.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** A Parquet file of one column, written part by part, so that each part can be wrong. */
final class CraftedParquet {

  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  private final SchemaElement column;
  private final Type type;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private CompressionCodec codec = CompressionCodec.UNCOMPRESSED;
  private Long dictionaryAt;
  private Long dataAt;

  private CraftedParquet(String name, Type type, FieldRepetitionType repetition) {
    this.type = type;
    this.column = new SchemaElement(name).setType(type).setRepetition_type(repetition);
    out.writeBytes(MAGIC);
  }

  static CraftedParquet of(String name, Type type, FieldRepetitionType repetition) {
    return new CraftedParquet(name, type, repetition);
  }

  CraftedParquet codec(CompressionCodec of) {
    codec = of;
    return this;
  }

  /** The header of a data page that is as long as it says. */
  static PageHeader data(int values, Encoding encoding, int size) {
    return new PageHeader(PageType.DATA_PAGE, size, size)
        .setData_page_header(new DataPageHeader(values, encoding, Encoding.RLE, Encoding.RLE));
  }

  /** The header of a dictionary page that is as long as it says. */
  static PageHeader dictionary(int values, int size) {
    return new PageHeader(PageType.DICTIONARY_PAGE, size, size)
        .setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
  }

  CraftedParquet page(PageHeader header, byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      Util.writePageHeader(header, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return page(header.getType(), bytes.toByteArray(), body);
  }

  CraftedParquet page(PageType kind, byte[] header, byte[] body) {
    if (kind == PageType.DICTIONARY_PAGE) {
      dictionaryAt = (long) out.size();
    } else if (dataAt == null) {
      dataAt = (long) out.size();
    }
    out.writeBytes(header);
    out.writeBytes(body);
    return this;
  }

  /** Ends with a footer that says what is there, given values and rows. */
  byte[] end(long values, long rows) {
    return end(values, rows, footer -> {});
  }

  /** Ends with a footer in which something is changed. */
  byte[] end(long values, long rows, Consumer<FileMetaData> change) {
    ColumnMetaData metadata =
        new ColumnMetaData(
            type,
            new ArrayList<>(List.of(Encoding.PLAIN)),
            new ArrayList<>(List.of(column.getName())),
            codec,
            values,
            out.size() - 4L,
            out.size() - 4L,
            dataAt == null ? 4 : dataAt);
    if (dictionaryAt != null) {
      metadata.setDictionary_page_offset(dictionaryAt);
    }
    List<ColumnChunk> chunks = new ArrayList<>();
    chunks.add(new ColumnChunk(4).setMeta_data(metadata));
    List<RowGroup> groups = new ArrayList<>();
    groups.add(new RowGroup(chunks, out.size() - 4L, rows));
    List<SchemaElement> schema = new ArrayList<>();
    schema.add(new SchemaElement("m").setNum_children(1));
    schema.add(column);
    FileMetaData footer = new FileMetaData(1, schema, rows, groups);
    change.accept(footer);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      Util.writeFileMetaData(footer, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return end(bytes.toByteArray());
  }

  /** Ends with a footer of any bytes. */
  byte[] end(byte[] footer) {
    out.writeBytes(footer);
    out.writeBytes(littleEndian(footer.length));
    out.writeBytes(MAGIC);
    return out.toByteArray();
  }

  static byte[] littleEndian(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  /** Values of a BINARY column as encoding PLAIN has them. */
  static byte[] plain(String... values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String value : values) {
      byte[] text = value.getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(littleEndian(text.length));
      bytes.writeBytes(text);
    }
    return bytes.toByteArray();
  }
}
