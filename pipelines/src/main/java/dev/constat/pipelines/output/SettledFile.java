package dev.constat.pipelines.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/**
 * A Parquet file being written, as parquet-java wants to see it, whose end is held back to be
 * settled ({@link ParquetFooter}), so that the same rows give the same bytes.
 */
public final class SettledFile implements OutputFile {

  private final OutputStream out;
  private long written;
  private ByteArrayOutputStream tail;

  /**
   * A file.
   *
   * @param out takes its bytes; closed by the caller
   */
  public SettledFile(OutputStream out) {
    this.out = out;
  }

  /** Holds back what comes from here on, which follows the last row group. */
  public void holdTail() {
    tail = new ByteArrayOutputStream();
  }

  /** Writes the end; to be called once parquet-java has written its own. */
  public void finish() throws IOException {
    out.write(ParquetFooter.settled(tail.toByteArray()));
  }

  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return new PositionOutputStream() {
      @Override
      public long getPos() {
        return written + (tail == null ? 0 : tail.size());
      }

      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        if (tail == null) {
          out.write(bytes, offset, length);
          written += length;
        } else {
          tail.write(bytes, offset, length);
        }
      }
    };
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return create(blockSizeHint);
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }
}
