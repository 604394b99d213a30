package dev.constat.transforms.buckets;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * A sorted run in a spill space, and a view that moves over its records when it is read back.
 * Nothing is opened or allocated before the first move. Closing it drops the run.
 */
final class SortedRun implements Closeable {

  private final SpillSpace.Run run;
  private final long records;
  private final int bufferLength;

  private final RecordView record = new RecordView();
  private long passed;
  private InputStream in;
  private byte[] buffer;
  private int position;
  private int limit;

  /**
   * Takes over a run.
   *
   * @param records how many are written to it
   * @param bufferLength how many bytes to read at a time; the buffer grows for a larger record
   */
  SortedRun(SpillSpace.Run run, long records, int bufferLength) {
    this.run = run;
    this.records = records;
    this.bufferLength = bufferLength;
  }

  long records() {
    return records;
  }

  /** The record moved to last. */
  RecordView record() {
    return record;
  }

  /** Moves to the next record, or returns false at the end. */
  boolean next() throws IOException {
    if (passed == records) {
      return false;
    }
    if (in == null) {
      in = run.read();
      buffer = new byte[bufferLength];
    }
    passed++;
    require(RecordView.MAX_HEADER);
    int available = limit - position;
    // Lengths that reach beyond what is available are caught as a record that does.
    try {
      record.moveTo(buffer, position);
    } catch (ArrayIndexOutOfBoundsException e) {
      throw damaged(e);
    }
    if (!record.endsBy(Integer.MAX_VALUE)) {
      throw damaged(null);
    }
    int length = record.length();
    if (length > available) {
      require(length);
      if (limit - position < length) {
        throw damaged(null);
      }
      record.moveTo(buffer, position);
    }
    position += length;
    return true;
  }

  @Override
  public void close() throws IOException {
    try (run) {
      if (in != null) {
        in.close();
      }
    }
  }

  /** Reads on until so many bytes lie in the buffer, or all that are left. */
  private void require(int length) throws IOException {
    if (limit - position >= length) {
      return;
    }
    if (buffer.length - position < length) {
      byte[] target =
          length <= buffer.length ? buffer : new byte[Math.max(length, enlarged(buffer.length))];
      System.arraycopy(buffer, position, target, 0, limit - position);
      buffer = target;
      limit -= position;
      position = 0;
    }
    while (limit - position < length) {
      int read = in.read(buffer, limit, buffer.length - limit);
      if (read < 0) {
        return;
      }
      limit += read;
    }
  }

  private static int enlarged(int length) {
    return (int) Math.min(Integer.MAX_VALUE / 2, 2L * length);
  }

  private static IOException damaged(Throwable cause) {
    EOFException exception =
        new EOFException("Temporary data is damaged: it ends before its last record");
    exception.initCause(cause);
    return exception;
  }
}
