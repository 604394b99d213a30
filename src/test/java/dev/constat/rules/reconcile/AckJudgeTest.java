package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.lease.LeaseTally;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Acknowledgements of one event by one consumer: effects, repeats, further keys. */
class AckJudgeTest {

  private static Notes judge(Run run, Rows... rows) {
    return Story.in(run.effect("{type: notify, consumers: [c1]}"))
        .receive(Receptions.of("i1").at("10:00:00"))
        .rows(rows)
        .tell();
  }

  private static Notes judge(Rows... rows) {
    return judge(Run.undecided(), rows);
  }

  private static Acks a(int second, String key) {
    return Acks.at("10:00:1" + second, key);
  }

  /** Kind, occurrences and effect key, where it stands in the subject. */
  private static List<String> said(Notes notes) {
    return Stream.concat(
            notes.findings(Kind.REDELIVERY).stream(), notes.findings(Kind.DOUBLE_EFFECT).stream())
        .map(
            finding ->
                finding.kind()
                    + " "
                    + finding.occurrences()
                    + finding
                        .subject()
                        .replaceAll(".*\"effect_key\":(.*?),\"effect_type.*|.*", " $1")
                        .stripTrailing()
                    + (finding.hints().isEmpty() ? "" : " " + finding.hints()))
        .sorted()
        .toList();
  }

