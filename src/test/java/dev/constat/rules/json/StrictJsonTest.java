package dev.constat.rules.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {

  private static JsonValue parse(String text) throws MalformedJsonException {
    return StrictJson.parse(text.getBytes(UTF_8));
  }

  private static void refused(byte[] text, String message) {
    assertThatThrownBy(() -> StrictJson.parse(text))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":1} | Duplicate field 'a'",
        "{\"a\":1,\"\\u0061\":2} | Duplicate field 'a'",
        "[{\"x\":{\"a\":null,\"b\":0,\"a\":null}}] | Duplicate field 'a'",
        "{\"px\":NaN} | not JSON at character",
        "[Infinity] | not JSON at character",
        "[-Infinity] | not JSON at character",
        "{\"a\":01} | not JSON at character",
        "[+1] | not JSON at character",
        "[.5] | not JSON at character",
        "[1.] | not JSON at character",
        "[1,] | not JSON at character",
        "{'a':1} | not JSON at character",
        "{a:1} | not JSON at character",
        "// x | not JSON at character",
        "{\"a\":1 | not JSON",
        "{} {} | more text behind the JSON value, after character 2",
        "1 2 | more text behind the JSON value",
        "{\"n\":\"\\uD800X\"} | ill-formed Unicode: lone surrogate \\uD800",
        "{\"n\":\"\\uDC00\"} | ill-formed Unicode: lone surrogate \\uDC00",
        "{\"n\":\"\\uDE00\\uD83D\"} | ill-formed Unicode: lone surrogate \\uDE00",
        "{\"n\":\"a\\uD83D\"} | ill-formed Unicode: lone surrogate \\uD83D",
        "{\"\\uD83D\":1} | not JSON at character 8: Broken surrogate pair in field name",
        "{\"\\uDE00\":1} | not JSON at character 8: ",
        "1e1234567890123456 | over a limit: an exponent of more than 15 digits",
      })
  void refusesWhatReadersTakeForDifferentThings(String text, String message) {
    refused(text.getBytes(UTF_8), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t\r "})
  void emptyIsNotJson(String text) {
    refused(text.getBytes(UTF_8), "empty instead of JSON");
  }

  @Test
  void illFormedUtf8IsRefusedBeforeItIsParsed() {
    refused("\"\u00E9\"".getBytes(ISO_8859_1), "ill-formed UTF-8");
    refused(new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'}, "ill-formed UTF-8");
    refused(new byte[] {'"', (byte) 0xC0, (byte) 0x80, '"'}, "ill-formed UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "1", "[1,2]", "\"ab\""})
  void noOtherEncodingIsGuessed(String text) {
    for (Charset charset : new Charset[] {UTF_16BE, UTF_16LE, Charset.forName("UTF-32")}) {
      refused(text.getBytes(charset), "a zero byte");
    }
  }

  @Test
  void aLimitIsALimit() throws MalformedJsonException {
    String digits = "1".repeat(StrictJson.MAX_NUMBER_LENGTH);
    assertThat(parse(digits)).isEqualTo(new JsonValue.Number(digits));
    refused((digits + "1").getBytes(UTF_8), "over a limit");
    String deep = "[".repeat(StrictJson.MAX_NESTING) + "]".repeat(StrictJson.MAX_NESTING);
    assertThat(parse(deep)).isInstanceOf(JsonValue.Elements.class);
    refused(("[" + deep + "]").getBytes(UTF_8), "over a limit");
    assertThat(parse("1e-123456789012345")).isEqualTo(new JsonValue.Number("1e-123456789012345"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-0", "9007199254740993", "1e400", "1E+2", "136.0", "-1.5e-7", "0.1000"})
  void keepsNumbersAsTheyAreWritten(String literal) throws MalformedJsonException {
    assertThat(parse("[" + literal + "]").at("/0")).isEqualTo(new JsonValue.Number(literal));
  }

  @Test
  void aProperPairIsTheCharacterItself() throws MalformedJsonException {
    assertThat(parse("\"\\uD83D\\uDE00\"")).isEqualTo(parse("\"\uD83D\uDE00\""));
  }

  @Test
  void composedAndDecomposedAccentsDiffer() throws MalformedJsonException {
    assertThat(parse("\"\u00E9\"")).isNotEqualTo(parse("\"e\u0301\""));
  }
}
