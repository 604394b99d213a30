package dev.constat.rules.synthesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random numbers by place. */
class MixTest {

  @Test
  void aNumberDependsOnSeedPurposeAndIndexAlone() {
    assertThat(new Mix(7).at(3, 11)).isEqualTo(new Mix(7).at(3, 11));
    assertThat(new Mix(7).at(3, 11))
        .isNotEqualTo(new Mix(8).at(3, 11))
        .isNotEqualTo(new Mix(7).at(4, 11))
        .isNotEqualTo(new Mix(7).at(3, 12));
  }

  /** Archives of other versions are not to change unnoticed. */
  @ParameterizedTest
  @CsvSource({"0, 0, 0, 3746585686858627171", "1, 10, 256, -2978148690632807579"})
  void numbersStayWhatTheyAre(long seed, int purpose, long index, long number) {
    assertThat(new Mix(seed).at(purpose, index)).isEqualTo(number);
  }

  @Test
  void indexesOfOnePurposeHaveDifferentNumbers() {
    Mix mix = new Mix(42);
    Set<Long> seen = new HashSet<>();
    for (long index = 0; index < 100_000; index++) {
      seen.add(mix.at(1, index));
    }
    assertThat(seen).hasSize(100_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 77, 1_000_000, 40_000_000_000L})
  void numbersBelowABoundAreEven(long bound) {
    Mix mix = new Mix(42);
    int[] eighths = new int[8];
    for (long index = 0; index < 80_000; index++) {
      long number = mix.below(bound, 5, index);
      assertThat(number).isBetween(0L, bound - 1);
      eighths[(int) ((double) number / bound * 8)]++;
    }
    if (bound >= 1_000) {
      assertThat(IntStream.of(eighths).boxed())
          .allSatisfy(count -> assertThat(count).isBetween(9_500, 10_500));
    }
  }
}
