package dev.constat.rules.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

  private static String canonical(String text) throws MalformedJsonException {
    return CanonicalJson.text(StrictJson.parse(text.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "0.000, 0",
    "-0e5, 0",
    "0e999999999999999, 0",
    "1, 1",
    "1.0, 1",
    "-1.50, -15e-1",
    "136.0, 136",
    "1.36E2, 136",
    "1.36e+2, 136",
    "1200, 12e2",
    "100e-2, 1",
    "0.01, 1e-2",
    "0.010, 1e-2",
    "1e400, 1e400",
    "9007199254740992, 9007199254740992",
    "9007199254740993, 9007199254740993",
    "1e-999999999999999, 1e-999999999999999",
    "10e999999999999999, 1e1000000000000000",
  })
  void numbersAreTheirExactValue(String literal, String expected) {
    assertThat(CanonicalJson.number(literal)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void numbersHaveOneTextIfAndOnlyIfTheyAreEqual(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      String a = number(random);
      String b = random.nextInt(3) == 0 ? respelled(a, random) : number(random);
      boolean equal = new BigDecimal(a).compareTo(new BigDecimal(b)) == 0;
      assertThat(CanonicalJson.number(a).equals(CanonicalJson.number(b)))
          .as("%s and %s", a, b)
          .isEqualTo(equal);
      assertThat(new BigDecimal(CanonicalJson.number(a))).isEqualByComparingTo(new BigDecimal(a));
      assertThat(CanonicalJson.isNumber(a)).isTrue();
    }
  }

  private static String number(Random random) {
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
    text.append(random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(120));
    if (random.nextBoolean()) {
      text.append('.').append(random.nextInt(3)).append(random.nextInt(20));
    }
    if (random.nextBoolean()) {
      text.append(random.nextBoolean() ? "e" : "E-").append(random.nextInt(4));
    }
    return text.toString();
  }

  private static String respelled(String number, Random random) {
    BigDecimal value = new BigDecimal(number);
    int scale = value.scale() + random.nextInt(4);
    return value.setScale(scale, java.math.RoundingMode.UNNECESSARY).toPlainString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0", "10", "1.5", "-1e9", "1E+09", "0.0e-0"})
  void aTextMayBeWhollyANumber(String text) {
    assertThat(CanonicalJson.isNumber(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        "01",
        "-01",
        "1.",
        ".5",
        "1e",
        "1e+",
        " 1",
        "1 ",
        "0x1",
        "NaN",
        "\u0661",
        "1,5",
        "1e5.0",
        "--1",
        "Infinity"
      })
  void otherTextsAreNone(String text) {
    assertThat(CanonicalJson.isNumber(text)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // C55: keys sort at every depth, and array order stays
        "{\"bb\":1,\"a\":{\"y\":1,\"x\":[2,1]}} | {\"a\":{\"x\":[2,1],\"y\":1},\"bb\":1}",
        // C66: three different contents
        "{\"tags\":[]} | {\"tags\":[]}",
        "{\"tags\":null} | {\"tags\":null}",
        "{} | {}",
        // strings are untouched
        "{\"d\":\"1.10\"} | {\"d\":\"1.10\"}",
        "\"\\u0041\\/\\u001f\\u007f\" | \"A/\\u001f\u007f\"",
        "\"\\u0008\\u0009\\u000a\\u000c\\u000d\\\"\\\\\" | \"\\b\\t\\n\\f\\r\\\"\\\\\"",
        "[true,false,null,\"\"] | [true,false,null,\"\"]",
      })
  void textIsCanonical(String text, String expected) throws MalformedJsonException {
    assertThat(canonical(text)).isEqualTo(expected);
    assertThat(canonical(expected)).isEqualTo(expected);
  }

  @Test
  void membersAreOrderedByUtf16() throws MalformedJsonException {
    // RFC 8785 3.2.3: a surrogate pair stands before U+FB33
    assertThat(canonical("{\"\uFB33\":1,\"\uD83D\uDE00\":2,\"\u20AC\":3,\"1\":4,\"\\r\":5}"))
        .isEqualTo("{\"\\r\":5,\"1\":4,\"\u20AC\":3,\"\uD83D\uDE00\":2,\"\uFB33\":1}");
  }

  @Test
  void bytesAreUtf8() throws MalformedJsonException {
    assertThat(CanonicalJson.bytes(new JsonValue.Text("\uD83D\uDE00")))
        .isEqualTo("\"\uD83D\uDE00\"".getBytes(UTF_8));
  }
}
