package dev.constat.rules.encoding;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Gives texts that were read lately again as the same object: columns like a source, a topic or a
 * status have few values, and every record has one.
 *
 * <p>Not safe for use by several threads.
 */
public final class RecentTexts {

  private static final int SLOTS = 256;
  private static final int LONGEST = 64;

  private final byte[][] encoded = new byte[SLOTS][];
  private final String[] texts = new String[SLOTS];

  /** The text of a part of an array that holds its UTF-8. */
  String of(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length == 0) {
      return "";
    }
    if (length > LONGEST) {
      return new String(bytes, from, length, StandardCharsets.UTF_8);
    }
    int slot = slot(bytes, from, to);
    byte[] known = encoded[slot];
    if (known != null && Arrays.equals(known, 0, known.length, bytes, from, to)) {
      return texts[slot];
    }
    encoded[slot] = Arrays.copyOfRange(bytes, from, to);
    texts[slot] = new String(bytes, from, length, StandardCharsets.UTF_8);
    return texts[slot];
  }

  /** Values of one column tend to differ near their ends, those of two columns in length. */
  private static int slot(byte[] bytes, int from, int to) {
    int hash = 31 * (to - from) + bytes[from];
    for (int i = Math.max(from, to - 4); i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    return (hash ^ hash >>> 8) & SLOTS - 1;
  }
}
