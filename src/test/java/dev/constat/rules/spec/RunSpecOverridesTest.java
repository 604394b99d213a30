package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.spec.RunSpec.FailOn;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments of the command line take the place of what the run spec says. */
class RunSpecOverridesTest {

  private static final RunSpec SPEC =
      Specs.parse(Specs.top("as_of: 2026-01-01T00:00:00Z\nfail_on: none"));

  @Test
  void nothingGivenChangesNothing() {
    assertThat(new RunSpecOverrides(null, null, null, null).applyTo(SPEC)).isEqualTo(SPEC);
  }

  @Test
  void eachTakesItsPlace() {
    RunSpec spec =
        new RunSpecOverrides(
                "2026-01-06T00:00:00Z",
                "2026-01-02T00:00:00+01:00",
                "2026-01-03T00:00:00Z",
                "warning")
            .applyTo(SPEC);
    assertThat(spec.asOf()).isEqualTo(Instant.parse("2026-01-06T00:00:00Z"));
    assertThat(spec.from()).isEqualTo(Instant.parse("2026-01-01T23:00:00Z"));
    assertThat(spec.to()).isEqualTo(Instant.parse("2026-01-03T00:00:00Z"));
    assertThat(spec.failOn()).isEqualTo(FailOn.WARNING);
    assertThat(spec.archives()).isEqualTo(SPEC.archives());
  }

  @Test
  void fromNeedsNoTo() {
    RunSpec spec = new RunSpecOverrides(null, "2026-01-02T00:00:00Z", null, null).applyTo(SPEC);
    assertThat(spec.from()).isEqualTo(Instant.parse("2026-01-02T00:00:00Z"));
    assertThat(spec.to()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          2026-01-05T12:00:00 | - | - | - | --as-of: '2026-01-05T12:00:00' has no zone; \
          end it with Z or an offset such as +01:00
          - | yesterday | - | - | --from: 'yesterday' is not a time such as 2026-01-05T12:00:00Z; \
          write it like 2026-01-05T12:00:00Z
          - | 2026-01-05T12:00:00Z | 2026-01-05T12:00:00Z | - | --from: 2026-01-05T12:00:00Z is not \
          before --to 2026-01-05T12:00:00Z; --from is where judging begins, --to where it ends
          - | - | - | new-error | --fail-on: 'new-error' is not supported by this version; \
          use info, warning, error or none
          - | - | - | warn | --fail-on: 'warn' is not known; \
          use info, warning, error or none (nearest: warning)
          """)
  void whatCannotBeReadIsRefused(
      String asOf, String from, String to, String failOn, String message) {
    assertThatThrownBy(() -> new RunSpecOverrides(asOf, from, to, failOn).applyTo(SPEC))
        .isInstanceOf(SpecException.class)
        .hasMessage(message);
  }
}
