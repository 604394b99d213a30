package dev.constat.transforms.buckets;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** Spill space in memory that holds its user to the contract, counts runs and fails on demand. */
public final class HeapSpillSpace implements SpillSpace {

  private int opened;
  private int open;
  private long room = Long.MAX_VALUE;
  private int keptOfRun = Integer.MAX_VALUE;

  /** Space that is full after so many bytes. */
  static HeapSpillSpace withRoomFor(long bytes) {
    HeapSpillSpace space = new HeapSpillSpace();
    space.room = bytes;
    return space;
  }

  /** Space that loses what is written to a run beyond so many bytes. */
  static HeapSpillSpace losingBeyond(int bytes) {
    HeapSpillSpace space = new HeapSpillSpace();
    space.keptOfRun = bytes;
    return space;
  }

  /** How many runs were opened in all. */
  public int opened() {
    return opened;
  }

  /** How many runs are open. */
  public int stillOpen() {
    return open;
  }

  @Override
  public Run open() {
    opened++;
    open++;
    return new HeapRun();
  }

  private static void check(boolean allowed, String complaint) {
    if (!allowed) {
      throw new AssertionError(complaint);
    }
  }

  private final class HeapRun implements Run {

    private ByteArrayOutputStream written;
    private boolean complete;
    private boolean read;
    private boolean closed;

    @Override
    public OutputStream write() {
      check(written == null, "a run is written once");
      written = new ByteArrayOutputStream();
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          if (length > room) {
            throw new IOException("no space left in the test");
          }
          room -= length;
          written.write(bytes, from, length);
        }

        @Override
        public void close() {
          complete = true;
        }
      };
    }

    @Override
    public InputStream read() {
      check(complete && !read && !closed, "a run is read once, after it was written");
      read = true;
      byte[] bytes = written.toByteArray();
      return new ByteArrayInputStream(Arrays.copyOf(bytes, Math.min(bytes.length, keptOfRun)));
    }

    @Override
    public void close() {
      check(!closed, "a run is closed once");
      closed = true;
      open--;
    }
  }
}
