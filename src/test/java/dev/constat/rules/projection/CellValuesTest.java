package dev.constat.rules.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellValuesTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      value = {
        "0, 0",
        "25e-1, 2.5",
        "12e2, 1200",
        "-1e-3, -0.001",
        "\"2.50\", 2.5",
        "\"-0.0\", 0",
        "\"1E+3\", 1000",
      })
  void numbersAndTextsThatAreOneAddUp(String json, String plain) {
    BigDecimal value = CellValues.decimal(json);
    assertThat(CellValues.plain(value)).isEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\"",
        "\" 1\"",
        "\"1 \"",
        "\"+1\"",
        "\"01\"",
        "\".5\"",
        "\"1.\"",
        "\"NaN\"",
        "\"Infinity\"",
        "\"0x1\"",
        "\"1\\n\"",
        "\"\u0661\"",
        "true",
        "[1]",
        "{\"a\":1}",
        "1e999999999",
        "-1e-999999999",
        "\"1e999999999999999\"",
        "\"1e9999999999999999999999\"",
        "1e10000",
      })
  void whatIsNoNumberIsLeftOut(String json) {
    assertThat(CellValues.decimal(json)).isNull();
  }

  @Test
  void numbersHaveALimit() {
    assertThat(CellValues.decimal("1e9999")).isEqualTo(new BigDecimal("1e9999"));
    assertThat(CellValues.decimal("1e-9999")).isEqualTo(new BigDecimal("1e-9999"));
    assertThat(CellValues.decimal("\"" + "9".repeat(1_000_000) + "\"")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      nullValues = "-",
      value = {
        "2.5, \"2.50\", true",
        "2.5, 25e-1, true",
        "\"2.50\", 2.5, true",
        "5, \"5.0\", true",
        "0, \"-0\", true",
        "5, \"five\", false",
        "5, 6, false",
        "-, null, true",
        "-, \"\", false",
        "-, 0, false",
        "-, \"null\", false",
        "5, null, false",
        "\"\", \"\", true",
        "\"\", 0, false",
        "\"active\", \"active\", true",
        "\"active\", \"Active\", false",
        // what a column of text holds of them
        "true, \"true\", true",
        "{\"a\":1}, \"{ \\\"a\\\": 1.0 }\", true",
        "{\"a\":1}, \"{ \\\"a\\\": 2 }\", false",
        "{\"a\":1}, \"{\", false",
        "\"\u00e9\", \"\\u00e9\", true",
        // no digit need ever be written out
        "1e999999999, \"10E999999998\", true",
        "1e999999999, 1e999999998, false",
      })
  void valuesAreComparedByValue(String recomputed, String recorded, boolean same) {
    assertThat(CellValues.same(recomputed, recorded)).isEqualTo(same);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      nullValues = "-",
      value = {
        "-, -",
        "null, -",
        "\"a\\\"b\", a\"b",
        "\"\", ~~",
        "125e-1, 12.5",
        "12e2, 1200",
        "false, false",
        "[12e2], [12e2]",
        "1e999999999, 1e999999999",
      })
  void aColumnOfTextHoldsThem(String json, String text) {
    assertThat(CellValues.text(json)).isEqualTo(text);
  }

  @Test
  void textsOrderByTheirBytes() {
    List<String> texts =
        Arrays.asList(
            "",
            "a",
            "a\u0000",
            "ab",
            "b",
            "\u00E9",
            "\uD7FF",
            "\uE000",
            "\uFFFF",
            "\uD83D\uDE00",
            "\uD83D\uDE01",
            "\uDBFF\uDFFF",
            "a\uFFFF",
            "a\uD83D\uDE00");
    for (String a : texts) {
      for (String b : texts) {
        int bytes =
            Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
        assertThat(Integer.signum(Texts.BY_UTF8.compare(a, b))).isEqualTo(Integer.signum(bytes));
      }
    }
  }
}
