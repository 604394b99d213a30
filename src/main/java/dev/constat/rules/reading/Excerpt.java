package dev.constat.rules.reading;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The beginning of a text that comes from an archive, fit for a message: at most {@link #LENGTH}
 * characters of it, and nothing in it that a terminal or an encoder could trip over.
 */
public final class Excerpt {

  /** How many characters of a text are shown. */
  public static final int LENGTH = 80;

  private static final char REPLACEMENT = '\uFFFD';
  private static final HexFormat HEX = HexFormat.of();

  private Excerpt() {}

  /** Control characters and lone surrogates as Unicode escapes, the rest as it stands. */
  public static String of(String text) {
    return of(text, LENGTH);
  }

  /** The same with more or fewer characters. */
  public static String of(String text, int length) {
    StringBuilder shown = new StringBuilder();
    int end = Math.min(text.length(), length);
    int at = 0;
    while (at < end) {
      int point = text.codePointAt(at);
      if (Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE) {
        shown.append("\\u").append(HEX.toHexDigits((char) point));
      } else {
        shown.appendCodePoint(point);
      }
      at += Character.charCount(point);
    }
    return at < text.length() ? shown.append('…').toString() : shown.toString();
  }

  /** UTF-8 as text, and anything else as {@code 0x} and hexadecimal digits. */
  public static String of(byte[] bytes) {
    byte[] head = Arrays.copyOf(bytes, Math.min(bytes.length, 4 * LENGTH));
    String text = new String(head, StandardCharsets.UTF_8);
    int replaced = text.indexOf(REPLACEMENT);
    if (replaced < 0 || replaced >= LENGTH) {
      return of(text);
    }
    return of("0x" + HEX.formatHex(head));
  }
}
