package dev.constat.rules.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RevisionTest {

  private static byte[] bytes(String value) {
    KeyWriter out = new KeyWriter();
    Revision.of(value).write(out);
    return out.toBytes();
  }

  private static int compare(String a, String b) {
    return Integer.signum(Arrays.compareUnsigned(bytes(a), bytes(b)));
  }

  @Test
  void nullComesFirstThenNumbersThenText() {
    List<String> sorted =
        Arrays.asList(
            null,
            "-1e20",
            "-123",
            "-120",
            "-12",
            "-1.5",
            "-1",
            "-0.5",
            "-1e-9",
            "0",
            "1e-9",
            "0.5",
            "1",
            "1.5",
            "2",
            "9",
            "10",
            "12",
            "120",
            "123",
            "1e20",
            "",
            "+1",
            "01",
            "1.",
            "1e99999999999999999999",
            "NaN",
            "a",
            "a\0",
            "b",
            "\uFFFF",
            "\uD83D\uDE00");
    for (int i = 0; i < sorted.size(); i++) {
      for (int j = 0; j < sorted.size(); j++) {
        assertThat(compare(sorted.get(i), sorted.get(j)))
            .as("%s and %s", sorted.get(i), sorted.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1.0", "1, 10e-1", "0, -0", "0, 0.00e7", "120, 1.2E+2", "-5, -50e-1"})
  void oneValueIsOneRevision(String a, String b) {
    assertThat(Revision.of(a)).isEqualTo(Revision.of(b));
    assertThat(bytes(a)).isEqualTo(bytes(b));
  }

  @ParameterizedTest
  @CsvSource({"a, A", "01, 1", "1, '1 '", "007, 7"})
  void otherTextIsAnotherRevision(String a, String b) {
    assertThat(Revision.of(a)).isNotEqualTo(Revision.of(b));
  }

  @Test
  void nullAndEmptyDiffer() {
    assertThat(Revision.of(null)).isEqualTo(Revision.NONE).isNotEqualTo(Revision.of(""));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void numbersOrderAsBigDecimalsDo(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      String a = number(random);
      String b = number(random);
      assertThat(compare(a, b))
          .as("%s and %s", a, b)
          .isEqualTo(new BigDecimal(a).compareTo(new BigDecimal(b)));
    }
  }

  private static String number(Random random) {
    String digits =
        random.nextInt(4) == 0
            ? "0"
            : Integer.toString(1 + random.nextInt(1 << random.nextInt(20)));
    return (random.nextBoolean() ? "-" : "")
        + digits
        + (random.nextBoolean() ? "." + random.nextInt(200) : "")
        + (random.nextBoolean() ? "e" + (random.nextInt(13) - 6) : "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-0", "17", "-1.50", "1e999999999999999", "-1e-7", "v2", "\0"})
  void comesBack(String value) {
    byte[] bytes = new KeyWriter().raw(bytes(value)).octet(7).toBytes();
    KeyReader in = new KeyReader(bytes);
    assertThat(Revision.read(in)).isEqualTo(Revision.of(value));
    assertThat(in.octet()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -",
        "v2, v2",
        "e9, e9",
        "12, 12",
        "-1.50, -1.5",
        "100, 100",
        "1e20, 100000000000000000000",
        "1e99, 1000000000000000000000000000000000000000000000000000000000000000000000000000000000"
            + "000000000000000000",
        "1e100, 1e100",
        "0.000000001, 0.000000001",
        "1e-10, 1e-10",
      })
  void numbersAreShownPlainlyWhereThatIsShort(String value, String shown) {
    assertThat(Revision.of(value).shown()).isEqualTo(shown);
  }

  @Test
  void noneComesBack() {
    assertThat(Revision.read(new KeyReader(bytes(null)))).isEqualTo(Revision.NONE);
  }

  @Test
  void anExponentThatNobodyComputesWithIsText() {
    assertThat(Revision.of("1e999999999999999").number()).isTrue();
    assertThat(Revision.of("1e-999999999999999").number()).isTrue();
    assertThat(Revision.of("1E99999999999999999999").number()).isFalse();
  }
}
