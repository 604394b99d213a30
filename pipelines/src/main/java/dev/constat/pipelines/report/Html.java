package dev.constat.pipelines.report;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableSet;
import dev.constat.pipelines.output.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Writes markup that HTML and XML parsers read as the same tree. Text and values of attributes can
 * only be written escaped; names of elements and attributes are the page's own words and checked.
 * There is no way to write a script, an event handler, an inline style or a link that leaves the
 * page.
 *
 * <p>What an editor or a terminal would obey rather than show (control characters, marks that turn
 * the direction of text, invisible characters, halves of surrogate pairs) is shown as an escape
 * like {@code \u202e}, so that what looks equal is equal.
 */
final class Html {

  /** Markup that was written by {@link Html}. */
  static final class Fragment {

    private final String markup;

    private Fragment(String markup) {
      this.markup = markup;
    }

    /** Size in UTF-8. */
    int bytes() {
      return utf8(markup);
    }
  }

  /** Writes something. */
  @FunctionalInterface
  interface Part {

    /** Writes into {@code html}. */
    void into(Html html);
  }

  private static final Pattern NAME = Pattern.compile("[a-z][A-Za-z0-9]*(-[a-z]+)*");
  private static final ImmutableSet<String> FORBIDDEN =
      ImmutableSet.of("script", "style", "iframe", "object", "embed", "base", "form", "img");
  private static final ImmutableSet<String> FORBIDDEN_ATTRIBUTES =
      ImmutableSet.of("style", "src", "srcset", "srcdoc", "action", "formaction", "data");

  /**
   * Blanks that look like another, fillers, joiners, tags, selectors, private use, no characters.
   */
  private static final int[][] UNSEEN = {
    {0xA0, 0xA0},
    {0xAD, 0xAD},
    {0x034F, 0x034F},
    {0x0600, 0x0605},
    {0x061C, 0x061C},
    {0x06DD, 0x06DD},
    {0x070F, 0x070F},
    {0x115F, 0x1160},
    {0x1680, 0x1680},
    {0x17B4, 0x17B5},
    {0x180B, 0x180F},
    {0x2000, 0x200F},
    {0x2028, 0x202F},
    {0x205F, 0x206F},
    {0x3000, 0x3000},
    {0x3164, 0x3164},
    {0xE000, 0xF8FF},
    {0xFDD0, 0xFDEF},
    {0xFE00, 0xFE0F},
    {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB},
    {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A},
    {0xE0000, 0x10FFFF},
  };

  private final StringBuilder out = new StringBuilder();
  private final ArrayDeque<String> open = new ArrayDeque<>();

  private Html() {}

  /** What {@code part} writes. */
  static Fragment fragment(Part part) {
    Html html = new Html();
    part.into(html);
    return new Fragment(html.finish());
  }

  /**
   * A whole document.
   *
   * @param css style sheet, a text of the page's own
   */
  static byte[] document(String css, Part head, Part body) {
    Preconditions.checkArgument(
        css.indexOf('<') < 0 && css.indexOf('&') < 0 && !css.contains("]]>"),
        "A style sheet that is no plain text");
    Html html = new Html();
    html.out.append("<!DOCTYPE html>\n");
    html.open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml");
    html.line().open("head").line();
    head.into(html);
    html.out.append("<style>").append(css).append("</style>");
    html.line().close().line();
    html.open("body").line();
    body.into(html);
    html.close().line().close().line();
    return html.finish().getBytes(StandardCharsets.UTF_8);
  }

  private String finish() {
    Preconditions.checkState(open.isEmpty(), "[BUG] Not closed: %s", open);
    return out.toString();
  }

  /**
   * Begins an element.
   *
   * @param attributes names and values in turn; one whose value is null is left out
   */
  Html open(String element, String... attributes) {
    begin(element, attributes);
    out.append('>');
    open.push(element);
    return this;
  }

  /** An element without content. */
  Html leaf(String element, String... attributes) {
    begin(element, attributes);
    out.append("/>");
    return this;
  }

  /** An element that holds text. */
  Html element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close();
  }

  /** Text, escaped. */
  Html text(String text) {
    escape(text, out);
    return this;
  }

  /** A line end, for those who read the source. */
  Html line() {
    out.append('\n');
    return this;
  }

  /** What was written before. */
  Html put(Fragment fragment) {
    out.append(fragment.markup);
    return this;
  }

  /** A term of a list of terms ({@code dl}) and what belongs to it. */
  Html fact(String term, Part part) {
    return open("div").element("dt", term).open("dd").put(part).close().close();
  }

  /** What {@code part} writes. */
  Html put(Part part) {
    int depth = open.size();
    part.into(this);
    Preconditions.checkState(open.size() == depth, "[BUG] Not closed: %s", open);
    return this;
  }

  /** Ends the element that was begun last. */
  Html close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  private void begin(String element, String... attributes) {
    Preconditions.checkArgument(
        NAME.matcher(element).matches() && !FORBIDDEN.contains(element),
        "Not an element of the page: %s",
        element);
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      attribute(attributes[i], attributes[i + 1]);
    }
  }

  private void attribute(String name, String value) {
    if (value == null) {
      return;
    }
    Preconditions.checkArgument(
        NAME.matcher(name).matches()
            && !name.startsWith("on")
            && !FORBIDDEN_ATTRIBUTES.contains(name),
        "Not an attribute of the page: %s",
        name);
    Preconditions.checkArgument(
        !name.equals("href") || value.startsWith("#"), "A link that leaves the page: %s", value);
    out.append(' ').append(name).append("=\"");
    escape(value, out);
    out.append('"');
  }

  private static void escape(String text, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> {
          if (c >= ' ' && c < 0x7F) {
            out.append(c);
          } else if (Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1))) {
            int point = Character.toCodePoint(c, text.charAt(++i));
            if (isSeen(point)) {
              out.appendCodePoint(point);
            } else {
              out.append("\\u{")
                  .append(HexFormat.of().toHexDigits(point, point > 0xFFFFF ? 6 : 5))
                  .append('}');
            }
          } else if (Character.isSurrogate(c) || !isSeen(c)) {
            out.append(JsonText.escape(c));
          } else {
            out.append(c);
          }
        }
      }
    }
  }

  /**
   * Whether a character shows itself, and is one that documents may hold. The ranges are written
   * down because what Java knows of Unicode differs from release to release.
   */
  private static boolean isSeen(int c) {
    if (JsonText.isObeyed(c) || (c & 0xFFFE) == 0xFFFE) {
      return false;
    }
    for (int[] range : UNSEEN) {
      if (c >= range[0] && c <= range[1]) {
        return false;
      }
    }
    return true;
  }

  private static int utf8(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // A surrogate is half of what takes four bytes.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }
}
