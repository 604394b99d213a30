package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.spec.RunSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyPatternScopeTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // instrument and revision of the row, then of the key
        "AAA, 1, AAA, 1, true",
        "AAA, 1.0, AAA, 1, true",
        "AAA, 1, BBB, 1, false",
        "AAA, 1, AAA, 2, false",
        "-, 1, BBB, 1, true",
        "AAA, -, AAA, 2, true",
        "-, -, BBB, -, true",
        "AAA, -, -, 1, false",
        "'', -, -, 1, false",
      })
  void whatARowDoesNotCarryFitsAnything(
      String rowScope, String rowRevision, String scope, String revision, boolean fits) {
    RunSpec spec =
        Run.undecided()
            .source("{source: S, identity: {scope: [instrument], revision: /payload/rev}}")
            .spec();
    assertThat(spec.namedColumns(Input.OUTBOX)).containsExactly("instrument", "revision");
    KeyPattern pattern =
        KeyPattern.of(
            Rows.of("o1").named(rowScope, rowRevision).row(),
            spec.contract("S"),
            spec.namedColumns(Input.OUTBOX).asList(),
            column -> false);
    assertThat(pattern.fits(Receptions.of("i1").scope(scope).revision(revision).key()))
        .isEqualTo(fits);
  }

  @Test
  void quarantinedVersionsAndDecisionsComeBack() {
    Quarantined version =
        new Quarantined(
            Places.of(Input.EVENTS, "i1"),
            "k",
            "i1",
            Quarantined.DEVIATING,
            null,
            null,
            Times.at("10:00:00"),
            "identity/1");
    KeyWriter out = new KeyWriter();
    version.write(out);
    assertThat(Quarantined.read(version.place(), new KeyReader(out.toBytes()))).isEqualTo(version);
    assertThat(version.row(null, Times.at("12:00:00.5"))[8]).isEqualTo(7_200L);
    assertThat(version.row(null, null)[8]).isNull();
    RecordedDecision decision =
        new RecordedDecision("i1", "ACCEPTED", null, "v1", null, Places.of(Input.DECISIONS, "i1"));
    decision.writeContent(out.clear());
    assertThat(RecordedDecision.read("i1", new KeyReader(out.toBytes()))).isEqualTo(decision);
  }
}
