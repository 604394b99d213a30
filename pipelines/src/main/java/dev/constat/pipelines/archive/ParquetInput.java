package dev.constat.pipelines.archive;

import dev.constat.rules.spec.Limits;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/**
 * A Parquet file on the local file system, without Hadoop's. Tells a disk that fails, which is
 * thrown to the run, from content that is no Parquet, which is the file's fault.
 */
final class ParquetInput implements InputFile, AutoCloseable {

  private final String name;
  private final long size;
  private final FileChannel channel;
  private IOException failure;
  private ParquetFooter footer;

  private ParquetInput(String name, long size, FileChannel channel) {
    this.name = name;
    this.size = size;
    this.channel = channel;
  }

  static ParquetInput open(ArchiveFile file) throws IOException {
    return new ParquetInput(file.name(), file.size(), FileChannel.open(file.path()));
  }

  static ParquetInput open(Path path, String name) throws IOException {
    return new ParquetInput(name, Files.size(path), FileChannel.open(path));
  }

  /** The footer, which is read once. */
  ParquetFooter footer() throws IOException {
    if (footer == null) {
      footer = ParquetFooter.read(newStream(), size, options(Limits.DEFAULT.pageBytes()));
    }
    return footer;
  }

  /** Opens the file as Parquet; checksums of pages are verified where there are some. */
  ParquetFileReader openReader() throws IOException {
    return openReader(Limits.DEFAULT.pageBytes());
  }

  /**
   * Opens the file as Parquet; checksums of pages are verified where there are some.
   *
   * @param pageBytes how large a page may be, unpacked
   */
  ParquetFileReader openReader(int pageBytes) throws IOException {
    return ParquetFileReader.open(this, footer().metadata(), options(pageBytes), newStream());
  }

  private static ParquetReadOptions options(int pageBytes) {
    return ParquetReadOptions.builder(new PlainParquetConfiguration())
        .usePageChecksumVerification()
        .useBloomFilter(false)
        .withUseHadoopVectoredIo(false)
        .withCodecFactory(new PageCodecs(pageBytes))
        .build();
  }

  /** Throws what the file system said, if it was that. */
  void rethrowFailure() throws IOException {
    if (failure != null) {
      throw ArchiveUnreadableException.of(name, failure);
    }
  }

  @Override
  public long getLength() {
    return size;
  }

  @Override
  public SeekableInputStream newStream() {
    return new Stream();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return name;
  }

  private final class Stream extends SeekableInputStream {

    private long position;

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void seek(long to) {
      position = to;
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
      int count;
      try {
        count = channel.read(buffer, position);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
      if (count > 0) {
        position += count;
      }
      return count;
    }

    @Override
    public void readFully(ByteBuffer buffer) throws IOException {
      while (buffer.hasRemaining()) {
        if (read(buffer) < 0) {
          throw new EOFException("the file ends at byte " + position);
        }
      }
    }

    @Override
    public void readFully(byte[] bytes) throws IOException {
      readFully(ByteBuffer.wrap(bytes));
    }

    @Override
    public void readFully(byte[] bytes, int offset, int length) throws IOException {
      readFully(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return length == 0 ? 0 : read(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }
  }
}
