package dev.constat.pipelines.output;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.google.common.base.Preconditions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compresses the pages of one file, one after the other, with one native context and the same
 * buffers. parquet-java's own way goes through a Hadoop codec and makes all of it anew for every
 * page.
 */
public final class ZstdPages
    implements CompressionCodecFactory, CompressionCodecFactory.BytesInputCompressor {

  private static final int LEVEL = 1;

  private final Plain plain = new Plain();
  private ZstdCompressCtx context;
  private byte[] compressed = new byte[0];

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
    plain.reset();
    page.writeAllTo(plain);
    int bound = Math.toIntExact(Zstd.compressBound(plain.size()));
    if (compressed.length < bound) {
      compressed = new byte[bound];
    }
    return BytesInput.from(compressed, 0, plain.compress(context, compressed));
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

  /** A page before it is compressed. */
  private static final class Plain extends ByteArrayOutputStream {

    int compress(ZstdCompressCtx context, byte[] target) {
      return context.compressByteArray(target, 0, target.length, buf, 0, count);
    }
  }
}
