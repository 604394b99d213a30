package dev.constat.pipelines.output;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.google.common.base.Preconditions;
import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compresses the pages of one file, one after the other, with one native context and one buffer.
 * parquet-java's own way goes through a Hadoop codec and makes both for every page.
 */
final class ZstdPages
    implements CompressionCodecFactory, CompressionCodecFactory.BytesInputCompressor {

  private static final int LEVEL = 1;

  private ZstdCompressCtx context;
  private byte[] buffer = new byte[0];

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    Preconditions.checkArgument(codec == CompressionCodecName.ZSTD, "Not ZSTD: %s", codec);
    return this;
  }

  /** The result is valid until the next call; the file writer copies it before that. */
  @Override
  public BytesInput compress(BytesInput page) throws IOException {
    if (context == null) {
      context = new ZstdCompressCtx().setLevel(LEVEL);
    }
    byte[] bytes = page.toByteArray();
    int bound = Math.toIntExact(Zstd.compressBound(bytes.length));
    if (buffer.length < bound) {
      buffer = new byte[bound];
    }
    int size = context.compressByteArray(buffer, 0, buffer.length, bytes, 0, bytes.length);
    return BytesInput.from(buffer, 0, size);
  }

  @Override
  public CompressionCodecName getCodecName() {
    return CompressionCodecName.ZSTD;
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException("Only writes");
  }

  @Override
  public void release() {
    if (context != null) {
      context.close();
      context = null;
    }
  }
}
