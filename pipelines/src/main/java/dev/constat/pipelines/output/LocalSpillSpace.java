package dev.constat.pipelines.output;

import dev.constat.transforms.buckets.SpillSpace;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Spill space in a directory of the machine that spills: one temporary file per run. */
public final class LocalSpillSpace implements SpillSpace {

  // Text, because a Path is not serialisable; null for the machine's own temporary directory.
  private final String directory;

  private LocalSpillSpace(String directory) {
    this.directory = directory;
  }

  /** Space in the temporary directory of each machine ({@code java.io.tmpdir}). */
  public static LocalSpillSpace inTemporaryDirectory() {
    return new LocalSpillSpace(null);
  }

  /** Space in a directory that exists under this name on each machine. */
  public static LocalSpillSpace in(Path directory) {
    return new LocalSpillSpace(directory.toAbsolutePath().toString());
  }

  @Override
  public Run open() throws IOException {
    TemporaryFiles files = TemporaryFiles.in(directory);
    return new FileRun(files, files.create(".run"));
  }

  private static final class FileRun implements Run {

    private final TemporaryFiles files;
    private final FileChannel channel;

    FileRun(TemporaryFiles files, FileChannel channel) {
      this.files = files;
      this.channel = channel;
    }

    @Override
    public OutputStream write() {
      return new FilterOutputStream(Channels.newOutputStream(channel)) {
        @Override
        public void write(int b) throws IOException {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          try {
            out.write(bytes, from, length);
          } catch (IOException e) {
            throw files.unusable("write", e);
          }
        }

        // The channel stays open: closing it deletes the file.
        @Override
        public void close() {}
      };
    }

    @Override
    public InputStream read() throws IOException {
      channel.position(0);
      return new FilterInputStream(Channels.newInputStream(channel)) {
        @Override
        public int read(byte[] into, int from, int length) throws IOException {
          try {
            return in.read(into, from, length);
          } catch (IOException e) {
            throw files.unusable("read", e);
          }
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
