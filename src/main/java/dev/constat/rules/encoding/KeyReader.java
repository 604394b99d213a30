package dev.constat.rules.encoding;

import com.google.common.base.Preconditions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Reads back, field by field, what {@link KeyWriter} wrote. */
public final class KeyReader {

  private final byte[] bytes;
  private final int end;
  private final RecentTexts recent;
  private int position;

  /** Reads all of {@code bytes}. */
  public KeyReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** Reads a part of an array. */
  public KeyReader(byte[] bytes, int from, int to) {
    this(bytes, from, to, null);
  }

  /**
   * Reads a part of an array.
   *
   * @param recent gives repeated texts again, or null
   */
  public KeyReader(byte[] bytes, int from, int to, RecentTexts recent) {
    Preconditions.checkPositionIndexes(from, to, bytes.length);
    this.recent = recent;
    this.bytes = bytes;
    this.position = from;
    this.end = to;
  }

  /** Text. */
  public String text() {
    int from = position;
    int at = endOfPlainRun();
    if (bytes[at + 1] == 1) {
      position = at + 2;
      return new String(bytes, from, at - from, StandardCharsets.UTF_8);
    }
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /** Text or null. */
  public String nullableText() {
    return present() ? text() : null;
  }

  /** Text of a column that has few values. */
  public String repeatedText() {
    int from = position;
    int at = recent == null ? 0 : endOfPlainRun();
    if (recent == null || bytes[at + 1] != 1) {
      return text();
    }
    position = at + 2;
    return recent.of(bytes, from, at);
  }

  /** Text, or null, of a column that has few values. */
  public String nullableRepeatedText() {
    return present() ? repeatedText() : null;
  }

  /** Bytes. */
  public byte[] bytes() {
    int from = position;
    int zeros = 0;
    int at = endOfPlainRun();
    while (bytes[at + 1] != 1) {
      zeros++;
      position = at + 2;
      at = endOfPlainRun();
    }
    position = at + 2;
    if (zeros == 0) {
      return Arrays.copyOfRange(bytes, from, at);
    }
    byte[] value = new byte[at - from - zeros];
    for (int in = from, out = 0; in < at; in++, out++) {
      value[out] = bytes[in];
      if (bytes[in] == 0) {
        in++;
      }
    }
    return value;
  }

  /** Bytes or null. */
  public byte[] nullableBytes() {
    return present() ? bytes() : null;
  }

  /** Passes over text or bytes without making a value of it. */
  public KeyReader skipText() {
    int at = endOfPlainRun();
    while (bytes[at + 1] != 1) {
      position = at + 2;
      at = endOfPlainRun();
    }
    position = at + 2;
    return this;
  }

  /** So many bytes as they stand. */
  public byte[] raw(int length) {
    byte[] value = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return value;
  }

  /** One byte, as an unsigned integer. */
  public int octet() {
    Preconditions.checkElementIndex(position, end);
    return bytes[position++] & 0xFF;
  }

  /** A boolean. */
  public boolean bool() {
    return octet() == 1;
  }

  /** A boolean or null. */
  public Boolean nullableBool() {
    int value = octet();
    return value == 0 ? null : Boolean.valueOf(value == 2);
  }

  /** The 64 bits of an unsigned integer. */
  public long unsigned() {
    Preconditions.checkPositionIndex(position + Long.BYTES, end);
    long value = Words.longAt(bytes, position);
    position += Long.BYTES;
    return value;
  }

  /** The 32 bits of an unsigned integer. */
  public int unsigned32() {
    Preconditions.checkPositionIndex(position + Integer.BYTES, end);
    int value = Words.intAt(bytes, position);
    position += Integer.BYTES;
    return value;
  }

  /** A signed integer. */
  public long signed() {
    return unsigned() ^ Long.MIN_VALUE;
  }

  /** A signed integer or null. */
  public Long nullableSigned() {
    return present() ? signed() : null;
  }

  /** An instant. */
  public Instant instant() {
    long seconds = signed();
    return Instant.ofEpochSecond(seconds, unsigned32());
  }

  /** An instant or null. */
  public Instant nullableInstant() {
    return present() ? instant() : null;
  }

  /** Where the next field begins in the array. */
  public int position() {
    return position;
  }

  /** Whether nothing is left. */
  public boolean isAtEnd() {
    return position == end;
  }

  private boolean present() {
    return octet() == KeyWriter.PRESENT;
  }

  private int endOfPlainRun() {
    int at = Words.firstZero(bytes, position, end);
    Preconditions.checkPositionIndex(at + 2, end, "end of a field");
    return at;
  }
}
