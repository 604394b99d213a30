package dev.constat.rules.disclosure;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CompileTimeConstant;
import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A sentence for people that knows which of its words come from records. Words of its own are
 * constants of the program, which the compiler checks; whatever else goes in is a number, a time, a
 * constant of an enum, a text of the run spec, or a value under the name of the column that it is
 * of. So a writer can replace values without looking for them.
 *
 * @param parts its parts, in order
 */
public record Sentence(ImmutableList<Part> parts) implements Serializable {

  // None of these bytes occurs in UTF-8 (RFC 3629, section 3).
  private static final byte VALUE = (byte) 0xFE;
  private static final byte OF_COLUMN = (byte) 0xFD;
  private static final byte END = (byte) 0xFF;

  /** Joins words that stand beside each other, so that sentences that read alike are equal. */
  public Sentence {
    List<Part> joined = new ArrayList<>();
    for (Part part : parts) {
      Part last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && last.column == null && part.column == null) {
        joined.set(joined.size() - 1, new Part(null, last.text + part.text));
      } else if (part.column != null || !part.text.isEmpty()) {
        joined.add(part);
      }
    }
    parts = ImmutableList.copyOf(joined);
  }

  /**
   * A part of a sentence.
   *
   * @param column the column that {@code text} is a value of, or null where it is no value
   * @param text the words
   */
  public record Part(String column, String text) implements Serializable {}

  /** Says what stands in the place of a value. */
  @FunctionalInterface
  public interface Values {

    /** What stands in the place of a value of a column. */
    String of(String column, String value);
  }

  /** A sentence that begins with these words, or has no others. */
  public static Sentence of(@CompileTimeConstant String words) {
    return new Sentence(ImmutableList.of(new Part(null, words)));
  }

  /** A sentence that begins with a value; null is the word null. */
  public static Sentence ofValue(String column, String value) {
    return new Sentence(ImmutableList.of()).value(column, value);
  }

  /** A sentence that is a text of the run spec, or was made of nothing else. */
  public static Sentence ofConfigured(String text) {
    return new Sentence(ImmutableList.of(new Part(null, text)));
  }

  /** The same with further words. */
  public Sentence and(@CompileTimeConstant String words) {
    return with(new Part(null, words));
  }

  /** The same with a number. */
  public Sentence and(long number) {
    return with(new Part(null, Long.toString(number)));
  }

  /** The same with a duration. */
  public Sentence and(Duration duration) {
    return with(new Part(null, duration.toString()));
  }

  /** The same with a time. */
  public Sentence and(Instant time) {
    return with(new Part(null, time.toString()));
  }

  /** The same with a constant, by its name; null is the word null. */
  public Sentence and(Enum<?> word) {
    return with(new Part(null, word == null ? "null" : word.name()));
  }

  /** The same with another behind it. */
  public Sentence and(Sentence other) {
    return new Sentence(ImmutableList.<Part>builder().addAll(parts).addAll(other.parts).build());
  }

  /** The same with a text that the run spec says. */
  public Sentence configured(String text) {
    return with(new Part(null, text));
  }

  /**
   * The same with a value that comes from a record; null is the word null.
   *
   * @param column the canonical name of its column
   */
  public Sentence value(String column, String value) {
    return with(value == null ? new Part(null, "null") : new Part(column, value));
  }

  private Sentence with(Part part) {
    return new Sentence(ImmutableList.<Part>builder().addAll(parts).add(part).build());
  }

  /** The words, with every value as it is. */
  @Override
  public String toString() {
    if (parts.size() == 1) {
      return parts.get(0).text;
    }
    return with((column, value) -> value);
  }

  /** The words, with what {@code values} says in the place of each value. */
  public String with(Values values) {
    StringBuilder words = new StringBuilder();
    for (Part part : parts) {
      words.append(part.column == null ? part.text : values.of(part.column, part.text));
    }
    return words.toString();
  }

  /** All of it; a sentence without values is its UTF-8. */
  public byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Part part : parts) {
      byte[] text = part.text.getBytes(UTF_8);
      if (part.column == null) {
        out.writeBytes(text);
      } else {
        out.write(VALUE);
        out.writeBytes(part.column.getBytes(UTF_8));
        out.write(OF_COLUMN);
        out.writeBytes(text);
        out.write(END);
      }
    }
    return out.toByteArray();
  }

  /** Reads what {@link #toBytes} gave. */
  public static Sentence read(byte[] bytes) {
    ImmutableList.Builder<Part> parts = ImmutableList.builder();
    int at = 0;
    while (at < bytes.length) {
      int from = at;
      if (bytes[at] == VALUE) {
        int of = indexOf(OF_COLUMN, bytes, at);
        int end = indexOf(END, bytes, of);
        parts.add(new Part(text(bytes, at + 1, of), text(bytes, of + 1, end)));
        at = end + 1;
      } else {
        at = Math.min(indexOf(VALUE, bytes, at), bytes.length);
        parts.add(new Part(null, text(bytes, from, at)));
      }
    }
    return new Sentence(parts.build());
  }

  /** The UTF-8 of the words of what {@link #toBytes} gave, with every value as it is. */
  public static byte[] words(byte[] bytes) {
    if (indexOf(VALUE, bytes, 0) == bytes.length) {
      return bytes;
    }
    byte[] words = new byte[bytes.length];
    int length = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == VALUE) {
        at = indexOf(OF_COLUMN, bytes, at);
      } else if (bytes[at] != END) {
        words[length++] = bytes[at];
      }
    }
    return Arrays.copyOf(words, length);
  }

  private static int indexOf(byte wanted, byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, UTF_8);
  }
}
