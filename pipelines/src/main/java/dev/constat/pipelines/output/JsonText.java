package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * JSON as outputs write it: UTF-8, line ends of one {@code \n}, and no character that a terminal or
 * an editor would obey rather than show. Ids come from archives, so they may hold escape sequences
 * or marks that turn the direction of text.
 */
public final class JsonText {

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .characterEscapes(new Harmless())
          .rootValueSeparator((SerializableString) null)
          .build()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  private JsonText() {}

  /** One value per line; ends the lines by {@link #newLine}. */
  static JsonGenerator lines(OutputStream out) throws IOException {
    return FACTORY.createGenerator(out);
  }

  /** One indented document. */
  public static JsonGenerator document(OutputStream out) throws IOException {
    return FACTORY.createGenerator(out).setPrettyPrinter(new Indented());
  }

  /** Ends a line, or the document. */
  public static void newLine(JsonGenerator json) throws IOException {
    json.writeRaw('\n');
  }

  /** Puts JSON text in the place of a value, on one line and as harmless as the rest. */
  static void embed(JsonGenerator json, String text) throws IOException {
    StringBuilder line = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // Between tokens these are the same as a space; inside a string JSON forbids them.
      boolean space = c == '\n' || c == '\r' || c == '\t';
      if (space || isObeyed(c)) {
        if (line == null) {
          line = new StringBuilder(text.length() + 16).append(text, 0, i);
        }
        line.append(space ? " " : escape(c));
      } else if (line != null) {
        line.append(c);
      }
    }
    json.writeRawValue(line == null ? text : line.toString());
  }

  /** Controls, and what changes the direction or the lines of text. */
  public static boolean isObeyed(int c) {
    return c < 0x20
        || c >= 0x7F && c <= 0x9F
        || c == 0x061C
        || c >= 0x200E && c <= 0x200F
        || c >= 0x2028 && c <= 0x202E
        || c >= 0x2066 && c <= 0x2069
        || c == 0xFEFF;
  }

  /** Such a character as an escape that shows it. */
  public static String escape(int c) {
    return "\\u" + HexFormat.of().toHexDigits((char) c);
  }

  /** A text with what a terminal would obey, rather than show, as escapes: one line. */
  public static String harmless(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isObeyed(c)) {
        shown.append(escape(c));
      } else {
        shown.append(c);
      }
    }
    return shown.toString();
  }

  /** Two spaces per level, on every platform the same line ends. */
  private static final class Indented extends DefaultPrettyPrinter {

    private static final long serialVersionUID = 1;

    Indented() {
      DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
      indentObjectsWith(indenter);
      indentArraysWith(indenter);
    }

    @Override
    public void writeObjectFieldValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(": ");
    }

    @Override
    public void writeEndArray(JsonGenerator json, int values) throws IOException {
      if (values > 0) {
        super.writeEndArray(json, values);
      } else {
        _nesting--;
        json.writeRaw(']');
      }
    }

    @Override
    public void writeEndObject(JsonGenerator json, int entries) throws IOException {
      if (entries > 0) {
        super.writeEndObject(json, entries);
      } else {
        _nesting--;
        json.writeRaw('}');
      }
    }
  }

  private static final class Harmless extends CharacterEscapes {

    private static final long serialVersionUID = 1;

    private final int[] ascii = standardAsciiEscapesForJSON();

    Harmless() {
      ascii[0x7F] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return Arrays.copyOf(ascii, ascii.length);
    }

    @Override
    public SerializableString getEscapeSequence(int c) {
      return isObeyed(c) ? new SerializedString(escape(c)) : null;
    }
  }
}
