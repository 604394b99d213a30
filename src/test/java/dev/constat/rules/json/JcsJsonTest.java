package dev.constat.rules.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JcsJsonTest {

  private static String jcs(String json) throws MalformedJsonException {
    return JcsJson.textOrNull(StrictJson.parse(json.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "0.0e7, 0",
    "1.0, 1",
    "-1.50, -1.5",
    "0.1, 0.1",
    "1e2, 100",
    "136.0, 136",
    "1.36E2, 136",
    "100000000000000000000, 100000000000000000000",
    "1e21, 1e+21",
    "1.5e21, 1.5e+21",
    "-1e-7, -1e-7",
    "0.000001, 0.000001",
    "0.0000012, 0.0000012",
    "0.00000012, 1.2e-7",
    "123456.789e-2, 1234.56789",
    "9007199254740991, 9007199254740991",
    "9007199254740992, 9007199254740992",
    "9007199254740994, 9007199254740994",
    "333333333.3333333, 333333333.3333333",
    "5e-324, 5e-324",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "2.2250738585072014e-308, 2.2250738585072014e-308",
    // at powers of two the doubles below lie nearer than those above
    "5.684341886080802e-14, 5.684341886080802e-14",
    "9.5367431640625e-7, 9.5367431640625e-7",
  })
  void safeNumbersAreWrittenAsEcmaScriptDoes(String literal, String expected) {
    assertThat(JcsJson.numberOrNull(literal)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740993",
        "-9007199254740993",
        "9007199254740993.0",
        "0.1000000000000000055511151231257827",
        "5.6843418860808015e-14",
        "1e400",
        "-1e400",
        "1e999999999999999",
        "1e-400",
        "1e-999999999999999",
        "4.9e-324",
        "123456789012345678901234567890"
      })
  void aNumberThatADoubleWouldChangeIsNotSafe(String literal) throws Exception {
    assertThat(JcsJson.numberOrNull(literal)).isNull();
    assertThat(jcs("{\"a\":[1,{\"b\":" + literal + "}],\"c\":1}")).isNull();
  }

  @Test
  void everythingElseIsAsInTheExactForm() throws Exception {
    assertThat(jcs("{\"b\":[1.0,true,null,\"\\u0041\\u000f\"],\"a\":{\"y\":{},\"x\":1e0}}"))
        .isEqualTo("{\"a\":{\"x\":1,\"y\":{}},\"b\":[1,true,null,\"A\\u000f\"]}");
  }

  /** The example of RFC 8785, section 3.2.2, but for one number that a double would change. */
  @Test
  void writesNumbersAsTheStandardsExampleDoes() throws Exception {
    assertThat(jcs("[333333333.33333329, 1E30, 4.50, 2e-3]")).isNull();
    assertThat(jcs("[333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]"))
        .isEqualTo("[333333333.3333333,1e+30,4.5,0.002,1e-27]");
  }
}
