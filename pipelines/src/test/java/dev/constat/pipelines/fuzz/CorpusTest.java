package dev.constat.pipelines.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each input that is kept, as it is and a little changed, passes its target. */
final class CorpusTest {

  private static final int VARIANTS = Integer.getInteger("constat.fuzz.variants", 20);

  static Stream<Arguments> inputs() {
    return Stream.of(Target.values())
        .flatMap(
            target -> target.corpus().keySet().stream().map(input -> Arguments.of(target, input)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("inputs")
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void holdsOfWhatIsKept(Target target, String input) throws Exception {
    byte[] kept = target.corpus().get(input);
    target.test(kept);
    SplittableRandom chance = new SplittableRandom(20260105 + input.hashCode());
    for (int i = 0; i < VARIANTS; i++) {
      byte[] changed = changed(kept, chance);
      try {
        target.test(changed);
      } catch (Exception | Error e) {
        throw new AssertionError(
            "Broken by " + Base64.getEncoder().encodeToString(changed) + " of " + target.key(), e);
      }
    }
  }

  private static byte[] changed(byte[] input, SplittableRandom chance) {
    byte[] changed = input.clone();
    for (int i = 0; i <= chance.nextInt(3) && changed.length > 0; i++) {
      changed[chance.nextInt(changed.length)] = (byte) chance.nextInt(256);
    }
    return changed;
  }

  @ParameterizedTest
  @EnumSource
  void everyTargetHasACorpusOfSmallInputs(Target target) {
    Map<String, byte[]> corpus = target.corpus();

    assertThat(corpus).hasSizeGreaterThanOrEqualTo(6);
    assertThat(corpus.values()).allSatisfy(input -> assertThat(input).hasSizeLessThan(8_192));
  }
}
