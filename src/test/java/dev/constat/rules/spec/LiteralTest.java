package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.spec.Literal.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a scalar without quotes is, and its canonical JSON text. */
class LiteralTest {

  @ParameterizedTest
  @CsvSource({
    "~, NULL",
    "null, NULL",
    "'', NULL",
    "true, BOOLEAN",
    "False, BOOLEAN",
    "0, NUMBER",
    "-12, NUMBER",
    "1.50, NUMBER",
    "1e6, NUMBER",
    "007, UNCLEAR",
    "+1, UNCLEAR",
    "1_000, UNCLEAR",
    "0x1F, UNCLEAR",
    ".5, UNCLEAR",
    "1., UNCLEAR",
    ".inf, UNCLEAR",
    ".nan, UNCLEAR",
    "yes, TEXT",
    "no, TEXT",
    "on, TEXT",
    "2026-01-05, TEXT",
    "1:30, TEXT",
    "v1, TEXT",
    "-, TEXT"
  })
  void kindsFollowTheNotation(String text, Kind kind) {
    assertThat(Literal.plain(text).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          true,   true
          ~,      null
          12,     12
          -0,     0
          0.0e5,  0
          1.50,   15e-1
          1e2,    1e2
          1e20,   1e20
                  12.5e30, 125e29
          1e-6,   1e-6
          1.2e-7, 12e-8
          9007199254740993, 9007199254740993
          x,      "x"
          a"b,    "a\\"b"
          """)
  void equalValuesHaveOneCanonicalText(String text, String canonical) {
    Literal literal = Literal.plain(text);
    assertThat(literal.canonicalJson()).isEqualTo(canonical);
    assertThat(Literal.ofCanonicalJson(canonical).canonicalJson()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource({"true", "12", "null", "007"})
  void quotesMakeText(String text) {
    assertThat(Literal.text(text).canonicalJson()).isEqualTo("\"" + text + "\"");
  }
}
