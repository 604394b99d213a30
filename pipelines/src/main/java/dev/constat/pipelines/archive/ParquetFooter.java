package dev.constat.pipelines.archive;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.Type;

/**
 * The footer of a Parquet file. Before it is parsed, what it claims is held against what is there,
 * so that a damaged footer costs neither the heap nor the stack.
 *
 * @param rows how many rows it says the file has
 * @param metadata what it says else
 */
record ParquetFooter(long rows, ParquetMetadata metadata) {

  /** The largest footer that is read, in bytes. */
  private static final int MAX_BYTES = 128 << 20;

  /** Each makes objects of some hundred bytes; a footer has six per column and row group. */
  private static final int MAX_STRUCTS = 2_000_000;

  /** How deep columns may nest. */
  private static final int MAX_NESTING = 200;

  private static final int TAIL = 8;
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENCRYPTED = "PARE".getBytes(StandardCharsets.US_ASCII);

  /** The id that fields are given here whose logical type is newer than this reader. */
  private static final int OF_NEWER_TYPE = Integer.MIN_VALUE;

  /** Whether a field has a logical type that this reader does not know. */
  static boolean isOfNewerType(Type field) {
    return field.getId() != null && field.getId().intValue() == OF_NEWER_TYPE;
  }

  /**
   * Reads the footer of a file.
   *
   * @throws IOException if there is none that can be read
   */
  static ParquetFooter read(SeekableInputStream in, long size, ParquetReadOptions options)
      throws IOException {
    FileMetaData footer = parse(bytes(in, size));
    if (footer.isSetEncryption_algorithm()) {
      throw new RefusedException("its columns are encrypted", "write it without encryption");
    }
    checkSchema(footer.getSchema());
    for (RowGroup group : footer.getRow_groups()) {
      for (ColumnChunk chunk : group.getColumns()) {
        if (!chunk.isSetMeta_data()) {
          throw RefusedException.damaged("a column chunk has no metadata");
        }
        if (chunk.isSetFile_path()) {
          throw new RefusedException(
              "its columns are in another file", "list the files that have the data");
        }
      }
    }
    return new ParquetFooter(
        footer.getNum_rows(), new ParquetMetadataConverter(options).fromParquetMetadata(footer));
  }

  private static byte[] bytes(SeekableInputStream in, long size) throws IOException {
    if (size < MAGIC.length + TAIL) {
      throw RefusedException.damaged("the file has " + size + " bytes");
    }
    ByteBuffer tail = ByteBuffer.allocate(TAIL).order(ByteOrder.LITTLE_ENDIAN);
    in.seek(size - TAIL);
    in.readFully(tail);
    byte[] magic = Arrays.copyOfRange(tail.array(), Integer.BYTES, TAIL);
    if (Arrays.equals(magic, ENCRYPTED)) {
      throw new RefusedException("it is encrypted", "write it without encryption");
    }
    if (!Arrays.equals(magic, MAGIC)) {
      throw RefusedException.damaged("the file does not end as Parquet files do, in PAR1");
    }
    int length = tail.getInt(0);
    if (length <= 0 || length > size - TAIL - MAGIC.length) {
      throw RefusedException.damaged(
          "a footer of %s bytes in a file of %s".formatted(length & 0xFFFF_FFFFL, size));
    }
    if (length > MAX_BYTES) {
      throw new RefusedException(
          "a footer of %s bytes, more than %s".formatted(length, MAX_BYTES),
          "write fewer columns or row groups into a file");
    }
    byte[] bytes = new byte[length];
    in.seek(size - TAIL - length);
    in.readFully(bytes);
    return bytes;
  }

  private static FileMetaData parse(byte[] bytes) throws IOException {
    try {
      CompactThrift.pass(bytes, 0, bytes.length, MAX_STRUCTS, CompactThrift.Numbers.NONE);
    } catch (CompactThrift.RefusedIn e) {
      throw RefusedException.damaged(e.getMessage());
    }
    return Util.readFileMetaData(new ByteArrayInputStream(bytes));
  }

  /** The schema is a tree, written as its nodes in preorder with how many children each has. */
  private static void checkSchema(List<SchemaElement> elements) throws IOException {
    Deque<Integer> left = new ArrayDeque<>();
    boolean begun = false;
    for (SchemaElement element : elements) {
      while (!left.isEmpty() && left.peek() == 0) {
        left.pop();
      }
      if (left.isEmpty() && begun) {
        throw RefusedException.damaged("its schema goes on behind its last column");
      }
      if (!left.isEmpty()) {
        left.push(left.pop() - 1);
      }
      begun = true;
      int children = element.isSetNum_children() ? element.getNum_children() : 0;
      if (children < 0 || children > elements.size()) {
        throw RefusedException.damaged("its schema has a group of " + children + " fields");
      }
      if (children > 0) {
        left.push(children);
        if (left.size() > MAX_NESTING) {
          throw new RefusedException(
              "its columns nest deeper than " + MAX_NESTING, "write it with flatter columns");
        }
      }
      if (element.isSetLogicalType() && !element.getLogicalType().isSet()) {
        element.unsetLogicalType();
        element.unsetConverted_type();
        element.setField_id(OF_NEWER_TYPE);
      }
    }
    while (!left.isEmpty() && left.peek() == 0) {
      left.pop();
    }
    if (!left.isEmpty()) {
      throw RefusedException.damaged("its schema ends before its last column");
    }
  }
}
