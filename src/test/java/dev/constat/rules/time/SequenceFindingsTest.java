package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.spec.Sequence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequenceFindingsTest {

  private static final Instant SETTLED = Times.at("11:50:00");

  private final Tally tally = new Tally();
  private final List<Numbered> receptions = new ArrayList<>();

  private SequenceFindingsTest reception(String number, String time) {
    return reception(number, time, true);
  }

  private SequenceFindingsTest reception(String number, String time, boolean judged) {
    Instant occurred = Times.at(time);
    receptions.add(
        new Numbered(
            Long.parseUnsignedLong(number),
            occurred,
            occurred.plusSeconds(1),
            "i" + (receptions.size() + 1),
            place(receptions.size() + 1),
            judged));
    return this;
  }

  private static Place place(int position) {
    return new Place(0, 0, 0, position, 0);
  }

  private List<Finding> findings(Sequence contract, String... scope) {
    Sequences sequences = new Sequences(contract.dense());
    receptions.forEach(sequences::next);
    List<Finding> findings = new ArrayList<>();
    new SequenceFindings("S", contract, Arrays.asList(scope))
        .state(sequences, SETTLED, tally, findings::add);
    return findings;
  }

  private static Sequence dense(String... scope) {
    return new Sequence(ImmutableList.copyOf(scope), true);
  }

  @Test
  void aHoleInADenseScopeIsAWarning() {
    // C31
    reception("41", "10:00:00").reception("42", "10:00:05").reception("45", "10:00:40");
    List<Finding> findings = findings(dense("partition"), "p0");
    assertThat(findings).hasSize(1);
    Finding gap = findings.get(0);
    assertThat(gap.kind()).isEqualTo(Kind.SEQUENCE_GAP);
    assertThat(gap.kind().level()).isEqualTo(Level.WARNING);
    assertThat(gap.subject())
        .isEqualTo("{\"epoch\":0,\"first_missing\":\"43\",\"partition\":\"p0\",\"source\":\"S\"}");
    assertThat(gap.expected()).isEqualTo("{\"next\":\"43\"}");
    assertThat(gap.actual())
        .isEqualTo(
            "{\"last_missing\":\"44\",\"lower\":\"i2\",\"missing\":\"2\",\"next\":\"45\","
                + "\"upper\":\"i3\"}");
    assertThat(gap.evidence()).containsExactly(place(2), place(3));
    assertThat(gap.occurrences()).isEqualTo(2);
    assertThat(gap.firstAt()).isEqualTo(Times.at("10:00:41"));
    assertThat(gap.lastAt()).isEqualTo(Times.at("10:00:41"));
    assertThat(tally.sum(TimeTally.MISSING, "S")).isEqualTo(2);
  }

  @Test
  void whereHolesAreAllowedTheyAreCounted() {
    reception("41", "10:00:00").reception("45", "10:00:40").reception("1", "10:00:41");
    assertThat(findings(new Sequence(ImmutableList.of("partition"), false), "p0")).isEmpty();
    assertThat(tally.sum(TimeTally.NUMBERS, "S")).isEqualTo(3);
    assertThat(tally.sum(TimeTally.HOLES, "S")).isEqualTo(1);
    assertThat(tally.sum(TimeTally.MISSING, "S")).isEqualTo(3);
    assertThat(tally.sum(TimeTally.RESETS, "S")).isEqualTo(1);
  }

  @Test
  void aHoleSettlesWithItsUpperNeighbour() {
    reception("1", "10:00:00")
        .reception("3", "11:49:59")
        .reception("5", "11:49:59.000000001")
        .reception("7", "11:49:00", false);
    assertThat(findings(dense()))
        .extracting(Finding::subject)
        .containsExactly("{\"epoch\":0,\"first_missing\":\"2\",\"source\":\"S\"}");
    assertThat(tally.sum(TimeTally.HOLES, "S")).isEqualTo(3);
    String gaps = Kind.SEQUENCE_GAP.name();
    assertThat(tally.sum(Coverage.JUDGED, gaps)).isEqualTo(2);
    assertThat(tally.sum(Coverage.SILENT, gaps, "IN_FLIGHT")).isEqualTo(1);
    assertThat(tally.sum(Coverage.NOT_JUDGED, gaps, "outside --from/--to")).isEqualTo(1);
  }

  @Test
  void numbersThatBeginAnewAreNews() {
    reception("100", "10:00:00").reception("1", "10:00:01").reception("0", "10:00:02", false);
    List<Finding> findings = findings(dense("epoch", "partition"), "e", null);
    assertThat(findings).hasSize(1);
    Finding reset = findings.get(0);
    assertThat(reset.kind()).isEqualTo(Kind.SEQUENCE_RESET);
    assertThat(reset.kind().level()).isEqualTo(Level.INFO);
    assertThat(reset.subject())
        .isEqualTo(
            "{\"epoch\":1,\"ingestion_id\":\"i2\",\"partition\":null,\"scope.epoch\":\"e\","
                + "\"source\":\"S\"}");
    assertThat(reset.expected()).isEqualTo("{\"ingestion_id\":\"i1\",\"largest\":\"100\"}");
    assertThat(reset.actual()).isEqualTo("{\"ingestion_id\":\"i2\",\"number\":\"1\"}");
    assertThat(reset.evidence()).containsExactly(place(1), place(2));
    assertThat(reset.firstAt()).isEqualTo(Times.at("10:00:02"));
    assertThat(tally.sum(TimeTally.RESETS, "S")).isEqualTo(2);
  }

  @Test
  void aHoleBeyondAllCountingIsStated() {
    reception("0", "10:00:00").reception("18446744073709551615", "10:00:01");
    Finding gap = findings(dense()).get(0);
    assertThat(gap.occurrences()).isEqualTo(Long.MAX_VALUE);
    assertThat(gap.actual()).contains("\"missing\":\"18446744073709551614\"");
    assertThat(tally.sum(TimeTally.MISSING, "S")).isEqualTo(TimeTally.MISSING_LIMIT);
  }
}
