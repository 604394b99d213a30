package dev.constat.pipelines.output;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/**
 * The end of a Parquet file. parquet-java lists the encodings of a column in the order of a hash
 * set of enum constants, whose hashes differ from one JVM to the next; here they stand in the order
 * of the format, so that the same rows give the same bytes in every JVM.
 */
public final class ParquetFooter {

  /** Length of the metadata and the magic number. */
  private static final int TRAILER = 8;

  private ParquetFooter() {}

  /**
   * The same end with the encodings in order.
   *
   * @param tail all that follows the last row group: page indexes, metadata, trailer
   */
  public static byte[] settled(byte[] tail) throws IOException {
    int trailer = tail.length - TRAILER;
    ByteBuffer bytes = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
    int metadata = trailer - bytes.getInt(trailer);
    FileMetaData file =
        Util.readFileMetaData(new ByteArrayInputStream(tail, metadata, trailer - metadata));
    for (RowGroup rows : file.getRow_groups()) {
      for (ColumnChunk column : rows.getColumns()) {
        column.getMeta_data().getEncodings().sort(Comparator.comparingInt(Encoding::getValue));
      }
    }

    ByteArrayOutputStream out = new ByteArrayOutputStream(tail.length);
    out.write(tail, 0, metadata);
    Util.writeFileMetaData(file, out);
    int length = out.size() - metadata;
    out.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array());
    out.write(tail, trailer + 4, TRAILER - 4);
    return out.toByteArray();
  }
}
