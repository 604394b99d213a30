package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.identity.RecordedDecision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionAddressesTest {

  private final Notes notes = new Notes();

  private DecisionAddresses addresses(Run run) {
    return new DecisionAddresses(run.facts(), "i1", notes.tally(), notes::finding);
  }

  private static RecordedDecision decided(String word, String at) {
    return new RecordedDecision(
        "i1", word, null, null, Times.at(at), Places.of(Input.DECISIONS, word));
  }

  private static Place place(String id) {
    return Places.of(Input.EVENTS, id);
  }

  @Test
  void theGreatestDecidedAtCounts() {
    DecisionAddresses addresses = addresses(Run.standard());
    addresses.decision(decided("EXACT_DUPLICATE", null));
    addresses.decision(decided("ACCEPTED", "10:00:00"));
    assertThat(addresses.key(Times.at("10:00:00"), place("a")).decision()).isEqualTo("ACCEPTED");
    addresses.end();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.judged(Kind.DECISION_ORPHAN)).isEqualTo(1);
    assertThat(notes.judged(Kind.INGESTION_ID_REUSED)).isEqualTo(1);
  }

  @Test
  void oneIngestionIdUnderSeveralKeysIsReused() {
    DecisionAddresses addresses = addresses(Run.standard());
    assertThat(addresses.key(Times.at("10:00:02"), place("b"))).isNull();
    addresses.key(Times.at("10:00:01"), place("a"));
    addresses.key(Times.at("10:00:03"), place("c"));
    addresses.end();
    Finding finding = notes.finding(Kind.INGESTION_ID_REUSED);
    assertThat(finding.subject()).isEqualTo("{\"ingestion_id\":\"i1\"}");
    assertThat(finding.reason()).isEqualTo("One ingestion_id names receptions of 3 keys");
    assertThat(finding.evidence()).containsExactly(place("a"), place("b"));
    assertThat(finding.firstAt()).isEqualTo(Times.at("10:00:01"));
    assertThat(finding.lastAt()).isEqualTo(Times.at("10:00:03"));
    assertThat(notes.judged(Kind.DECISION_ORPHAN)).isZero();
  }

  @Test
  void twoKeysAreSeveral() {
    DecisionAddresses addresses = addresses(Run.standard());
    addresses.key(Times.at("10:00:01"), place("a"));
    addresses.key(Times.at("10:00:01"), place("b"));
    addresses.end();
    assertThat(notes.finding(Kind.INGESTION_ID_REUSED).actual()).isEqualTo("{\"keys\":2}");
  }

  @Test
  void whatIsOutsideIsNotJudged() {
    DecisionAddresses addresses = addresses(Run.standard().judging("11:00:00", null));
    addresses.decision(decided("ACCEPTED", "10:00:00"));
    addresses.key(Times.at("10:00:02"), place("a"));
    addresses.key(Times.at("10:00:02"), place("b"));
    addresses.end();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.notJudged(Kind.INGESTION_ID_REUSED, EffectJudge.OUTSIDE)).isEqualTo(1);
    assertThat(notes.notJudged(Kind.DECISION_ORPHAN, EffectJudge.OUTSIDE)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "11:50:00, 1, 0, 0",
        "11:50:00.000000001, 0, 1, 0",
        "2026-01-04T00:00:00, 1, 0, 0",
        "2026-01-03T23:59:59, 0, 0, 1",
        "-, 1, 0, 0",
      })
  void aDecisionAboutNothingHasItsHorizons(String at, int found, int inFlight, int out) {
    DecisionAddresses addresses =
        addresses(
            Run.standard()
                .archive(Input.EVENTS, "start: 2026-01-04T00:00:00Z, cut: 2026-01-05T12:00:00Z"));
    addresses.decision(decided("ACCEPTED", at));
    addresses.end();
    assertThat(notes.findings(Kind.DECISION_ORPHAN)).hasSize(found);
    assertThat(notes.silent(Kind.DECISION_ORPHAN, Standing.IN_FLIGHT)).isEqualTo(inFlight);
    assertThat(notes.silent(Kind.DECISION_ORPHAN, Standing.OUT_OF_HORIZON)).isEqualTo(out);
  }

  @Test
  void anOrphanSaysWhatWasDecided() {
    DecisionAddresses addresses = addresses(Run.standard().incomplete(Input.EVENTS));
    addresses.decision(decided("ACCEPTED", "10:00:00"));
    addresses.end();
    Finding finding = notes.finding(Kind.DECISION_ORPHAN);
    assertThat(finding.reason())
        .isEqualTo("A decision is recorded about a reception that is not in the archive");
    assertThat(finding.actual()).isEqualTo("{\"decision\":\"ACCEPTED\",\"receptions\":0}");
    assertThat(finding.hints()).containsExactly("INPUT_INCOMPLETE", "retention unknown");
  }

  @Test
  void withoutEventsNothingIsAnOrphan() {
    DecisionAddresses addresses = addresses(Run.standard().empty(Input.EVENTS));
    addresses.decision(decided("ACCEPTED", "10:00:00"));
    addresses.end();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.notJudged(Kind.DECISION_ORPHAN, "events input empty")).isEqualTo(1);
  }
}
