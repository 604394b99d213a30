package dev.constat.rules.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TallyTest {

  private static final String[] STEPS = {null, "", "a", "b", "a\0", "\uFFFF", "\uD83D\uDE00"};

  private static Tally tally(Random random) {
    Tally tally = new Tally();
    for (int left = random.nextInt(8); left > 0; left--) {
      String[] path = new String[1 + random.nextInt(2)];
      Arrays.setAll(path, i -> STEPS[random.nextInt(STEPS.length)]);
      byte[] value = new byte[random.nextInt(3)];
      random.nextBytes(value);
      switch (random.nextInt(3)) {
        case 0 -> tally.add(random.nextInt(9) - 4, path);
        case 1 -> tally.min(value, path);
        default -> tally.max(value, path);
      }
    }
    return tally;
  }

  private static Tally copy(Tally tally) {
    return Tally.fromBytes(tally.toBytes());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void mergingIsCommutativeAndAssociative(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Tally a = tally(random);
      Tally b = tally(random);
      Tally c = tally(random);
      assertThat(copy(a).merge(b).toBytes()).isEqualTo(copy(b).merge(a).toBytes());
      assertThat(copy(a).merge(b).merge(c).toBytes())
          .isEqualTo(copy(a).merge(copy(b).merge(c)).toBytes());
      assertThat(copy(a).toBytes()).isEqualTo(a.toBytes());
      assertThat(new Tally().merge(a).toBytes()).isEqualTo(a.toBytes());
    }
  }

  @Test
  void boundsAreUnsigned() {
    Tally tally = new Tally();
    for (byte[] value : new byte[][] {{1}, {-1}, {1, 0}, {0, -1}}) {
      tally.min(value, "x");
      tally.max(value, "x");
    }
    assertThat(tally.min("x")).containsExactly(0, -1);
    assertThat(tally.max("x")).containsExactly(-1);
    assertThat(tally.min("y")).isNull();
    assertThat(tally.max("y")).isNull();
  }

  @Test
  void nullIsAStepOfItsOwn() {
    Tally tally = new Tally();
    tally.add(1, "p", null);
    tally.add(2, "p", "");
    tally.add(4, "p");
    assertThat(tally.sum("p", null)).isEqualTo(1);
    assertThat(tally.sum("p", "")).isEqualTo(2);
    assertThat(tally.sum("p")).isEqualTo(4);
    assertThat(tally.sum("q")).isZero();
    assertThat(tally.sumsUnder("p")).hasSize(3);
    assertThat(tally.sumsUnder("p").keySet().stream().filter(rest -> rest.size() == 1))
        .extracting(rest -> Tally.step(rest, 0))
        .containsExactlyInAnyOrder(null, "");
    assertThat(copy(tally).sum("p", null)).isEqualTo(1);
    assertThatThrownBy(() -> tally.add(1, "\uD800")).isInstanceOf(IllegalArgumentException.class);
  }

  /** The hash codes of all these are equal in pairs, by letter. */
  @Test
  void manySumsStayApartWhateverTheirHashCodes() {
    String[] alike = {"AaAa", "AaBB", "BBAa", "BBBB"};
    Tally tally = new Tally();
    TreeMap<String, Long> expected = new TreeMap<>();
    Random random = new Random(6);
    for (int i = 0; i < 5_000; i++) {
      String step = alike[random.nextInt(alike.length)] + random.nextInt(50);
      tally.add(i, "p", step);
      expected.merge(step, (long) i, Long::sum);
    }
    for (Tally each : List.of(tally, copy(tally), new Tally().merge(tally))) {
      TreeMap<String, Long> sums = new TreeMap<>();
      each.sumsUnder("p").forEach((rest, sum) -> sums.put(rest.get(0), sum));
      assertThat(sums).isEqualTo(expected);
      expected.forEach((step, sum) -> assertThat(each.sum("p", step)).isEqualTo(sum));
    }
  }

  @Test
  void whatStandsUnderAPrefixComesByTheRest() {
    Tally tally = new Tally();
    tally.add(1, "p", "b", "x");
    tally.add(2, "p", "a");
    tally.add(3, "pp", "a");
    tally.min(new byte[] {7}, "p", "a");
    assertThat(tally.sumsUnder("p").keySet()).containsExactly(List.of("a"), List.of("b", "x"));
    assertThat(tally.minimaUnder("p")).containsOnlyKeys(List.of("a"));
    assertThat(tally.maximaUnder("p")).isEmpty();
  }
}
