package dev.constat.pipelines.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.ArrayDeque;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The content of all members of a gzip file (RFC 1952), one behind the other. The JDK's own stream
 * ends without a word where a second member is damaged; this one fails unless the file ends behind
 * a member or is filled up with zeros there.
 */
final class GzipMembers extends InputStream {

  private static final int BUFFER = 1 << 16;
  private static final int HEADER_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xE0;

  private final PushbackInputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] compressed = new byte[BUFFER];
  private final ArrayDeque<Long> starts = new ArrayDeque<>();
  private int filled;
  private long position;
  private boolean ended;
  private boolean zeroPadded;

  /** Reads {@code in} from the start of a member on. */
  GzipMembers(InputStream in) throws IOException {
    this.in = new PushbackInputStream(in, BUFFER);
    header(octet("the header of a gzip member"));
  }

  /** The file is damaged here. */
  static final class DamagedException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedException(String problem) {
      super(problem);
    }
  }

  /**
   * Whether a member begins at a position of the content; ask in ascending order, for positions
   * that have been read.
   */
  boolean isMemberStart(long at) {
    while (!starts.isEmpty() && starts.peek() < at) {
      starts.poll();
    }
    return !starts.isEmpty() && starts.peek() == at;
  }

  /** Whether zeros stand behind the last member. */
  boolean isZeroPadded() {
    return zeroPadded;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      int count = inflate(buffer, offset, length);
      if (count > 0) {
        crc.update(buffer, offset, count);
        position += count;
        return count;
      }
      if (inflater.finished()) {
        nextMember();
      } else if (inflater.needsDictionary()) {
        throw new DamagedException("the content of a gzip member is damaged");
      } else {
        fill();
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }

  private int inflate(byte[] buffer, int offset, int length) throws DamagedException {
    try {
      return inflater.inflate(buffer, offset, length);
    } catch (DataFormatException e) {
      throw new DamagedException("the content of a gzip member is damaged");
    }
  }

  private void fill() throws IOException {
    filled = in.read(compressed);
    if (filled < 0) {
      throw new DamagedException("the file ends inside a gzip member");
    }
    inflater.setInput(compressed, 0, filled);
  }

  private void nextMember() throws IOException {
    int rest = inflater.getRemaining();
    in.unread(compressed, filled - rest, rest);
    trailer();
    int first = in.read();
    if (first == 0) {
      zeroPadded = true;
      requireZeros();
    } else if (first > 0) {
      inflater.reset();
      crc.reset();
      header(first);
      return;
    }
    ended = true;
  }

  private void trailer() throws IOException {
    String what = "the trailer of a gzip member";
    long expectedCrc = number(4, what);
    long expectedSize = number(4, what);
    if (expectedCrc != crc.getValue()
        || expectedSize != (inflater.getBytesWritten() & 0xFFFFFFFFL)) {
      throw new DamagedException(
          "the checksum of a gzip member does not fit, so lines read from it may be wrong");
    }
  }

  private void requireZeros() throws IOException {
    for (int count = in.read(compressed); count > 0; count = in.read(compressed)) {
      for (int i = 0; i < count; i++) {
        if (compressed[i] != 0) {
          throw new DamagedException("bytes that are no gzip member stand behind the last one");
        }
      }
    }
  }

  private void header(int first) throws IOException {
    String what = "the header of a gzip member";
    if (first != 0x1F || octet(what) != 0x8B || octet(what) != 8) {
      throw new DamagedException("bytes that are no gzip member stand behind the last one");
    }
    int flags = octet(what);
    if ((flags & RESERVED) != 0) {
      throw new DamagedException("the header of a gzip member has unknown flags");
    }
    number(6, what);
    if ((flags & EXTRA) != 0) {
      for (long left = number(2, what); left > 0; left--) {
        octet(what);
      }
    }
    if ((flags & NAME) != 0) {
      skipText(what);
    }
    if ((flags & COMMENT) != 0) {
      skipText(what);
    }
    if ((flags & HEADER_CRC) != 0) {
      number(2, what);
    }
    starts.add(position);
  }

  private void skipText(String what) throws IOException {
    while (octet(what) != 0) {
      // Names and comments mean nothing here.
    }
  }

  private long number(int bytes, String what) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) octet(what) << 8 * i;
    }
    return value;
  }

  private int octet(String what) throws IOException {
    int octet = in.read();
    if (octet < 0) {
      throw new DamagedException("the file ends inside " + what);
    }
    return octet;
  }
}
