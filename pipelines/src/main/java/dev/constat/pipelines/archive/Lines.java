package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Unreadable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines that begin in a range of a text, as bytes. A line ends with LF, with CRLF or with the
 * text; CR alone and every other separator of Unicode belong to their line. Ranges that join give
 * each line exactly once.
 *
 * <p>Only one line is held at a time, and of one longer than the limit only its head.
 */
final class Lines {

  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final long end;
  private final int limit;

  private byte[] buffer = new byte[BUFFER];
  private long base;
  private int next;
  private int filled;
  private boolean exhausted;

  private byte[] line;
  private int from;
  private int to;
  private long length;
  private boolean tooLong;

  /** Whether the line that was passed over last ends with CR. */
  private boolean lastIsReturn;

  private long offset;
  private int number = -1;

  /**
   * Lines of a text.
   *
   * @param in the text from {@code start} on
   * @param start where a line begins
   * @param end lines that begin here or later are not read
   * @param limit the longest line to hold, in bytes
   */
  Lines(InputStream in, long start, long end, int limit) {
    this.in = in;
    this.base = start;
    this.offset = start;
    this.end = end;
    this.limit = limit;
  }

  /**
   * Passes over the end of a line that began before, with {@code in} standing one byte before a
   * range: a line begins in the range exactly behind a line end.
   */
  void skipBegunLine() throws IOException {
    int feed = findLineFeed();
    if (feed < 0) {
      passToLineFeed();
    } else {
      next = feed + 1;
    }
  }

  /** Moves to the next line; false where none begins in the range any more. */
  boolean next() throws IOException {
    offset = base + next;
    if (offset >= end) {
      return false;
    }
    int feed = findLineFeed();
    if (feed >= 0) {
      take(feed);
      next = feed + 1;
    } else if (!exhausted) {
      takeHeadOnly();
    } else if (next < filled) {
      take(filled);
      next = filled;
    } else {
      return false;
    }
    number++;
    return true;
  }

  /** Takes the bytes from {@code next} to {@code end} for the line. */
  private void take(int end) {
    line = buffer;
    from = next;
    to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
    length = (long) to - from;
    tooLong = length > limit;
    if (tooLong) {
      to = from + Math.min(Unreadable.RAW_LIMIT, limit);
    }
  }

  /** Takes the head of a line that is too long, and passes over the rest of it. */
  private void takeHeadOnly() throws IOException {
    line = Arrays.copyOfRange(buffer, next, next + Math.min(Unreadable.RAW_LIMIT, limit));
    from = 0;
    to = line.length;
    tooLong = true;
    boolean feed = passToLineFeed();
    length = base + next - offset - (feed ? 1 : 0) - (lastIsReturn ? 1 : 0);
  }

  /** The array that holds the line until {@link #next} is called again. */
  byte[] line() {
    return line;
  }

  /** Where the line begins in the array. */
  int from() {
    return from;
  }

  /** Where it ends, its line end not counted; of a line that is too long, where its head ends. */
  int to() {
    return to;
  }

  /** How many bytes it has in the text. */
  long length() {
    return length;
  }

  boolean isTooLong() {
    return tooLong;
  }

  /** Where it begins in the text; of the line that could not be read, after an exception. */
  long offset() {
    return offset;
  }

  /** Its number in the range, from 0. */
  int number() {
    return number;
  }

  /** How many lines have been passed. */
  int count() {
    return number + 1;
  }

  /** The next line feed in the buffer, which is filled as far as the limit allows; else -1. */
  private int findLineFeed() throws IOException {
    int scanned = next;
    while (true) {
      int feed = ByteScan.indexOf(buffer, scanned, filled, '\n');
      if (feed >= 0) {
        return feed;
      }
      // A line of just the limit may have a CR behind it, which does not count.
      if (exhausted || filled - next > limit + 1) {
        return -1;
      }
      scanned = filled - makeRoom();
      fill();
    }
  }

  /** Makes room behind what is filled, and says by how much that moved. */
  private int makeRoom() {
    if (filled < buffer.length) {
      return 0;
    }
    int moved = next;
    if (moved == 0) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, limit + 2L));
    } else {
      System.arraycopy(buffer, next, buffer, 0, filled - next);
      base += moved;
      filled -= moved;
      next = 0;
    }
    return moved;
  }

  private void fill() throws IOException {
    int count = in.read(buffer, filled, buffer.length - filled);
    if (count < 0) {
      exhausted = true;
    } else {
      filled += count;
    }
  }

  /** Moves behind the next line feed without keeping anything; false where the text ends before. */
  private boolean passToLineFeed() throws IOException {
    lastIsReturn = false;
    while (true) {
      int feed = ByteScan.indexOf(buffer, next, filled, '\n');
      int end = feed >= 0 ? feed : filled;
      if (end > next) {
        lastIsReturn = buffer[end - 1] == '\r';
      }
      if (feed >= 0) {
        next = feed + 1;
        return true;
      }
      base += filled;
      next = 0;
      filled = 0;
      if (exhausted) {
        return false;
      }
      fill();
    }
  }
}
