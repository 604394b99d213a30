package dev.constat.rules.encoding;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Encodes values one after the other so that unsigned comparison of the bytes is the order of the
 * values, field by field: text by its UTF-8 bytes, instants and integers by value, null before
 * everything. Every field ends by itself, so no encoding is the beginning of another. {@link
 * KeyReader} reads it back.
 *
 * <p>Not safe for use by several threads; {@link #clear} makes one writer serve many records.
 */
public final class KeyWriter {

  private static final byte ESCAPE = 0;
  private static final byte ESCAPED_ZERO = (byte) 0xFF;
  private static final byte END = 1;
  static final byte ABSENT = 0;
  static final byte PRESENT = 1;

  private byte[] buffer = new byte[256];
  private int size;

  /** Forgets what was written. */
  public KeyWriter clear() {
    size = 0;
    return this;
  }

  /** Text, by its UTF-8 bytes. */
  public KeyWriter text(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Text or null; null comes first. */
  public KeyWriter nullableText(String value) {
    if (value == null) {
      return octet(ABSENT);
    }
    return octet(PRESENT).text(value);
  }

  /** Bytes of any length, in unsigned order, a beginning before what continues it. */
  public KeyWriter bytes(byte[] value) {
    reserve(2 * value.length + 2);
    int plain = Words.firstZero(value, 0, value.length);
    System.arraycopy(value, 0, buffer, size, plain);
    size += plain;
    for (int i = plain; i < value.length; i++) {
      buffer[size++] = value[i];
      if (value[i] == ESCAPE) {
        buffer[size++] = ESCAPED_ZERO;
      }
    }
    buffer[size++] = ESCAPE;
    buffer[size++] = END;
    return this;
  }

  /** Bytes or null; null comes first. */
  public KeyWriter nullableBytes(byte[] value) {
    if (value == null) {
      return octet(ABSENT);
    }
    return octet(PRESENT).bytes(value);
  }

  /** Bytes whose length the reader knows. */
  public KeyWriter raw(byte[] value) {
    return raw(value, 0, value.length);
  }

  /** A part of an array whose length the reader knows. */
  public KeyWriter raw(byte[] value, int from, int to) {
    reserve(to - from);
    System.arraycopy(value, from, buffer, size, to - from);
    size += to - from;
    return this;
  }

  /** One byte, in unsigned order. */
  public KeyWriter octet(int value) {
    reserve(1);
    buffer[size++] = (byte) value;
    return this;
  }

  /** False before true. */
  public KeyWriter bool(boolean value) {
    return octet(value ? 1 : 0);
  }

  /** Absent, then false, then true. */
  public KeyWriter nullableBool(Boolean value) {
    return octet(value == null ? 0 : value ? 2 : 1);
  }

  /** The 64 bits as an unsigned integer. */
  public KeyWriter unsigned(long value) {
    reserve(Long.BYTES);
    Words.putLong(buffer, size, value);
    size += Long.BYTES;
    return this;
  }

  /** The 32 bits as an unsigned integer. */
  public KeyWriter unsigned32(int value) {
    reserve(Integer.BYTES);
    Words.putInt(buffer, size, value);
    size += Integer.BYTES;
    return this;
  }

  /** A signed integer. */
  public KeyWriter signed(long value) {
    return unsigned(value ^ Long.MIN_VALUE);
  }

  /** A signed integer or null; null comes first. */
  public KeyWriter nullableSigned(Long value) {
    return value == null ? octet(ABSENT) : octet(PRESENT).signed(value);
  }

  /** An instant at full precision: seconds, then nanoseconds. */
  public KeyWriter instant(Instant value) {
    return signed(value.getEpochSecond()).unsigned32(value.getNano());
  }

  /** An instant or null; null comes first. */
  public KeyWriter nullableInstant(Instant value) {
    return value == null ? octet(ABSENT) : octet(PRESENT).instant(value);
  }

  /** How many bytes are written. */
  public int size() {
    return size;
  }

  /** The bytes behind this writer, valid up to {@link #size} and until it is written to again. */
  public byte[] buffer() {
    return buffer;
  }

  /** A copy of what is written. */
  public byte[] toBytes() {
    return Arrays.copyOf(buffer, size);
  }

  private void reserve(int bytes) {
    if (buffer.length - size < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, Math.addExact(size, bytes)));
    }
  }
}