  static Stream<Arguments> units() {
    return Stream.of(
        arguments("one effect", List.of(a(1, "k")), List.of(), "1 0 0 0"),
        arguments("C12", List.of(a(1, "k"), a(2, "k")), List.of("REDELIVERY 1 \"k\""), "1 1 0 0"),
        arguments(
            "n copies",
            List.of(a(1, "k"), a(2, "k"), a(3, "k")),
            List.of("REDELIVERY 2 \"k\""),
            "1 2 0 0"),
        arguments(
            "C13",
            List.of(a(1, "k1"), a(2, "k2")),
            List.of("DOUBLE_EFFECT 1 [UNSTABLE_KEY]"),
            "1 0 1 0"),
        arguments(
            "three keys, one of them twice",
            List.of(a(1, "k1"), a(2, "k2"), a(3, "k3"), a(4, "k1")),
            List.of("DOUBLE_EFFECT 2 [UNSTABLE_KEY]", "REDELIVERY 1 \"k1\""),
            "1 1 2 0"),
        arguments(
            "applied twice",
            List.of(a(1, "k").applied(true), a(2, "k").applied(true)),
            List.of("DOUBLE_EFFECT 1"),
            "1 1 0 0"),
        arguments(
            "applied twice and delivered once more",
            List.of(a(1, "k").applied(true), a(2, "k").applied(true), a(3, "k")),
            List.of("DOUBLE_EFFECT 1", "REDELIVERY 1 \"k\""),
            "1 2 0 0"),
        arguments(
            "applied, then known",
            List.of(a(1, "k").applied(true), a(2, "k").applied(false)),
            List.of(),
            "1 0 0 1"),
        arguments(
            "applied once, then nobody says",
            List.of(a(1, "k").applied(true), a(2, "k")),
            List.of("REDELIVERY 1 \"k\""),
            "1 1 0 0"),
        arguments(
            "another key that was not applied",
            List.of(a(1, "k1"), a(2, "k2").applied(false)),
            List.of(),
            "1 0 0 1"),
        arguments(
            "never applied",
            List.of(a(1, "k").applied(false), a(2, "k").applied(false)),
            List.of(),
            "0 0 0 2"),
        arguments("a null key", List.of(a(1, null)), List.of(), "1 0 0 0"),
        arguments(
            "null keys repeat",
            List.of(a(1, null), a(2, null), a(3, null)),
            List.of("REDELIVERY 2 null [NO_EFFECT_KEY]"),
            "1 2 0 0"),
        arguments(
            "a null key after a key",
            List.of(a(1, "k"), a(2, null)),
            List.of("REDELIVERY 1 null [NO_EFFECT_KEY]"),
            "1 1 0 0"),
        arguments(
            "a null key before a key",
            List.of(a(1, null), a(2, "k")),
            List.of("REDELIVERY 1 null [NO_EFFECT_KEY]"),
            "1 1 0 0"),
        arguments(
            "a null key is never another key",
            List.of(a(1, null), a(2, "k1"), a(3, "k2"), a(4, null)),
            List.of("DOUBLE_EFFECT 1 [UNSTABLE_KEY]", "REDELIVERY 2 null [NO_EFFECT_KEY]"),
            "1 2 1 0"),
        arguments(
            "a null key applied twice",
            List.of(a(1, null).applied(true), a(2, null).applied(true)),
            List.of("REDELIVERY 1 null [NO_EFFECT_KEY]"),
            "1 1 0 0"),
        arguments(
            "an empty key is a key",
            List.of(a(1, ""), a(2, "k")),
            List.of("DOUBLE_EFFECT 1 [UNSTABLE_KEY]"),
            "1 0 1 0"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("units")
  void effectsAreToldApartByKey(String name, List<Acks> acks, List<String> expected, String book) {
    Notes notes = judge(Rows.of("o1").acks(acks.toArray(Acks[]::new)));
    assertThat(said(notes)).isEqualTo(expected);
    assertThat(
            notes.book("acks", "first effects")
                + " "
                + notes.book("acks", "repeats")
                + " "
                + notes.book("acks", "further keys")
                + " "
                + notes.book("acks", "not applied"))
        .isEqualTo(book);
    assertThat(notes.book("acks", "not judged")).isZero();
    assertThat(notes.judged(Kind.ORPHAN_ACK)).isEqualTo(acks.size());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("units")
  void everyRepeatOfTheBooksIsInAFinding(
      String name, List<Acks> acks, List<String> expected, String book) {
    Notes notes = judge(Rows.of("o1").acks(acks.toArray(Acks[]::new)));
    long occurrences =
        Stream.of(Kind.REDELIVERY, Kind.DOUBLE_EFFECT)
            .flatMap(kind -> notes.findings(kind).stream())
            .mapToLong(Finding::occurrences)
            .sum();
    assertThat(occurrences)
        .isEqualTo(notes.book("acks", "repeats") + notes.book("acks", "further keys"));
  }

  @Test
  void aDoubleEffectNamesItsUnit() {
    Notes notes = judge(Rows.of("o1").acks(a(1, "rcv-411"), a(2, "rcv-706")));
    Finding finding = notes.finding(Kind.DOUBLE_EFFECT);
    assertThat(finding.subject())
        .isEqualTo(
            "{\"consumer\":\"c1\",\"effect_type\":\"notify\",\"source\":\"S\","
                + "\"source_event_id\":\"e1\"}");
    assertThat(finding.reason())
        .isEqualTo(
            "The effect happened under 2 effect keys; attempts = 1, so the duplication is on the"
                + " consumer or broker side");
    assertThat(finding.actual())
        .isEqualTo("{\"attempts\":1,\"effect_keys\":[\"rcv-411\",\"rcv-706\"],\"effects\":2}");
    assertThat(finding.evidence())
        .containsExactly(a(1, "").get("o1").place(), a(2, "").get("o1").place());
    assertThat(finding.firstAt()).isEqualTo(Times.at("10:00:11"));
    assertThat(finding.lastAt()).isEqualTo(Times.at("10:00:12"));
    Notes retried = judge(Rows.of("o1").attempts(2L).acks(a(1, "k1"), a(2, "k2")));
    assertThat(retried.finding(Kind.DOUBLE_EFFECT).reason())
        .isEqualTo("The effect happened under 2 effect keys");
    Notes applied =
        judge(Rows.of("o1").attempts(2L).acks(a(1, "k").applied(true), a(2, "k").applied(true)));
    assertThat(applied.finding(Kind.DOUBLE_EFFECT).reason())
        .isEqualTo("The effect was applied more than once under one key");
  }

  @Test
  void aRedeliveryNamesItsKey() {
    Finding finding =
        judge(Rows.of("o1").attempts(2L).acks(a(1, "k"), a(2, "k"))).finding(Kind.REDELIVERY);
    assertThat(finding.subject())
        .isEqualTo(
            "{\"consumer\":\"c1\",\"effect_key\":\"k\",\"effect_type\":\"notify\","
                + "\"source\":\"S\",\"source_event_id\":\"e1\"}");
    assertThat(finding.reason())
        .isEqualTo("Delivered again under the same effect key, as at-least-once delivery may");
    assertThat(finding.actual())
        .isEqualTo(
            "{\"acks\":2,\"attempts\":2,\"outbox_id\":\"o1\",\"windows\":{\"NOT_SHOWN\":1}}");
    assertThat(finding.hints()).isEmpty();
  }

  @Test
  void aRedeliverySaysWhatTheRowsShowOfIt() {
    Notes notes =
        judge(
            Rows.of("o1")
                .after(Rows.of("o1").processing().claimed("10:00:05").lease("n1", "10:01:05"))
                .claimed("10:01:06")
                .lease("n2", "10:02:06")
                .dispatched("10:01:08")
                .acks(
                    Acks.at("10:00:10", "k").worker("n1"),
                    Acks.at("10:01:07", "k").worker("n2"),
                    Acks.at("10:01:30", "k").worker("n1")),
            Rows.of("o2").created("10:00:02").acks(Acks.at("10:02:00", "k")));
    Finding finding = notes.finding(Kind.REDELIVERY);
    assertThat(finding.occurrences()).isEqualTo(3);
    assertThat(finding.actual())
        .contains("\"windows\":{\"LAPSED_LEASE\":1,\"PUBLISHED_BEFORE_MARK\":1,\"SURPLUS_ROW\":1}");
    assertThat(finding.hints())
        .containsExactly("LAPSED_LEASE", "PUBLISHED_BEFORE_MARK", "SURPLUS_ROW");
    assertThat(notes.tally().sum(LeaseTally.WINDOWS, "notify", "LAPSED_LEASE")).isEqualTo(1);
    assertThat(notes.tally().sumsUnder(LeaseTally.WINDOWS)).hasSize(3);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("units")
  void windowsAddUpToTheRedeliveries(
      String name, List<Acks> acks, List<String> expected, String book) {
    Notes notes = judge(Rows.of("o1").acks(acks.toArray(Acks[]::new)));
    assertThat(
            notes.tally().sumsUnder(LeaseTally.WINDOWS).values().stream()
                .mapToLong(Long::longValue)
                .sum())
        .isEqualTo(notes.findings(Kind.REDELIVERY).stream().mapToLong(Finding::occurrences).sum());
  }

  @Test
  void theUnitReachesOverAllRowsOfTheEvent() {
    // C07
    Notes notes =
        judge(
            Rows.of("o1").created("10:00:01").acks(a(3, "k1")),
            Rows.of("o2").created("10:00:02").acks(a(4, "k2")));
    assertThat(notes.kinds()).containsExactly("DOUBLE_EFFECT", "SURPLUS_OUTBOX");
    assertThat(notes.finding(Kind.DOUBLE_EFFECT).hints()).isEmpty();
    Notes same =
        judge(
            Rows.of("o1").created("10:00:01").acks(a(3, "k")),
            Rows.of("o2").created("10:00:02").acks(a(4, "k")));
    assertThat(same.kinds()).containsExactly("REDELIVERY", "SURPLUS_OUTBOX");
  }

  @Test
  void consumersAndTypesAreUnitsOfTheirOwn() {
    // C09
    Notes notes =
        judge(
            Run.undecided().effect("{type: mail}"),
            Rows.of("o1").acks(a(1, "k"), a(2, "k2").by("c2"), a(3, "k3").by(null)),
            Rows.of("o2").type("mail").acks(a(4, "k4")));
    assertThat(notes.findings(Kind.DOUBLE_EFFECT)).isEmpty();
    assertThat(notes.findings(Kind.REDELIVERY)).isEmpty();
    assertThat(notes.book("acks", "first effects")).isEqualTo(4);
  }

  @Test
  void aWorkerWithoutTheLeaseIsAHint() {
    Notes notes =
        judge(
            Rows.of("o1").lease("n1", null).acks(a(1, "k1").worker("n1"), a(2, "k2").worker("n2")));
    assertThat(notes.finding(Kind.DOUBLE_EFFECT).hints())
        .containsExactly("STALE_OWNER", "UNSTABLE_KEY");
  }

  @Test
  void whatIsOutsideIsEvidence() {
    Run run = Run.undecided().judging("10:00:00", "10:00:12");
    Notes notes = judge(run, Rows.of("o1").acks(a(1, "k"), a(2, "k"), a(3, "k2")));
    // the first is judged, and what came after it says what it is part of
    assertThat(said(notes)).containsExactly("DOUBLE_EFFECT 1 [UNSTABLE_KEY]", "REDELIVERY 1 \"k\"");
    assertThat(notes.book("acks", "first effects")).isEqualTo(1);
    assertThat(notes.book("acks", "repeats")).isZero();
    assertThat(notes.book("acks", "further keys")).isZero();
    assertThat(notes.book("acks", "not judged")).isEqualTo(2);
    assertThat(notes.notJudged(Kind.ORPHAN_ACK, EffectJudge.OUTSIDE)).isEqualTo(2);
    Notes before =
        judge(
            Run.undecided().judging("10:00:12", null),
            Rows.of("o1").acks(a(1, "k"), a(2, "k"), a(3, "k2")));
    assertThat(before.book("acks", "first effects")).isZero();
    assertThat(before.book("acks", "repeats")).isEqualTo(1);
    assertThat(before.book("acks", "further keys")).isEqualTo(1);
    assertThat(before.book("acks", "not judged")).isEqualTo(1);
    Notes none =
        judge(Run.undecided().judging("11:00:00", null), Rows.of("o1").acks(a(1, "k"), a(2, "k2")));
    assertThat(none.findings()).isEmpty();
    assertThat(none.notJudged(Kind.DOUBLE_EFFECT, EffectJudge.OUTSIDE)).isEqualTo(1);
  }

  @Test
  void replaysHaveBooksOfTheirOwn() {
    Notes notes =
        judge(
            Rows.of("o1").acks(a(1, "k"), a(2, "k2").replay("R")),
            Rows.of("o2").replay("R").acks(a(3, "k3")));
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.book("acks", "replay")).isEqualTo(2);
    assertThat(notes.book("acks", "first effects")).isEqualTo(1);
    assertThat(notes.effects())
        .containsExactlyInAnyOrder(
            "o1 c1 k 1 DONE 0 -", "o1 c1 k2 1 REPLAY 0 -", "o2 c1 k3 1 REPLAY 0 -");
  }

  @Test
  void tiesEndInTheBytesOfIds() {
    // U+FFFF stands before an emoji in UTF-8, and behind it in UTF-16
    Acks bmp = a(1, "k2").id("\uFFFF");
    Acks emoji = a(1, "k1").id("\uD83D\uDE00");
    Notes notes = judge(Rows.of("o1").acks(bmp, emoji));
    assertThat(notes.finding(Kind.DOUBLE_EFFECT).evidence())
        .containsExactlyInAnyOrder(bmp.get("o1").place(), emoji.get("o1").place());
    Notes judgedFirst = new Notes();
    AckJudge judge = new AckJudge(judgedFirst);
    judge.begin(object -> object);
    judge.next(dev.constat.rules.outbox.AckFold.of(emoji.get("o1"), Rows.of("o1").row(), false));
    judge.next(dev.constat.rules.outbox.AckFold.of(bmp.get("o1"), Rows.of("o1").row(), true));
    judge.end();
    assertThat(judgedFirst.book("acks", "first effects")).isEqualTo(1);
    assertThat(judgedFirst.book("acks", "not judged")).isEqualTo(1);
  }
}
