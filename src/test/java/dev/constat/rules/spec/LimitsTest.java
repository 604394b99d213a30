package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.constat.rules.json.JsonLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {

  private static RunSpec spec(String limits) {
    return Specs.parse(Specs.top("limits: {" + limits + "}"));
  }

  @Test
  void areDefaultsWhereNoneAreGiven() {
    assertThat(Specs.parse(Specs.SMALLEST).limits()).isEqualTo(Limits.DEFAULT);
    assertThat(spec("").limits()).isEqualTo(Limits.DEFAULT);
    assertThat(Limits.DEFAULT.byKey())
        .containsExactlyEntriesOf(
            ImmutableMap.<String, Integer>builder()
                .put("line_bytes", 67_108_864)
                .put("nesting", 1_000)
                .put("number_characters", 1_000)
                .put("string_characters", 20_000_000)
                .put("columns", 10_000)
                .put("row_group_bytes", 1_073_741_824)
                .put("page_bytes", 268_435_456)
                .put("examples_per_kind", 20)
                .buildOrThrow());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "line_bytes",
        "nesting",
        "number_characters",
        "string_characters",
        "columns",
        "row_group_bytes",
        "page_bytes",
        "examples_per_kind"
      })
  void eachKeySetsItsOwnLimit(String key) {
    int other = Limits.DEFAULT.byKey().get(key) / 4 * 3;

    ImmutableMap<String, Integer> byKey = spec(key + ": " + other).limits().byKey();

    assertThat(byKey).containsEntry(key, other);
    assertThat(byKey.keySet().stream().filter(k -> !k.equals(key)))
        .allSatisfy(k -> assertThat(byKey.get(k)).isEqualTo(Limits.DEFAULT.byKey().get(k)));
  }

  @Test
  void thoseOfJsonGoByTheirNames() {
    assertThat(spec("nesting: 5, number_characters: 60, string_characters: 7000").limits().json())
        .isEqualTo(new JsonLimits(5, 60, 7_000));
  }

  @ParameterizedTest
  @CsvSource({
    "line_bytes, 1024, 1073741824",
    "nesting, 1, 10000",
    "number_characters, 20, 100000",
    "string_characters, 1024, 1073741824",
    "columns, 1, 1000000",
    "row_group_bytes, 1024, 2147483647",
    "page_bytes, 1024, 1073741824",
    "examples_per_kind, 1, 1000"
  })
  void haveBoundsOfTheirOwn(String key, int least, long most) {
    assertThat(spec(key + ": " + least).limits().byKey()).containsEntry(key, least);
    assertThat(spec(key + ": " + most).limits().byKey()).containsEntry(key, (int) most);
    for (long beyond : new long[] {least - 1L, most + 1, 1L << 40}) {
      assertThat(Specs.failure(Specs.top("limits: {" + key + ": " + beyond + "}")).getMessage())
          .contains(key, "a whole number from %s to %s".formatted(least, most));
    }
  }

  @Test
  void aLimitThatNobodyChangesChangesNoCanonicalText() {
    String silent = Specs.parse(Specs.SMALLEST).canonical();

    assertThat(spec("nesting: 1000, columns: 10000").canonical()).isEqualTo(silent);
    assertThat(spec("nesting: 1001, columns: 10000").canonical())
        .isNotEqualTo(silent)
        .contains("\"limits\":{\"nesting\":1001}");
  }

  @Test
  void stayWhateverElseIsChanged() {
    RunSpec spec = spec("nesting: 7");

    assertThat(new RunSpecOverrides("2026-01-01T00:00:00Z", null, null, null).applyTo(spec))
        .extracting(RunSpec::limits)
        .isEqualTo(spec.limits());
    assertThat(spec.withoutLayout().limits()).isEqualTo(spec.limits());
    assertThat(spec.withName("other").limits()).isEqualTo(spec.limits());
  }
}
