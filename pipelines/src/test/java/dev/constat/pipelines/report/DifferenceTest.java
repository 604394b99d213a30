package dev.constat.pipelines.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DifferenceTest {

  @ParameterizedTest
  @CsvSource(
      emptyValue = "",
      value = {
        "1, 0, '', 1, 0, ''",
        "placed, filled, '', placed, filled, ''",
        "rx-19b93407aa888e, rx-19b9341a97b597, rx-19b934, 07aa888e, 1a97b597, ''",
        "2026-01-06T12:20:35Z, 2026-01-06T12:21:35Z, 2026-01-06T12:2, 0, 1, :35Z",
        "abc, abcd, abc, '', d, ''",
        "aa, aaa, aa, '', a, ''",
        "same, same, same, '', '', ''",
        "1234567890, 1999999999, '', 1234567890, 1999999999, ''",
      })
  void marksWhatLiesBetween(
      String left, String right, String prefix, String onlyLeft, String onlyRight, String suffix) {
    assertThat(Difference.of(left, right))
        .isEqualTo(new Difference(prefix, onlyLeft, onlyRight, suffix));
  }

  @Test
  void pairsAreNotCut() {
    Difference difference = Difference.of("id-id-🂡", "id-id-🂢");
    assertThat(difference).isEqualTo(new Difference("id-id-", "🂡", "🂢", ""));
    assertThat(Difference.of("🂡-id-id", "🎡-id-id"))
        .isEqualTo(new Difference("", "🂡", "🎡", "-id-id"));
  }
}
