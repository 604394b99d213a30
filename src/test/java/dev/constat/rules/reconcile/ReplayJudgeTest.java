package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.replay.Registered;
import dev.constat.rules.replay.ReplayActivity;
import dev.constat.rules.replay.ReplayActivity.What;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What replays did, held against the registry. */
final class ReplayJudgeTest {

  private static Run run(Registered... registry) {
    return Run.undecided().effect("{type: notify, consumers: [c1]}").replays(registry);
  }

  private static Notes judge(Run run, Rows... rows) {
    return Story.in(run).receive(Receptions.of("i1").at("10:00:00").topic("t")).rows(rows).tell();
  }

  private static Acks o(int second, String key) {
    return Acks.at("10:00:1" + second, key);
  }

  private static Acks r(int second, String key) {
    return Acks.at("10:30:1" + second, key).replay("R");
  }

  private static Acks q(int second, String key) {
    return Acks.at("10:40:1" + second, key).replay("Q");
  }

  /** Kind, occurrences, key where it stands in the subject, hints but those of originals. */
  private static List<String> said(Notes notes) {
    return notes.findings().stream()
        .map(
            finding ->
                finding.kind()
                    + " "
                    + finding.occurrences()
                    + (finding.subject().contains("\"effect_key\"")
                        ? finding
                            .subject()
                            .replaceAll(".*\"effect_key\":(null|\"[^\"]*\").*", " $1")
                        : "")
                    + (finding.hints().contains(ReplayEffects.REPLAY) ? " by replay" : ""))
        .sorted()
        .toList();
  }

  /** Lines of the book of replays: effects, repeats, further keys, not applied, unauthorised. */
  private static String book(Notes notes) {
    return Stream.of(
            ReplayBook.EFFECTS,
            ReplayBook.REPEATS,
            ReplayBook.FURTHER_KEYS,
            ReplayBook.NOT_APPLIED,
            ReplayBook.UNAUTHORISED)
        .map(line -> Long.toString(notes.book(ReplayBook.BOOK, line)))
        .reduce((a, b) -> a + " " + b)
        .orElseThrow();
  }

