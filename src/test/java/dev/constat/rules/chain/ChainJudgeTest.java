package dev.constat.rules.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChainJudgeTest {

  private final Tally tally = new Tally();
  private final List<Finding> findings = new ArrayList<>();

  private void judge(List<Link> links, Instant start, Instant settled, Instant from) {
    new ChainJudge(List.of(), start, settled, time -> !time.isBefore(from), tally, findings::add)
        .judge(Links.resolve(links));
  }

  private void judge(String links) {
    judge(Links.of(links), null, Links.at("12:00"), Instant.MIN);
  }

  private String told() {
    return findings.stream()
        .map(finding -> finding.kind() + " " + finding.subject().replaceAll(".*_id\":\"|\".*", ""))
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "e1, e2<e1, e3<e2 | ''",
        "x2<x1 | BROKEN_CHAIN x2",
        "x2<x1, x3<x2 | BROKEN_CHAIN x2",
        "x7 10:02, x8<x7 10:01 | CORRECTION_BEFORE_TARGET x8",
        "x7 10:02, x8<x7 10:02 | ''",
        "y7 10:02, x8<y7 10:02 | CORRECTION_BEFORE_TARGET x8",
        "a<b, b<a | CORRECTION_CYCLE a",
        "s<s | CORRECTION_CYCLE s",
        "b<c 10:05, c<d, d<b, a<c | CORRECTION_CYCLE b",
        "a<b, b<a, c<d, d<c | 'CORRECTION_CYCLE a, CORRECTION_CYCLE c'",
        "r, r1<r, r2<r | CORRECTION_FORK r",
        "r, r1<r, r2<r, r3<r1, r4<r1 | 'CORRECTION_FORK r, CORRECTION_FORK r1'",
        // what closes a cycle is no branch
        "s<s, t<s | CORRECTION_CYCLE s",
        "s<s, t<s, u<s | 'CORRECTION_CYCLE s, CORRECTION_FORK s'",
        "e#1, e#2, f<e, e#3<e | CORRECTION_BEFORE_TARGET f",
        "e#1, e#2<e, e#3<e | ''",
      })
  void whatIsStated(String links, String expected) {
    judge(links);
    assertThat(told()).isEqualTo(expected);
  }

  @Test
  void aBrokenChainIsAnError() {
    // C39
    judge("x2<x1");
    Finding finding = findings.get(0);
    assertThat(finding.kind().level()).isEqualTo(Level.ERROR);
    assertThat(finding.subject()).isEqualTo("{\"source\":\"S\",\"source_event_id\":\"x2\"}");
    assertThat(finding.reason()).isEqualTo("Corrects x1, which is nowhere in the archive");
    assertThat(finding.actual())
        .isEqualTo("{\"supersedes\":\"x1\",\"supersedes_occurred_at\":null,\"target\":\"absent\"}");
    assertThat(finding.hints()).isEmpty();
    assertThat(finding.evidence()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    // start, supersedes_occurred_at, known, received_at, finding, hint, standing
    ", , true, 10:00, true, ,",
    ", 08:00, true, 10:00, true, ,",
    "09:00, , true, 10:00, true, POSSIBLY_BEFORE_START,",
    "09:00, 08:00, false, 10:00, true, POSSIBLY_BEFORE_START,",
    "09:00, 09:00, true, 10:00, true, ,",
    "09:00, 08:59, true, 10:00, false, , UNRESOLVED_OUT_OF_HORIZON",
    "09:00, 08:59, true, 11:30, false, , UNRESOLVED_OUT_OF_HORIZON",
    "09:00, 09:00, true, 11:00, true, ,",
    "09:00, 09:00, true, 11:01, false, , IN_FLIGHT",
  })
  void absenceHasItsHorizons(
      String start,
      String target,
      boolean known,
      String received,
      boolean stated,
      String hint,
      String standing) {
    Link link = Links.of("x2<x1 r" + received).get(0);
    OptionalTime date =
        target == null ? OptionalTime.ABSENT : new OptionalTime(Links.at(target), known);
    Link dated =
        new Link(
            link.key(),
            link.ingestionId(),
            link.receivedAt(),
            link.occurredAt(),
            true,
            link.supersedes(),
            date,
            false,
            null,
            link.projected(),
            link.place());
    judge(List.of(dated), start == null ? null : Links.at(start), Links.at("11:00"), Instant.MIN);
    assertThat(findings).hasSize(stated ? 1 : 0);
    assertThat(tally.sum(Coverage.JUDGED, "BROKEN_CHAIN")).isEqualTo(stated ? 1 : 0);
    if (stated) {
      assertThat(String.join(",", findings.get(0).hints())).isEqualTo(hint == null ? "" : hint);
    } else {
      assertThat(tally.sum(Coverage.SILENT, "BROKEN_CHAIN", standing)).isEqualTo(1);
    }
  }

  @Test
  void aForkNamesItsBranches() {
    // C40
    judge("r, r1<r, r2<r");
    Finding finding = findings.get(0);
    assertThat(finding.kind().level()).isEqualTo(Level.ERROR);
    assertThat(finding.expected()).isEqualTo("{\"corrections\":1}");
    assertThat(finding.actual())
        .isEqualTo(
            "{\"branches\":[\"{\\\"source\\\":\\\"S\\\",\\\"source_event_id\\\":\\\"r1\\\"}\","
                + "\"{\\\"source\\\":\\\"S\\\",\\\"source_event_id\\\":\\\"r2\\\"}\"],"
                + "\"corrections\":2}");
    assertThat(finding.evidence()).hasSize(3);
    assertThat(finding.firstAt()).isEqualTo(Links.at("10:00"));
    assertThat(finding.lastAt()).isEqualTo(Links.at("10:00").plusSeconds(2));
  }

  @Test
  void manyBranchesAreCounted() {
    judge(
        "r, "
            + IntStream.range(0, 25)
                .mapToObj(i -> "s" + i + "<r")
                .collect(Collectors.joining(", ")));
    Finding finding = findings.get(0);
    assertThat(finding.actual()).contains("\"corrections\":25");
    assertThat(finding.actual().split("source_event_id", -1)).hasSize(1 + ChainJudge.MAX_NAMED);
    assertThat(finding.evidence()).hasSize(1 + ChainJudge.MAX_NAMED);
  }

  @Test
  void aCycleGoesRoundFromItsSmallestKey() {
    judge("b<d, c<b, d<c");
    assertThat(findings.get(0).actual().replaceAll("\\\\|source_event_id|\"source\":\"S\"", ""))
        .contains("b")
        .contains("\"members\":3");
    String text = findings.get(0).actual();
    assertThat(text.indexOf("\"b\\\"")).isLessThan(text.indexOf("\"d\\\""));
    assertThat(text.indexOf("\"d\\\"")).isLessThan(text.indexOf("\"c\\\""));
  }

  @Test
  void everySubjectIsCounted() {
    judge("a, b<a, c<b, f<a, s<s, t<u, u<t, x<nowhere, y<x");
    assertThat(tally.sum(Coverage.JUDGED, Kind.BROKEN_CHAIN.name())).isEqualTo(8);
    assertThat(tally.sum(Coverage.JUDGED, Kind.CORRECTION_BEFORE_TARGET.name())).isEqualTo(4);
    // a cycle is one subject
    assertThat(tally.sum(Coverage.JUDGED, Kind.CORRECTION_CYCLE.name())).isEqualTo(6);
    assertThat(tally.sum(Coverage.JUDGED, Kind.CORRECTION_FORK.name())).isEqualTo(3);
  }

  @Test
  void whatIsNotChosenIsNotJudged() {
    judge(
        Links.of("a<b 10:00, b<a 10:30, r 10:00, s<r 10:30, t<r 10:30, x<nowhere 10:00, y<x 10:30"),
        null,
        Links.at("12:00"),
        Links.at("10:15"));
    assertThat(findings).isEmpty();
    assertThat(tally.sumsUnder(Coverage.NOT_JUDGED, Kind.CORRECTION_CYCLE.name()))
        .containsExactly(Map.entry(List.of("outside --from/--to"), 1L));
    assertThat(tally.sum(Coverage.JUDGED, Kind.CORRECTION_CYCLE.name())).isEqualTo(3);
    assertThat(tally.sum(Coverage.NOT_JUDGED, Kind.CORRECTION_FORK.name(), "outside --from/--to"))
        .isEqualTo(2);
    assertThat(tally.sum(Coverage.NOT_JUDGED, Kind.BROKEN_CHAIN.name(), "outside --from/--to"))
        .isEqualTo(2);
  }
}
