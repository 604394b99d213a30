package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFactsTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // declared cut, last in the data, as_of; cut, inferred, states known
        "-, 11:00:00, -, 11:00:00, true, true",
        "12:00:00, 11:00:00, -, 12:00:00, false, true",
        "12:00:00, 13:00:00, -, 12:00:00, false, true",
        "-, 11:00:00, 11:00:00, 11:00:00, true, true",
        "-, 11:00:00, 11:30:00, 11:00:00, true, true",
        "-, 11:00:00, 10:59:59, 10:59:59, true, false",
        "12:00:00, 11:00:00, 11:30:00, 11:30:00, false, false",
        "12:00:00, 11:00:00, 12:00:00, 12:00:00, false, true",
        "-, -, 11:00:00, -, true, true",
      })
  void cuts(
      String declared,
      String last,
      String asOf,
      String cut,
      boolean inferred,
      boolean statesKnown) {
    Run run =
        Run.undecided().archive(Input.OUTBOX, declared == null ? "" : "cut: " + Times.at(declared));
    if (last != null) {
      run.reaches(Input.OUTBOX, "09:00:00", last);
    }
    if (asOf != null) {
      run.asOf(asOf);
    }
    RunFacts facts = run.facts();
    assertThat(facts.input(Input.OUTBOX).cut()).isEqualTo(Times.at(cut));
    assertThat(facts.input(Input.OUTBOX).cutInferred()).isEqualTo(inferred);
    assertThat(facts.statesKnown()).isEqualTo(statesKnown);
    assertThat(facts.input(Input.OUTBOX).last()).isEqualTo(Times.at(last));
    if (asOf != null) {
      assertThat(facts.asOf()).isEqualTo(Times.at(asOf));
    }
  }

  @Test
  void theSmallestCutDatesAges() {
    RunFacts facts =
        Run.standard().cut(Input.ACKNOWLEDGEMENTS, "11:59:55").empty(Input.DECISIONS).facts();
    assertThat(facts.asOf()).isEqualTo(Times.at("11:59:55"));
    assertThat(
            Run.undecided()
                .archive(Input.EVENTS, "")
                .without(Input.OUTBOX)
                .without(Input.ACKNOWLEDGEMENTS)
                .empty(Input.EVENTS)
                .facts()
                .asOf())
        .isNull();
  }

  @Test
  void onlyAnAsOfBeforeTheOutboxHidesStates() {
    Run run = Run.undecided().cut(Input.OUTBOX, "10:00:00").asOf("11:00:00");
    assertThat(run.facts().statesKnown()).isTrue();
    assertThat(run.facts().input(Input.EVENTS).cut()).isEqualTo(Times.at("11:00:00"));
    assertThat(run.facts().input(Input.OUTBOX).cut()).isEqualTo(Times.at("10:00:00"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // start, retention, from, look_back; start
        "-, -, -, P7D, -",
        "2026-01-01T00:00:00, -, -, P7D, 2026-01-01T00:00:00",
        "-, P2D, -, P7D, 2026-01-03T12:00:00",
        "2026-01-01T00:00:00, P2D, -, P7D, 2026-01-03T12:00:00",
        "2026-01-04T00:00:00, P2D, -, P7D, 2026-01-04T00:00:00",
        "-, -, 10:00:00, P2D, 2026-01-03T10:00:00",
        "2026-01-04T00:00:00, -, 10:00:00, P2D, 2026-01-04T00:00:00",
        "2026-01-01T00:00:00, P2D, 10:00:00, P1D, 2026-01-04T10:00:00",
      })
  void starts(String start, String retention, String from, String lookBack, String expected) {
    StringBuilder keys = new StringBuilder("cut: 2026-01-05T12:00:00Z");
    if (start != null) {
      keys.append(", start: ").append(Times.at(start));
    }
    if (retention != null) {
      keys.append(", retention: ").append(retention);
    }
    RunFacts facts =
        Run.standard()
            .archive(Input.OUTBOX, keys.toString())
            .lookBack(lookBack)
            .judging(from, null)
            .facts();
    assertThat(facts.input(Input.OUTBOX).start()).isEqualTo(Times.at(expected));
    assertThat(facts.input(Input.OUTBOX).retentionKnown()).isEqualTo(retention != null);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "10:00:00, 11:00:00, 10:00:00, true",
        "10:00:00, 11:00:00, 09:59:59.999999999, false",
        "10:00:00, 11:00:00, 10:59:59.999999999, true",
        "10:00:00, 11:00:00, 11:00:00, false",
        "-, 11:00:00, 2000-01-01T00:00:00, true",
        "10:00:00, -, 2100-01-01T00:00:00, true",
        "-, -, 2100-01-01T00:00:00, true",
      })
  void fromIsInclusiveAndToExclusive(String from, String to, String time, boolean judged) {
    assertThat(Run.standard().judging(from, to).facts().judged(Times.at(time))).isEqualTo(judged);
  }

  @Test
  void anInputMayBeAbsentOrEmpty() {
    RunFacts facts = Run.undecided().empty(Input.OUTBOX).incomplete(Input.EVENTS).facts();
    assertThat(facts.whyNot(Input.DECISIONS)).isEqualTo("decisions not configured");
    assertThat(facts.whyNot(Input.OUTBOX)).isEqualTo("outbox input empty");
    assertThat(facts.whyNot(Input.EVENTS)).isNull();
    assertThat(facts.has(Input.EVENTS)).isTrue();
    assertThat(facts.has(Input.OUTBOX)).isFalse();
    assertThat(facts.has(Input.DECISIONS)).isFalse();
    assertThat(facts.incomplete(Input.EVENTS)).isTrue();
    assertThat(facts.incomplete(Input.OUTBOX)).isFalse();
    assertThat(facts.incomplete(Input.DECISIONS)).isFalse();
    assertThat(facts.input(Input.DECISIONS)).isNull();
  }

  @Test
  void aRowMayHaveBeenOvertaken() {
    Run run = Run.standard();
    byte[] last = new KeyWriter().instant(Times.at("10:00:00")).text("o5").toBytes();
    run.tally().max(last, ReadTally.LAST_DISPATCHED);
    RunFacts facts = run.facts();
    for (String id : new String[] {"o4", "o5", "o6"}) {
      byte[] position = new KeyWriter().instant(Times.at("10:00:00")).text(id).toBytes();
      assertThat(facts.dispatchedBehind(position)).isEqualTo(id.equals("o4"));
    }
    assertThat(Run.standard().facts().dispatchedBehind(last)).isFalse();
  }
}
