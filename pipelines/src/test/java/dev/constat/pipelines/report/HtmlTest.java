package dev.constat.pipelines.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HtmlTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "plain text|plain text",
        "<script>alert(1)</script>|&lt;script&gt;alert(1)&lt;/script&gt;",
        "</style><img src=x onerror=a>|&lt;/style&gt;&lt;img src=x onerror=a&gt;",
        "a \"b\" 'c' &amp;|a &quot;b&quot; &#39;c&#39; &amp;amp;",
        "]]>|]]&gt;",
        "Grüße, 東京, 🂡|Grüße, 東京, 🂡",
      })
  void textIsEscaped(String text, String markup) {
    assertThat(markup(html -> html.text(text))).isEqualTo(markup);
    assertThat(markup(html -> html.leaf("br", "title", text)))
        .isEqualTo("<br title=\"" + markup + "\"/>");
  }

  @ParameterizedTest
  @CsvSource({
    "0, \\u0000",
    "9, \\u0009",
    "10, \\u000a",
    "13, \\u000d",
    "27, \\u001b",
    "127, \\u007f",
    "133, \\u0085",
    "160, \\u00a0",
    "173, \\u00ad",
    "8203, \\u200b",
    "8238, \\u202e",
    "8294, \\u2066",
    "8233, \\u2029",
    "12288, \\u3000",
    "65279, \\ufeff",
    "65535, \\uffff",
    "55296, \\ud800",
    "57343, \\udfff",
    "57344, \\ue000",
    "131070, \\u{1fffe}",
    "917569, \\u{e0041}",
    "1114111, \\u{10ffff}",
  })
  void whatIsObeyedOrUnseenIsShown(int codePoint, String shown) {
    String text =
        codePoint <= 0xFFFF ? String.valueOf((char) codePoint) : Character.toString(codePoint);
    assertThat(markup(html -> html.text("a" + text + "b"))).isEqualTo("a" + shown + "b");
  }

  @Test
  void halvesOfPairsInTheWrongOrderAreShown() {
    assertThat(markup(html -> html.text("\udca1\ud83c"))).isEqualTo("\\udca1\\ud83c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"script", "style", "iframe", "img", "form", "a b", "A", "", "p><p"})
  void elementsAreThePagesOwn(String element) {
    assertThatThrownBy(() -> markup(html -> html.open(element)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(element);
  }

  @ParameterizedTest
  @CsvSource({
    "onclick, x",
    "style, color:red",
    "src, a.png",
    "href, https://example.org",
    "href, javascript:alert(1)",
    "href, other.html",
    "a=b, x",
  })
  void nothingRunsOrLeavesThePage(String attribute, String value) {
    assertThatThrownBy(() -> markup(html -> html.leaf("br", attribute, value)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNotClosedIsABug() {
    assertThatThrownBy(() -> markup(html -> html.open("p")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("[BUG]");
    assertThatThrownBy(() -> markup(html -> html.put(inner -> inner.open("p"))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anythingMakesAWellFormedDocument() {
    Random random = new Random(20260107);
    for (int round = 0; round < 200; round++) {
      StringBuilder any = new StringBuilder();
      for (int i = 0; i < 200; i++) {
        any.append(
            random.nextBoolean() ? (char) random.nextInt(128) : (char) random.nextInt(0x10000));
      }
      String text = any.toString();
      byte[] page =
          Html.document(
              "p { margin: 0; }",
              head -> head.element("title", text),
              body -> body.element("p", text, "title", text));

      Markup read = Markup.of(page);
      assertThat(read.texts("p"))
          .isEqualTo(read.attributes("title"))
          .isEqualTo(read.texts("title"));
      assertThat(read.texts("p").get(0).codePoints()).noneMatch(Character::isISOControl);
    }
  }

  @Test
  void sizeIsThatOfTheBytes() {
    String text = "aé東🂡<";
    Html.Fragment fragment = Html.fragment(html -> html.text(text));
    assertThat(fragment.bytes())
        .isEqualTo(markup(html -> html.text(text)).getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void aStyleSheetIsPlainText() {
    assertThatThrownBy(() -> Html.document("</style>", head -> {}, body -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String markup(Html.Part part) {
    String page = new String(Html.document("", head -> {}, part), StandardCharsets.UTF_8);
    return page.substring(page.indexOf("<body>") + 7, page.indexOf("</body>"));
  }
}
