package dev.constat.rules.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueTest {

  /** The example of RFC 6901, section 5, with a null and a nesting more. */
  private static JsonValue document() throws MalformedJsonException {
    String text =
        "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\" \":7,\"m~n\":8,\"~1\":9,"
            + "\"none\":null,\"deep\":[{\"x\":{\"\":[true]}}]}";
    return StrictJson.parse(text.getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "/foo|[\"bar\",\"baz\"]",
        "/foo/0|\"bar\"",
        "/foo/1|\"baz\"",
        "/|0",
        "/a~1b|1",
        "/c%d|2",
        "/ |7",
        "/m~0n|8",
        "/~01|9",
        "/none|null",
        "/deep/0/x//0|true",
      })
  void pointersFindTheirValue(String pointer, String expected) throws MalformedJsonException {
    assertThat(CanonicalJson.text(document().at(pointer))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/bar",
        "/foo/2",
        "/foo/-",
        "/foo/01",
        "/foo/+1",
        "/foo/bar",
        "/foo/0/x",
        "/none/x",
        "/foo/99999999999999999999",
        "/a/b",
        "/foo/",
        "/FOO"
      })
  void pointersToNothingFindNull(String pointer) throws MalformedJsonException {
    assertThat(document().at(pointer)).isNull();
  }

  @Test
  void theEmptyPointerIsTheWhole() throws MalformedJsonException {
    assertThat(document().at("")).isEqualTo(document());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      value = {
        "\"a\\u0000b\" | a\0b",
        "\"\" | ``",
        "1.50 | 1.50",
        "true | true",
        "null | none",
        "[1.0, 2] | [1,2]",
        "{\"b\":1,\"a\":2} | {\"a\":2,\"b\":1}",
      })
  void columnsOfTextTakeALiteral(String json, String expected) throws MalformedJsonException {
    assertThat(StrictJson.parse(json.getBytes(UTF_8)).asText()).isEqualTo(expected);
  }
}
