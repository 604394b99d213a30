package dev.constat.pipelines.output;

import dev.constat.transforms.buckets.SpillSpace;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Spill space in a directory of the machine that spills: one temporary file per run, for the eyes
 * of its owner only, deleted when the run is closed. Where the system allows it, the file has no
 * name from the start, so that a process that is killed leaves nothing either.
 */
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
    Path place = Path.of(directory == null ? System.getProperty("java.io.tmpdir") : directory);
    try {
      Path file = Files.createTempFile(place, "constat-", ".run");
      return new FileRun(
          place,
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE));
    } catch (IOException e) {
      throw unusable("create a file", place, e);
    }
  }

  private static IOException unusable(String attempt, Path place, Exception cause) {
    String state;
    if (!Files.isDirectory(place)) {
      state = "there is no such directory";
    } else if (!Files.isWritable(place)) {
      state = "it is not writable";
    } else {
      state = freeSpace(place);
    }
    return new IOException(
        "Cannot " + attempt + " in temporary directory " + place + " (" + state + "): " + cause,
        cause);
  }

  private static String freeSpace(Path place) {
    try {
      return (Files.getFileStore(place).getUsableSpace() >> 20) + " MiB free";
    } catch (IOException e) {
      return "free space unknown";
    }
  }

  private static final class FileRun implements Run {

    private final Path place;
    private final FileChannel channel;

    FileRun(Path place, FileChannel channel) {
      this.place = place;
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
            throw unusable("write", place, e);
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
            throw unusable("read", place, e);
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
