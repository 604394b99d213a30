package dev.constat.rules.synthesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;
import dev.constat.rules.spec.ProfileParser;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The run spec that comes with an archive is one, and asks for what the archive has. */
class RunSpecTextTest {

  private static RunSpec spec(Profile profile, long events) {
    return RunSpecParser.parse(RunSpecText.of(profile, events, ".parquet"), "spec", null);
  }

  @Test
  void ofAllFaultsItNamesAllInputs() {
    RunSpec spec = spec(Profiles.all(), 70_000);

    assertThat(spec.archives().keySet()).containsExactlyInAnyOrder(Input.values());
    assertThat(spec.archives().get(Input.EVENTS).files())
        .containsExactly("events-*.parquet", Stray.FILE);
    assertThat(spec.asOf()).isEqualTo(Instant.parse("2026-01-06T00:00:00Z"));
    assertThat(spec.effects()).hasSize(2);
    assertThat(spec.projections()).hasSize(2);
    assertThat(spec.identityDrift()).isTrue();
    assertThat(spec.contract("counter").sequence().dense()).isTrue();
    assertThat(spec.contract("agile").schemaVersions()).isNull();
  }

  @Test
  void ofFewItNamesWhatIsThere() {
    RunSpec spec = spec(Profiles.always(Fault.DLQ), 1);

    assertThat(spec.archives().keySet())
        .containsExactlyInAnyOrder(Input.EVENTS, Input.OUTBOX, Input.ACKNOWLEDGEMENTS);
    assertThat(spec.effects()).hasSize(1);
    assertThat(spec.effects().get(0).when()).isEmpty();
    assertThat(spec.projections()).hasSize(1);
    assertThat(spec.identityDrift()).isFalse();
  }

  @Test
  void namesAreQuoted() {
    Profile profile =
        ProfileParser.parse("{profile: 1, name: 'a \"b\" \\c', schema_version: 'x\"'}", "profile");

    assertThat(spec(profile, 1).name()).isEqualTo("a \"b\" \\c");
    assertThat(spec(profile, 1).contract("x").schemaVersions()).containsExactly("x\"");
  }
}
