package dev.constat.pipelines.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.constat.pipelines.output.JsonText;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HexFormat;

/**
 * What goes to a terminal, without anything that it would obey: control characters, but for the end
 * of a line and the tab, and marks that turn the direction of text or break lines are written as
 * escapes that show them, and so is every byte that is no UTF-8. Whoever prints takes care that one
 * line stays one line; this is the net below.
 */
final class HarmlessOutput extends FilterOutputStream {

  private final byte[] sequence = new byte[4];
  private int have;
  private int need;

  private HarmlessOutput(OutputStream out) {
    super(out);
  }

  /** A stream of UTF-8 text into {@code out}. */
  static PrintStream into(OutputStream out) {
    return new PrintStream(new HarmlessOutput(out), true, UTF_8);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int plain = from;
    for (int i = from; i < from + length; i++) {
      if (have == 0 && isPlain(bytes[i])) {
        continue;
      }
      if (have == 0) {
        out.write(bytes, plain, i - plain);
      }
      write(bytes[i]);
      plain = i + 1;
    }
    if (plain < from + length) {
      out.write(bytes, plain, from + length - plain);
    }
  }

  private static boolean isPlain(byte b) {
    return b >= ' ' && b != 0x7F || b == '\n' || b == '\t';
  }

  @Override
  public void write(int value) throws IOException {
    byte b = (byte) value;
    if (have > 0 && (b & 0xC0) != 0x80) {
      drop();
    }
    if (have == 0) {
      need =
          b >= 0 ? 1 : (b & 0xE0) == 0xC0 ? 2 : (b & 0xF0) == 0xE0 ? 3 : (b & 0xF8) == 0xF0 ? 4 : 0;
      if (need == 0) {
        escape(b);
        return;
      }
    }
    sequence[have++] = b;
    if (have == need) {
      character();
    }
  }

  private void character() throws IOException {
    String text = new String(sequence, 0, have, UTF_8);
    int point = text.codePointAt(0);
    if (have == 1 && isPlain(sequence[0])) {
      out.write(sequence[0]);
    } else if (text.length() != Character.charCount(point) || point == 0xFFFD && !isReplacement()) {
      drop();
    } else if (JsonText.isObeyed(point)) {
      out.write(JsonText.escape(point).getBytes(US_ASCII));
    } else {
      out.write(sequence, 0, have);
    }
    have = 0;
  }

  private boolean isReplacement() {
    return have == 3
        && sequence[0] == (byte) 0xEF
        && sequence[1] == (byte) 0xBF
        && sequence[2] == (byte) 0xBD;
  }

  /** Shows the bytes of what is no character. */
  private void drop() throws IOException {
    for (int i = 0; i < have; i++) {
      escape(sequence[i]);
    }
    have = 0;
  }

  private void escape(byte b) throws IOException {
    out.write(("\\x" + HexFormat.of().toHexDigits(b)).getBytes(US_ASCII));
  }

  @Override
  public void close() throws IOException {
    drop();
    super.close();
  }
}
