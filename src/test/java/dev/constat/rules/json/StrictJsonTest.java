package dev.constat.rules.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicReference;
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
        "{\"\\uD83D\":1} | ill-formed Unicode: lone surrogate \\uD83D",
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[[1]] | [[[1]]] | over limits.nesting: arrays and objects nest deeper than 2",
        "{\"a\":{}} | {\"a\":{\"b\":{}}} | over limits.nesting: arrays and objects nest deeper than 2",
        "-1234 | -12345 | over limits.number_characters: a number has 5 characters, more than 4",
        "1.23 | 1.234 | over limits.number_characters: a number has 5 characters, more than 4",
        "-1e1 | -12e34 | over limits.number_characters: a number has 5 characters, more than 4",
        "\"abcdef\" | \"abcdefg\" | over limits.string_characters: a string has more than 6 characters",
      })
  void aLimitIsALimit(String within, String beyond, String message) throws Exception {
    StrictJson json = StrictJson.within(new JsonLimits(2, 4, 6));

    assertThat(json.read(within.getBytes(UTF_8))).isEqualTo(parse(within));
    assertThatThrownBy(() -> json.read(beyond.getBytes(UTF_8)))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessage(message)
        .satisfies(
            e -> {
              String key = message.substring("over limits.".length(), message.indexOf(':'));
              assertThat(((MalformedJsonException) e).remedyOr("none"))
                  .startsWith("raise it with limits: {" + key + ": ...} in the run spec");
            });
    assertThat(parse(beyond)).isNotNull();
  }

  @Test
  void whatExceedsNoLimitHasNoRemedyOfItsOwn() {
    assertThatThrownBy(() -> parse("nul"))
        .isInstanceOfSatisfying(
            MalformedJsonException.class,
            e -> assertThat(e.remedyOr("write JSON")).isEqualTo("write JSON"));
  }

  @Test
  void theExponentOfANumberIsBoundedWhateverTheLimits() throws MalformedJsonException {
    assertThat(parse("1e-123456789012345")).isEqualTo(new JsonValue.Number("1e-123456789012345"));
  }

  @Test
  void theDeepestNestingTakesNoStack() throws Exception {
    String arrays = "[".repeat(JsonLimits.MAX_NESTING) + "]".repeat(JsonLimits.MAX_NESTING);
    String objects =
        "{\"a\":".repeat(JsonLimits.MAX_NESTING - 1)
            + "{}"
            + "}".repeat(JsonLimits.MAX_NESTING - 1);
    for (String deep : new String[] {arrays, objects}) {
      AtomicReference<String> canonical = new AtomicReference<>();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread thread =
          new Thread(
              null,
              () -> {
                try {
                  canonical.set(CanonicalJson.text(parse(deep)));
                } catch (MalformedJsonException | StackOverflowError e) {
                  failure.set(e);
                }
              },
              "deep",
              256 << 10);
      thread.start();
      thread.join();

      assertThat(failure.get()).isNull();
      assertThat(canonical.get()).isEqualTo(deep);
      refused(("[" + deep + "]").getBytes(UTF_8), "over limits.nesting");
    }
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
