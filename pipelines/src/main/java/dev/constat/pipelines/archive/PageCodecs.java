package dev.constat.pipelines.archive;

import com.github.luben.zstd.Zstd;
import com.google.common.base.Preconditions;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/**
 * The codecs of Parquet pages, without Hadoop's. A page must unpack to exactly the size that its
 * header states, and to no more than a limit: a damaged header must not cost the heap.
 */
final class PageCodecs implements CompressionCodecFactory {

  /** A byte of an LZ4 sequence adds at most 255 to its length. */
  private static final int MOST_PER_BYTE_OF_LZ4 = 256;

  /** Deflate needs two bits at least for a match of 258 bytes. */
  private static final int MOST_PER_BYTE_OF_DEFLATE = 1032;

  /** Zstandard needs four bytes at least for a block of 128 KiB. */
  private static final int MOST_PER_BYTE_OF_ZSTD = 32 << 10;

  private final int pageBytes;

  /** Codecs that unpack pages of at most so many bytes. */
  PageCodecs(int pageBytes) {
    this.pageBytes = pageBytes;
  }

  /** Whether pages of a codec can be read. */
  static boolean canRead(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4_RAW -> true;
      default -> false;
    };
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    Codec unpack =
        switch (codec) {
          case UNCOMPRESSED -> (packed, size) -> packed;
          case SNAPPY -> PageCodecs::snappy;
          case GZIP -> PageCodecs::gzip;
          case ZSTD -> PageCodecs::zstd;
          case LZ4_RAW -> PageCodecs::lz4;
          default -> throw new IllegalArgumentException("Codec " + codec + " cannot be read");
        };
    return new Pages(unpack, pageBytes);
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException("Archives are only read");
  }

  @Override
  public void release() {
    // Nothing is held.
  }

  private static byte[] snappy(byte[] packed, int size) throws IOException {
    requireSize(Snappy.uncompressedLength(packed), size);
    byte[] page = new byte[size];
    return exactly(page, Snappy.uncompress(packed, 0, packed.length, page, 0));
  }

  private static byte[] lz4(byte[] packed, int size) {
    requirePossible(packed, size, MOST_PER_BYTE_OF_LZ4);
    byte[] page = new byte[size];
    int count = new Lz4Decompressor().decompress(packed, 0, packed.length, page, 0, size);
    return exactly(page, count);
  }

  private static byte[] zstd(byte[] packed, int size) {
    long told = Zstd.getFrameContentSize(packed);
    if (told > size) {
      requireSize(told, size);
    }
    requirePossible(packed, size, MOST_PER_BYTE_OF_ZSTD);
    byte[] page = new byte[size];
    return exactly(page, (int) Zstd.decompressByteArray(page, 0, size, packed, 0, packed.length));
  }

  private static byte[] gzip(byte[] packed, int size) throws IOException {
    requirePossible(packed, size, MOST_PER_BYTE_OF_DEFLATE);
    try (GzipMembers in = new GzipMembers(new ByteArrayInputStream(packed))) {
      byte[] page = new byte[size];
      int count = in.readNBytes(page, 0, size);
      Preconditions.checkArgument(in.read() < 0, "a page is larger than its header says");
      return exactly(page, count);
    }
  }

  private static byte[] exactly(byte[] page, int count) {
    requireSize(count, page.length);
    return page;
  }

  /** Before memory is taken for a page: as densely packed it cannot be. */
  private static void requirePossible(byte[] packed, int size, int mostPerByte) {
    Preconditions.checkArgument(
        size <= (long) packed.length * mostPerByte,
        "a page has %s packed bytes, its header says that they unpack to %s",
        packed.length,
        size);
  }

  private static void requireSize(long count, int stated) {
    Preconditions.checkArgument(
        count == stated, "a page has %s bytes, its header says %s", count, stated);
  }

  /** Unpacks a page to a size. */
  private interface Codec {
    byte[] unpack(byte[] packed, int size) throws IOException;
  }

  private record Pages(Codec codec, int pageBytes) implements BytesInputDecompressor {

    @Override
    public BytesInput decompress(BytesInput packed, int size) throws IOException {
      Preconditions.checkArgument(
          size >= 0 && size <= pageBytes, "a page of %s bytes is larger than can be read", size);
      // Writers may leave out the packed form of nothing.
      return size == 0 && packed.size() == 0
          ? BytesInput.empty()
          : BytesInput.from(codec.unpack(packed.toByteArray(), size));
    }

    @Override
    public void decompress(ByteBuffer packed, int packedSize, ByteBuffer page, int size)
        throws IOException {
      byte[] bytes = new byte[packedSize];
      packed.get(bytes);
      page.put(decompress(BytesInput.from(bytes), size).toByteArray());
    }

    @Override
    public void release() {
      // Nothing is held.
    }
  }
}