  static Stream<Arguments> effects() {
    Registered original = Registered.of("R").authorised();
    Registered own = Registered.of("R").ownKeys();
    return Stream.of(
        arguments(
            "C34: forbidden, whatever the key",
            Registered.of("R"),
            List.of(o(1, "k"), r(1, "k")),
            List.of("UNAUTHORISED_REPLAY_EFFECT 1 \"k\""),
            "0 0 0 0 1"),
        arguments(
            "forbidden acks of one key are one finding",
            Registered.of("R"),
            List.of(o(1, "k"), r(1, "k"), r(2, "k"), r(3, "x").applied(false)),
            List.of("UNAUTHORISED_REPLAY_EFFECT 1 \"x\"", "UNAUTHORISED_REPLAY_EFFECT 2 \"k\""),
            "0 0 0 0 3"),
        arguments(
            "unknown",
            Registered.of("other").authorised(),
            List.of(o(1, "k"), r(1, "k")),
            List.of("UNAUTHORISED_REPLAY_EFFECT 1 \"k\""),
            "0 0 0 0 1"),
        arguments(
            "equal key",
            original,
            List.of(o(1, "k"), r(1, "k")),
            List.of("REDELIVERY 1 \"k\" by replay"),
            "0 1 0 0 0"),
        arguments(
            "equal key under own",
            own,
            List.of(o(1, "k"), r(1, "k")),
            List.of("REDELIVERY 1 \"k\" by replay"),
            "0 1 0 0 0"),
        arguments(
            "repeats of originals and of a replay are one finding",
            original,
            List.of(o(1, "k"), o(2, "k"), r(1, "k")),
            List.of("REDELIVERY 2 \"k\" by replay"),
            "0 1 0 0 0"),
        arguments(
            "another key",
            original,
            List.of(o(1, "k"), r(1, "x"), r(2, "x")),
            List.of("DOUBLE_EFFECT 1 by replay", "REDELIVERY 1 \"x\" by replay"),
            "0 1 1 0 0"),
        arguments(
            "two other keys",
            original,
            List.of(o(1, "k"), r(1, "x"), r(2, "y")),
            List.of("DOUBLE_EFFECT 2 by replay"),
            "0 0 2 0 0"),
        arguments(
            "the replay was there before the original",
            original,
            List.of(Acks.at("10:50:00", "k"), r(1, "k")),
            List.of("REDELIVERY 1 \"k\" by replay"),
            "0 1 0 0 0"),
        arguments("own key", own, List.of(o(1, "k"), r(1, "x")), List.of(), "1 0 0 0 0"),
        arguments(
            "own key, delivered again",
            own,
            List.of(o(1, "k"), r(1, "x"), r(2, "x")),
            List.of("REDELIVERY 1 \"x\" by replay"),
            "1 1 0 0 0"),
        arguments(
            "two own keys",
            own,
            List.of(o(1, "k"), r(1, "x"), r(2, "y"), r(3, "k")),
            List.of("DOUBLE_EFFECT 1 by replay", "REDELIVERY 1 \"k\" by replay"),
            "1 1 1 0 0"),
        arguments(
            "no original", original, List.of(r(1, "k")), List.of("MISSING_ACK 1"), "1 0 0 0 0"),
        arguments(
            "no original, twice",
            original,
            List.of(r(1, "k"), r(2, "k")),
            List.of("MISSING_ACK 1", "REDELIVERY 1 \"k\" by replay"),
            "1 1 0 0 0"),
        arguments(
            "no original, two keys",
            original,
            List.of(r(1, "k"), r(2, "x")),
            List.of("DOUBLE_EFFECT 1 by replay", "MISSING_ACK 1"),
            "1 0 1 0 0"),
        arguments(
            "applied by both",
            original,
            List.of(o(1, "k").applied(true), r(1, "k").applied(true)),
            List.of("DOUBLE_EFFECT 1 by replay"),
            "0 1 0 0 0"),
        arguments(
            "applied twice by a replay",
            original,
            List.of(o(1, "k"), r(1, "k").applied(true), r(2, "k").applied(true)),
            List.of("DOUBLE_EFFECT 1 by replay", "REDELIVERY 1 \"k\" by replay"),
            "0 2 0 0 0"),
        arguments(
            "applied twice by both each",
            original,
            List.of(
                o(1, "k").applied(true),
                o(2, "k").applied(true),
                r(1, "k").applied(true),
                r(2, "k").applied(true)),
            List.of("DOUBLE_EFFECT 3 by replay"),
            "0 2 0 0 0"),
        arguments(
            "nothing applied by the replay",
            original,
            List.of(o(1, "k").applied(true), r(1, "k").applied(false), r(2, "x").applied(false)),
            List.of(),
            "0 0 0 2 0"),
        arguments(
            "a null key repeats",
            original,
            List.of(o(1, "k"), r(1, null), r(2, null)),
            List.of("REDELIVERY 2 null by replay"),
            "0 2 0 0 0"),
        arguments(
            "a null key repeats under own too",
            own,
            List.of(o(1, "k"), r(1, null)),
            List.of("REDELIVERY 1 null by replay"),
            "0 1 0 0 0"),
        arguments(
            "null keys with nothing to repeat",
            original,
            List.of(r(1, null), r(2, null)),
            List.of("MISSING_ACK 1", "REDELIVERY 1 null by replay"),
            "1 1 0 0 0"),
        arguments(
            "originals without a key to compare with",
            original,
            List.of(o(1, null), r(1, "k"), r(2, "x")),
            List.of("DOUBLE_EFFECT 1 by replay", "REDELIVERY 1 \"k\" by replay"),
            "0 1 1 0 0"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("effects")
  void whatReplaysAdd(
      String name, Registered replay, List<Acks> acks, List<String> expected, String book) {
    Notes notes = judge(run(replay), Rows.of("o1").acks(acks.toArray(Acks[]::new)));
    assertThat(said(notes)).isEqualTo(expected);
    assertThat(book(notes)).isEqualTo(book);
    assertThat(notes.book("acks", "replay"))
        .isEqualTo(
            ReplayBook.LINES.stream().mapToLong(line -> notes.book(ReplayBook.BOOK, line)).sum());
  }

  /** What a replay's own row is acknowledged for is the replay's, whatever the acknowledgement. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("effects")
  void theRowSaysItWhereTheAcknowledgementDoesNot(
      String name, Registered replay, List<Acks> acks, List<String> expected, String book) {
    Rows originals = Rows.of("o1");
    Rows replayed = Rows.of("o2").replay("R").created("10:20:00");
    List<Acks> ofOriginals = acks.stream().filter(ack -> ack.get("").replayId() == null).toList();
    List<Acks> ofReplay =
        acks.stream()
            .filter(ack -> ack.get("").replayId() != null)
            .map(ack -> ack.replay(null))
            .toList();
    Notes notes =
        judge(
            run(replay),
            originals.acks(ofOriginals.toArray(Acks[]::new)),
            replayed.acks(ofReplay.toArray(Acks[]::new)));
    assertThat(said(notes)).isEqualTo(expected);
    assertThat(book(notes)).isEqualTo(book);
  }

  @Test
  void twoReplays() {
    Run originals = run(Registered.of("R").authorised(), Registered.of("Q").authorised());
    assertThat(said(judge(originals, Rows.of("o1").acks(r(1, "k"), q(1, "x")))))
        .containsExactly("DOUBLE_EFFECT 1 by replay", "MISSING_ACK 1");
    assertThat(said(judge(originals, Rows.of("o1").acks(o(1, "a"), r(1, "k"), q(1, "k")))))
        .containsExactly("DOUBLE_EFFECT 1 by replay", "REDELIVERY 1 \"k\" by replay");
    Run own = run(Registered.of("R").ownKeys(), Registered.of("Q").ownKeys());
    Notes notes = judge(own, Rows.of("o1").acks(o(1, "a"), r(1, "k"), q(1, "x")));
    assertThat(notes.findings()).isEmpty();
    assertThat(book(notes)).isEqualTo("2 0 0 0 0");
    assertThat(ReplayActivity.sum(notes.tally(), "R", What.EFFECTS)).isEqualTo(1);
    assertThat(ReplayActivity.sum(notes.tally(), "Q", What.EFFECTS)).isEqualTo(1);
    Run one = run(Registered.of("R").ownKeys(), Registered.of("Q"));
    assertThat(said(judge(one, Rows.of("o1").acks(o(1, "a"), r(1, "k"), q(1, "x")))))
        .containsExactly("UNAUTHORISED_REPLAY_EFFECT 1 \"x\"");
  }

  @Test
  void consumersAndTypesAreUnitsOfTheirOwn() {
    Run run = run(Registered.of("R").authorised()).effect("{type: mail}");
    Notes notes =
        judge(
            run,
            Rows.of("o1").acks(o(1, "k"), r(1, "x").by("c2")),
            Rows.of("o2").type("mail").acks(r(2, "y")));
    assertThat(notes.findings(Kind.DOUBLE_EFFECT)).isEmpty();
    assertThat(book(notes)).isEqualTo("2 0 0 0 0");
  }

  @Test
  void aRowThatNobodyAcknowledged() {
    Notes forbidden =
        judge(run(Registered.of("R")), Rows.of("o1").acks(o(1, "k")), Rows.of("o2").replay("R"));
    Finding finding = forbidden.finding(Kind.UNAUTHORISED_REPLAY_EFFECT);
    assertThat(finding.subject())
        .isEqualTo(
            "{\"consumer\":null,\"effect_key\":null,\"outbox_id\":\"o2\",\"replay_id\":\"R\"}");
    assertThat(finding.reason()).startsWith("FORBIDDEN");
    assertThat(finding.evidence()).contains(Rows.of("o2").place(), Registered.of("R").place());
    assertThat(
            judge(
                    run(Registered.of("R").authorised()),
                    Rows.of("o1").acks(o(1, "k")),
                    Rows.of("o2").replay("R"))
                .findings())
        .isEmpty();
  }

  @Test
  void anUnknownReplayIsNamed() {
    Notes notes =
        judge(
            run(Registered.of("other")).incomplete(Input.REPLAYS),
            Rows.of("o1").acks(o(1, "k"), r(1, "k")));
    Finding finding = notes.finding(Kind.UNAUTHORISED_REPLAY_EFFECT);
    assertThat(finding.reason()).startsWith("UNKNOWN_REPLAY");
    assertThat(finding.actual())
        .isEqualTo(
            "{\"acks\":1,\"effect_type\":\"notify\",\"reason\":\"UNKNOWN_REPLAY\","
                + "\"registered\":false,\"source\":\"S\",\"source_event_id\":\"e1\"}");
    assertThat(finding.hints()).containsExactly(EffectJudge.INPUT_INCOMPLETE);
    assertThat(ReplayActivity.sum(notes.tally(), "R", What.UNAUTHORISED)).isEqualTo(1);
  }

  @Test
  void withoutARegistryNothingIsJudged() {
    Run none = Run.undecided().effect("{type: notify, consumers: [c1]}");
    Notes notes = judge(none, Rows.of("o1").acks(o(1, "k"), r(1, "x")), Rows.of("o2").replay("R"));
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.notJudged(Kind.UNAUTHORISED_REPLAY_EFFECT, "replays not configured"))
        .isEqualTo(2);
    assertThat(judge(run(), Rows.of("o1").acks(o(1, "k"), r(1, "x"))).findings()).isEmpty();
    assertThat(
            judge(run(), Rows.of("o1").acks(o(1, "k"), r(1, "x")))
                .notJudged(Kind.UNAUTHORISED_REPLAY_EFFECT, "replays input empty"))
        .isEqualTo(1);
  }

  static Stream<Arguments> origins() {
    Rows early = Rows.of("o1").created("09:30:00").acks(o(1, "k"), r(1, "k"));
    return Stream.of(
        arguments("inside", Registered.of("R").between("09:30:00", "09:30:00"), early, null),
        arguments("older", Registered.of("R").between("09:30:01", null), early, "older"),
        arguments("younger", Registered.of("R").between(null, "09:29:59"), early, "younger"),
        arguments("another topic", Registered.of("R").topic("u"), early, "of another topic"),
        arguments("its topic", Registered.of("R").topic("t"), early, null),
        arguments(
            "the first of all original rows",
            Registered.of("R").between("09:30:00", "09:30:00"),
            Rows.of("o1").created("09:30:00").type("a"),
            null),
        arguments(
            "the replay's own row says nothing",
            Registered.of("R").between("10:00:00", "10:00:00"),
            Rows.of("o9").created("09:00:00").replay("R").acks(r(1, "k")),
            null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("origins")
  void scope(String name, Registered replay, Rows row, String expected) {
    Notes notes = judge(run(replay.authorised()), row, Rows.of("o2").type("z").replay("R"));
    List<Finding> findings = notes.findings(Kind.REPLAY_OUT_OF_SCOPE);
    // both the acknowledgement and the row without one
    assertThat(findings).hasSize(expected == null ? 0 : 2);
    assertThat(findings).allSatisfy(f -> assertThat(f.reason()).contains(expected));
    assertThat(notes.judged(Kind.REPLAY_OUT_OF_SCOPE)).isPositive();
  }

  @Test
  void whoseOriginNobodyKnowsIsNotJudged() {
    Run run = run(Registered.of("R").authorised().between("09:00:00", "09:30:00"));
    Notes alone =
        Story.in(run)
            .receive(Receptions.of("i1").replay("R", "e1"))
            .rows(Rows.of("o1").replay("R").acks(r(1, "k")))
            .tell();
    assertThat(alone.findings(Kind.REPLAY_OUT_OF_SCOPE)).isEmpty();
    assertThat(alone.notJudged(Kind.REPLAY_OUT_OF_SCOPE, "event known by replays alone"))
        .isEqualTo(1);
    Notes orphan =
        Story.in(run)
            .rows(Rows.of("o1").replay("R").acks(r(1, "k"), r(2, "x")))
            .orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(said(orphan)).containsExactly("DOUBLE_EFFECT 1 by replay");
    assertThat(orphan.notJudged(Kind.REPLAY_OUT_OF_SCOPE, "event unknown")).isEqualTo(2);
    Run zoneless = run(Registered.of("R").authorised().between("09:00:00?", null));
    assertThat(
            judge(zoneless, Rows.of("o1").acks(o(1, "k"), r(1, "k")))
                .notJudged(Kind.REPLAY_OUT_OF_SCOPE, "an end of the interval without a zone"))
        .isEqualTo(1);
  }

  @Test
  void whatIsOutsideIsEvidence() {
    Run run = run(Registered.of("R").authorised()).judging("10:00:00", "10:30:12");
    Notes notes = judge(run, Rows.of("o1").acks(o(1, "k"), r(1, "k"), r(2, "k"), r(3, "x")));
    assertThat(said(notes))
        .containsExactly("DOUBLE_EFFECT 1 by replay", "REDELIVERY 2 \"k\" by replay");
    assertThat(book(notes)).isEqualTo("0 1 0 0 0");
    assertThat(notes.book(ReplayBook.BOOK, ReplayBook.NOT_JUDGED)).isEqualTo(2);
    Run later = run(Registered.of("R")).judging("11:00:00", null);
    Notes none = judge(later, Rows.of("o1").acks(r(1, "k")), Rows.of("o2").replay("R"));
    assertThat(none.findings()).isEmpty();
    assertThat(none.notJudged(Kind.UNAUTHORISED_REPLAY_EFFECT, EffectJudge.OUTSIDE)).isEqualTo(2);
  }

  @Test
  void anAcknowledgementOfNoRow() {
    Notes notes = new Notes();
    Run run = run(Registered.of("R"), Registered.of("Q").authorised());
    RunFacts facts = run.facts();
    ReplayJudge judge = new ReplayJudge(facts, notes, new ReplayActivity(facts.replays()));
    judge.looseAck(r(1, "k").get("gone"));
    judge.looseAck(q(1, "k").get("gone"));
    assertThat(said(notes)).containsExactly("UNAUTHORISED_REPLAY_EFFECT 1 \"k\"");
    assertThat(notes.finding(Kind.UNAUTHORISED_REPLAY_EFFECT).subject())
        .contains("\"outbox_id\":\"gone\"");
    assertThat(notes.notJudged(Kind.REPLAY_OUT_OF_SCOPE, "event unknown")).isEqualTo(1);
    assertThat(notes.book(ReplayBook.BOOK, ReplayBook.NOT_JUDGED)).isEqualTo(1);
  }

  @Test
  void aDoubleEffectNamesKeysAndReplays() {
    Notes notes =
        judge(
            run(Registered.of("R").authorised()),
            Rows.of("o1").acks(o(1, "k"), r(1, "x"), r(2, "y")));
    Finding finding = notes.finding(Kind.DOUBLE_EFFECT);
    assertThat(finding.actual())
        .isEqualTo(
            "{\"attribution\":\"REPLAY\",\"effect_keys\":[\"x\",\"y\"],\"effects\":3,"
                + "\"replay_ids\":[\"R\"]}");
    assertThat(finding.expected()).isEqualTo("{\"effects\":1}");
    assertThat(finding.evidence())
        .containsExactly(o(1, "").get("o1").place(), r(1, "").get("o1").place());
    Finding again =
        judge(run(Registered.of("R").authorised()), Rows.of("o1").acks(o(1, "k"), r(1, "k")))
            .finding(Kind.REDELIVERY);
    assertThat(again.actual())
        .isEqualTo(
            "{\"acks\":1,\"attribution\":\"REPLAY\",\"outbox_id\":\"o1\",\"replay_id\":\"R\"}");
  }
}
