package dev.constat.rules.reconcile;

import static dev.constat.rules.reconcile.Hashes.declared;
import static dev.constat.rules.reconcile.Hashes.mismatch;
import static dev.constat.rules.reconcile.Hashes.none;
import static dev.constat.rules.reconcile.Hashes.recomputed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.identity.ContentHash;
import dev.constat.rules.identity.Decision;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class IdentityJudgeTest {

  private static Receptions i(int n) {
    return Receptions.of("i" + n).at("10:00:0" + n);
  }

  private static Notes judge(Receptions... receptions) {
    return Story.in(Run.undecided()).receive(receptions).tell();
  }

  @Test
  void theFirstReceptionIsAccepted() {
    Notes notes = judge(i(1));
    assertThat(notes.decision("i1"))
        .containsEntry("decision", "ACCEPTED")
        .containsEntry("reason", "first reception of its key")
        .containsEntry("in_history", true)
        .containsEntry("against", null)
        .containsEntry("repeats", 0L)
        .containsEntry("last_received_at", Times.at("10:00:01"))
        .containsEntry("key", "{\"source\":\"S\",\"source_event_id\":\"e1\"}")
        .containsEntry("hash", "h")
        .containsEntry("hash_rule", "jcs-exact/1")
        .containsEntry("flags", List.of());
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.book("events", "ACCEPTED")).isEqualTo(1);
    assertThat(notes.book("events", "keys")).isEqualTo(1);
  }

  @Test
  void aRepeatOfTheSameContentIsAnExactDuplicate() {
    // C01: long after, and at the same instant, where ingestion_id decides
    Notes notes =
        judge(
            Receptions.of("i4").at("10:00:01"),
            Receptions.of("i3").at("10:39:51"),
            Receptions.of("i2").at("10:00:01"));
    assertThat(notes.decision("i2"))
        .containsEntry("decision", "ACCEPTED")
        .containsEntry("repeats", 2L)
        .containsEntry("last_received_at", Times.at("10:39:51"));
    for (String later : List.of("i3", "i4")) {
      assertThat(notes.decision(later))
          .containsEntry("decision", "EXACT_DUPLICATE")
          .containsEntry("against", "i2")
          .containsEntry("reason", "same key and hash as i2")
          .containsEntry("in_history", false)
          .containsEntry("repeats", 0L)
          .containsEntry("last_received_at", null);
    }
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.quarantine()).isEmpty();
    assertThat(notes.book("events", "EXACT_DUPLICATE")).isEqualTo(2);
    assertThat(notes.tally().sum(CheckTally.REPEATS, "S")).isEqualTo(2);
    assertThat(notes.tally().sum(CheckTally.CONFLICTS, "S")).isZero();
    assertThat(notes.effects()).containsExactly("- - - 0 SUPPRESSED 2 i2");
  }

  @Test
  void anotherContentIsQuarantinedWithTheFirst() {
    Notes notes = judge(i(1).hash("a"), i(2).hash("b"), i(3).hash("a"), i(4).hash("b"));
    assertThat(notes.decision("i1"))
        .containsEntry("decision", "ACCEPTED")
        .containsEntry("repeats", 1L)
        .containsEntry("last_received_at", Times.at("10:00:03"));
    assertThat(notes.decision("i2"))
        .containsEntry("decision", "CONFLICTING_DUPLICATE")
        .containsEntry("reason", "same key as i1, another hash")
        .containsEntry("against", "i1");
    assertThat(notes.decision("i3")).containsEntry("decision", "EXACT_DUPLICATE");
    assertThat(notes.quarantine())
        .extracting(q -> q.ingestionId() + " " + q.side() + " " + q.hash() + " " + q.rule())
        .containsExactly(
            "i1 accepted a identity/1", "i2 deviating b identity/1", "i4 deviating b identity/1");
    Finding finding = notes.finding(Kind.CONFLICTING_DUPLICATE);
    assertThat(finding.subject())
        .isEqualTo("{\"deviating_hash\":\"b\",\"source\":\"S\",\"source_event_id\":\"e1\"}");
    assertThat(finding.reason()).isEqualTo("Two receptions of one key differ in content");
    assertThat(finding.rule()).isEqualTo("key/1[source, source_event_id] jcs-exact/1");
    assertThat(finding.occurrences()).isEqualTo(2);
    assertThat(finding.evidence()).containsExactly(i(1).place(), i(2).place());
    assertThat(finding.firstAt()).isEqualTo(Times.at("10:00:01"));
    assertThat(finding.lastAt()).isEqualTo(Times.at("10:00:04"));
    assertThat(finding.hints()).isEmpty();
    assertThat(notes.book("events", "CONFLICTING_DUPLICATE")).isEqualTo(2);
    assertThat(notes.tally().sum(CheckTally.CONFLICTING_KEYS, "S", "1")).isEqualTo(1);
    assertThat(notes.tally().sum(CheckTally.CONFLICTS, "S")).isEqualTo(2);
  }

  @Test
  void eachDeviatingHashIsAFinding() {
    Notes notes = judge(i(1).hash("a"), i(2).hash("b"), i(3).hash("c"));
    assertThat(notes.findings(Kind.CONFLICTING_DUPLICATE)).hasSize(2);
  }

  static Stream<Arguments> repeats() {
    return Stream.of(
        arguments(recomputed("a"), recomputed("a"), "EXACT_DUPLICATE", List.of()),
        arguments(
            recomputed("a"),
            declared("jcs-exact/1", "a"),
            "EXACT_DUPLICATE",
            List.of("HASH_UNVERIFIABLE")),
        arguments(
            declared("md5", "a"),
            declared("md5", "b"),
            "CONFLICTING_DUPLICATE",
            List.of("HASH_UNVERIFIABLE")),
        arguments(
            declared("md5", "a"),
            declared("sha1", "a"),
            "CONFLICTING_DUPLICATE",
            List.of("HASH_UNVERIFIABLE")),
        arguments(none("a"), none("a"), "CONFLICTING_DUPLICATE", List.of()));
  }

  @ParameterizedTest
  @MethodSource("repeats")
  void declaredHashesAreComparedAsText(
      ContentHash first, ContentHash second, String decision, List<String> flags) {
    Notes notes = judge(i(1).content(first), i(2).content(second));
    assertThat(notes.decision("i2"))
        .containsEntry("decision", decision)
        .containsEntry("flags", flags);
  }

  @Test
  void withoutAComparableHashNothingIsMerged() {
    Notes notes = judge(i(1).content(none("x")), i(2).content(none("x")));
    assertThat(notes.decision("i2"))
        .containsEntry("decision", "CONFLICTING_DUPLICATE")
        .containsEntry("reason", "no comparable hash")
        .containsEntry("hash", null)
        .containsEntry("hash_rule", null);
    assertThat(notes.finding(Kind.CONFLICTING_DUPLICATE).reason())
        .isEqualTo("Two receptions of one key have no comparable hash");
  }

  @Test
  void aFingerprintIsNeverAConflict() {
    Notes notes = judge(i(1).fingerprint("f").hash("a"), i(2).fingerprint("f").content(none("b")));
    assertThat(notes.decision("i1"))
        .containsEntry("decision", "ACCEPTED")
        .containsEntry("hash", "f")
        .containsEntry("hash_rule", "fp/1")
        .containsEntry("key", "{\"hash\":\"f\",\"hash_rule\":\"fp/1\",\"source\":\"S\"}")
        .containsEntry("flags", List.of("HEURISTIC"));
    assertThat(notes.decision("i2"))
        .containsEntry("decision", "EXACT_DUPLICATE")
        .containsEntry("reason", "same fingerprint as i1")
        .containsEntry("flags", List.of("HEURISTIC"));
    assertThat(notes.findings()).isEmpty();
  }

  @Test
  void copiesCountNowhereElse() {
    Notes notes = judge(i(1).copy("x"), i(1).copy("y"), i(1).copy("z"));
    assertThat(notes.decisions("i1"))
        .extracting(row -> row.get("decision"))
        .containsExactlyInAnyOrder("ACCEPTED", "ARCHIVE_COPY", "ARCHIVE_COPY");
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.book("events", "ARCHIVE_COPY")).isEqualTo(2);
    assertThat(notes.tally().sum(CheckTally.SOURCES, "S", "1", "ACCEPTED")).isEqualTo(1);
    assertThat(notes.tally().sumsUnder(CheckTally.SOURCES)).hasSize(1);
    assertThat(notes.tally().sum(CheckTally.REPEATS, "S")).isZero();
    assertThat(notes.effects()).isEmpty();
  }

  @Test
  void severalContentsOfOneAttemptAreAllQuarantined() {
    // A, A, B: a copy and two conflicts
    Story story =
        Story.in(Run.undecided())
            .receive(
                i(1).hash("a").copy("x"), i(1).hash("a").copy("y"), i(1).hash("b").copy("z"), i(2));
    Notes notes = story.tell();
    assertThat(notes.decisions("i1"))
        .extracting(row -> row.get("decision"))
        .containsExactly("ARCHIVE_CONFLICT", "ARCHIVE_COPY", "ARCHIVE_CONFLICT");
    assertThat(notes.decision("i2"))
        .containsEntry("decision", "ACCEPTED")
        .containsEntry("flags", List.of("ARCHIVE_CONTESTED"));
    assertThat(notes.quarantine())
        .extracting(q -> q.ingestionId() + " " + q.side() + " " + q.hash() + " " + q.rule())
        .containsExactly("i1 deviating a archive-copies/1", "i1 deviating b archive-copies/1");
    Finding finding = notes.finding(Kind.ARCHIVE_CONFLICT);
    assertThat(finding.subject()).isEqualTo("{\"ingestion_id\":\"i1\"}");
    assertThat(finding.occurrences()).isEqualTo(2);
    assertThat(notes.book("events", "ARCHIVE_CONFLICT")).isEqualTo(2);
    assertThat(notes.book("events", "keys")).isEqualTo(1);
    assertThat(story.verdict().contested()).isTrue();
  }

  @Test
  void aKeyOfConflictsAloneHasNoFirstReception() {
    Story story =
        Story.in(Run.undecided()).receive(i(1).hash("a").copy("x"), i(1).hash("b").copy("y"));
    Notes notes = story.tell();
    assertThat(story.verdict().first()).isNull();
    assertThat(story.verdict().decision()).isNull();
    assertThat(notes.book("events", "keys")).isZero();
  }

  @Test
  void originalsComeBeforeReplays() {
    Notes notes =
        judge(
            Receptions.of("r1").at("09:00:00").replay("R", "e1"),
            Receptions.of("i1").at("10:00:00"),
            Receptions.of("r2").at("11:00:00").replay("R", "e1").hash("other"));
    assertThat(notes.decision("i1")).containsEntry("decision", "ACCEPTED");
    assertThat(notes.decision("r1"))
        .containsEntry("decision", "EXACT_DUPLICATE")
        .containsEntry("against", "i1")
        .containsEntry("replay_id", "R");
    assertThat(notes.decision("r2")).containsEntry("decision", "CONFLICTING_DUPLICATE");
    assertThat(notes.tally().sum(CheckTally.REPEATS, "S")).isZero();
    assertThat(notes.tally().sum(CheckTally.CONFLICTS, "S")).isZero();
    assertThat(notes.tally().sum(CheckTally.REPLAYED, "S", "1", "EXACT_DUPLICATE")).isEqualTo(1);
    assertThat(notes.tally().sum(CheckTally.SOURCES, "S", "1", "EXACT_DUPLICATE")).isZero();
    assertThat(notes.effects()).isEmpty();
  }

  @Test
  void aKeyMayBeKnownByReplaysAlone() {
    Story story = Story.in(Run.undecided()).receive(i(1).replay("R", "e1"));
    Notes notes = story.tell();
    assertThat(notes.decision("i1"))
        .containsEntry("decision", "ACCEPTED")
        .containsEntry("flags", List.of("ORIGINAL_ABSENT"));
    assertThat(story.verdict().knownByReplaysAlone()).isTrue();
    assertThat(notes.tally().sumsUnder(CheckTally.LAG)).isEmpty();
    assertThat(notes.book("events", "keys")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"R, -, true", "-, e1, true", "R, e1, false", "-, -, false"})
  void aReplayMarkHasTwoHalves(String replay, String original, boolean incomplete) {
    Notes notes = judge(i(1), i(2).replay(replay, original));
    assertThat(notes.decision("i2").get("flags"))
        .isEqualTo(incomplete ? List.of("REPLAY_MARK_INCOMPLETE") : List.of());
  }

  @Test
  void aCorrectionSupersedes() {
    Notes notes = judge(i(1).event("e2").supersedes("e1"));
    assertThat(notes.decision("i1"))
        .containsEntry("decision", "CORRECTION")
        .containsEntry("in_history", true)
        .containsEntry("reason", "first reception of its key, supersedes e1");
    assertThat(notes.book("events", "CORRECTION")).isEqualTo(1);
  }

  @Test
  void aGreaterRevisionIsACorrection() {
    Run run = Run.undecided().source("{source: S, identity: {revision: /payload/rev}}");
    Notes notes =
        Story.in(run)
            .afterSmallerRevision()
            .receive(i(1).revision("2.0").named("2.0"), i(2).revision("2").named("2"))
            .tell();
    assertThat(notes.decision("i1"))
        .containsEntry("decision", "CORRECTION")
        .containsEntry("reason", "first reception of its revision, supersedes a smaller one")
        .containsEntry("key", "{\"revision\":\"2\",\"source\":\"S\",\"source_event_id\":\"e1\"}");
    assertThat(notes.decision("i2")).containsEntry("decision", "EXACT_DUPLICATE");
    assertThat(
            Story.in(Run.undecided().source("{source: S, identity: {revision: /payload/rev}}"))
                .receive(i(1).revision("1").named("1"))
                .tell()
                .decision("i1"))
        .containsEntry("decision", "ACCEPTED");
  }

  @Test
  void theScopeStandsInTheKey() {
    // C02
    Run run = Run.undecided().source("{source: '*', identity: {scope: [instrument]}}");
    Notes notes = Story.in(run).receive(i(1).scope("AAA").named("AAA")).tell();
    assertThat(notes.decision("i1"))
        .containsEntry(
            "key", "{\"instrument\":\"AAA\",\"source\":\"S\",\"source_event_id\":\"e1\"}");
  }

  @Test
  void columnsThatTellConflictsApartAreCounted() {
    Notes notes =
        judge(
            i(1).hash("a").topic("t").businessKey("b"),
            i(2).hash("b").topic("u").businessKey("b"),
            i(3).hash("a").topic("t").partition("p9").businessKey("b"));
    assertThat(notes.tally().sum(CheckTally.CONFLICTS_APART, "S", "topic")).isEqualTo(1);
    assertThat(notes.tally().sum(CheckTally.CONFLICTS_APART, "S", "business_key")).isZero();
    assertThat(notes.tally().sum(CheckTally.DUPLICATES_APART, "S", "partition")).isEqualTo(1);
    assertThat(notes.tally().sum(CheckTally.DUPLICATES_APART, "S", "topic")).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"1, false", "7, true", "-, true", "'', true"})
  void schemaVersionsAreKnownByTheContract(String version, boolean unknown) {
    // C44
    Run run = Run.undecided().source("{source: S, schema_versions: ['1']}");
    Notes notes = Story.in(run).receive(i(1).schema(version)).tell();
    assertThat(notes.decision("i1"))
        .containsEntry("decision", "ACCEPTED")
        .containsEntry("flags", unknown ? List.of("UNKNOWN_SCHEMA_VERSION") : List.of());
    assertThat(notes.tally().sum(CheckTally.UNKNOWN_SCHEMA, "S", version))
        .isEqualTo(unknown ? 1 : 0);
    assertThat(notes.judged(Kind.UNKNOWN_SCHEMA_VERSION)).isEqualTo(1);
  }

  /** Keys come in any order of time: that of their hashes. */
  @ParameterizedTest
  @CsvSource({
    "i1 i2 i3, i1, i3",
    "i3 i2 i1, i1, i3",
    "i2 i1 i3, i1, i3",
    "i2 i3 i1, i1, i3",
    "i1, i1, i1",
  })
  void aSchemaVersionIsSeenFromItsFirstReceptionToItsLast(String order, String from, String to) {
    RunFacts facts = Run.undecided().facts();
    Notes notes = new Notes();
    IdentityJudge judge = new IdentityJudge(facts, notes);
    for (String id : order.split(" ", -1)) {
      // beside a later version, and with a repeat that moves neither end
      for (Receptions first :
          List.of(
              i(id.charAt(1) - '0').event(id),
              Receptions.of("x" + id).at("11:00:00").schema("2"))) {
        judge.begin(first.event(id).key(), facts.spec().contract("S"), false);
        judge.next(first.get(), IdentityJudge.Copies.SINGLE, null);
        Receptions repeat = Receptions.of("r" + id).event(id).at("11:30:00").schema("1");
        judge.next(repeat.get(), IdentityJudge.Copies.SINGLE, null);
        judge.end();
      }
    }
    KeyReader earliest = new KeyReader(notes.tally().min(CheckTally.SCHEMA_FIRST, "S", "1"));
    assertThat(earliest.instant()).isEqualTo(Times.at("10:00:0" + from.charAt(1)));
    assertThat(earliest.text()).isEqualTo(from);
    KeyReader latest = new KeyReader(notes.tally().max(CheckTally.SCHEMA_LAST, "S", "1"));
    assertThat(latest.instant()).isEqualTo(Times.at("10:00:0" + to.charAt(1)));
    assertThat(new KeyReader(notes.tally().min(CheckTally.SCHEMA_FIRST, "S", "2")).instant())
        .isEqualTo(Times.at("11:00:00"));
  }

  @Test
  void anyVersionIsKnownWhereNoneIsListed() {
    assertThat(judge(i(1).schema(null)).decision("i1")).containsEntry("flags", List.of());
  }

  @Test
  void schemaVersionsOfOtherDaysAreEvidence() {
    Run run =
        Run.undecided()
            .source("{source: S, schema_versions: ['1']}")
            .judging("11:00:00", "12:00:00");
    Notes notes = Story.in(run).receive(i(1).schema("7")).tell();
    assertThat(notes.tally().sum(CheckTally.UNKNOWN_SCHEMA, "S", "7")).isZero();
    assertThat(notes.notJudged(Kind.UNKNOWN_SCHEMA_VERSION, EffectJudge.OUTSIDE)).isEqualTo(1);
  }

  @Test
  void aDeclaredHashIsCheckedUnderItsOwnRule() {
    ContentHash content = mismatch("c0", "raw-bytes/1", "aa", "bb");
    Notes notes = judge(i(1).content(content), i(2).content(recomputed("c0")));
    Finding finding = notes.finding(Kind.PAYLOAD_HASH_MISMATCH);
    assertThat(finding.subject()).isEqualTo("{\"ingestion_id\":\"i1\"}");
    assertThat(finding.reason())
        .isEqualTo("The declared hash is not that of the content under its own rule");
    assertThat(finding.rule()).isEqualTo("raw-bytes/1");
    assertThat(finding.expected()).isEqualTo("{\"hash\":\"aa\",\"hash_rule\":\"raw-bytes/1\"}");
    assertThat(finding.actual())
        .startsWith("{\"hash\":\"bb\",\"hash_rule\":\"raw-bytes/1\",\"key\":");
    assertThat(notes.decision("i2")).containsEntry("decision", "EXACT_DUPLICATE");
    assertThat(notes.judged(Kind.PAYLOAD_HASH_MISMATCH)).isEqualTo(1);
  }

  @Test
  void aMismatchOfAHeuristicKeyShowsTheHashNotTheFingerprint() {
    Notes notes = judge(i(1).fingerprint("f").content(mismatch("c0", "jcs-exact/1", "aa", "c0")));
    assertThat(notes.finding(Kind.PAYLOAD_HASH_MISMATCH).actual())
        .startsWith("{\"hash\":\"c0\",\"hash_rule\":\"jcs-exact/1\"");
  }

  @Test
  void aHashThatNobodyCanCheckIsNotJudged() {
    Notes notes = judge(i(1).content(declared("md5", "m")));
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.decision("i1")).containsEntry("flags", List.of("HASH_UNVERIFIABLE"));
    assertThat(notes.notJudged(Kind.PAYLOAD_HASH_MISMATCH, "declared hash not verifiable"))
        .isEqualTo(1);
    assertThat(notes.judged(Kind.PAYLOAD_HASH_MISMATCH)).isZero();
  }

  @Test
  void aNumberThatTheRuleCannotHoldIsFlagged() {
    ContentHash unsafe = new ContentHash("jcs-exact/1", "h", true, "jcs/1", "d", null, true, true);

    assertThat(judge(i(1).content(unsafe)).decision("i1"))
        .containsEntry("flags", List.of("HASH_UNSAFE_NUMBER", "HASH_UNVERIFIABLE"));
  }

  // Recorded decisions

  private static final String MAPPED =
      "cut: 2026-01-05T12:00:00Z, values: {new: ACCEPTED, fix: CORRECTION}";

  @ParameterizedTest
  @CsvSource({
    "ACCEPTED, ACCEPTED, false, true",
    "CORRECTION, ACCEPTED, false, true",
    "ACCEPTED, CORRECTION, false, true",
    "CORRECTION, ACCEPTED, true, false",
    "ACCEPTED, CORRECTION, true, false",
    "LATE, ACCEPTED, true, true",
    "FUTURE, CORRECTION, true, true",
    "EXACT_DUPLICATE, ACCEPTED, false, false",
    "CONFLICTING_DUPLICATE, ACCEPTED, false, false",
    "EXACT_DUPLICATE, EXACT_DUPLICATE, false, true",
    "ACCEPTED, EXACT_DUPLICATE, false, false",
    "LATE, EXACT_DUPLICATE, false, false",
    "CONFLICTING_DUPLICATE, EXACT_DUPLICATE, false, false",
    "CONFLICTING_DUPLICATE, CONFLICTING_DUPLICATE, false, true",
    "EXACT_DUPLICATE, CONFLICTING_DUPLICATE, false, false",
  })
  void recordedAndRecomputedAgree(
      String recorded, Decision recomputed, boolean bothMapped, boolean agree) {
    Run run = Run.standard();
    if (bothMapped) {
      run.archive(Input.DECISIONS, MAPPED);
    }
    Story story = Story.in(run);
    switch (recomputed) {
      case CORRECTION -> story.receive(i(2).supersedes("e0"));
      case EXACT_DUPLICATE -> story.receive(i(1), i(2)).recorded("i1", "ACCEPTED");
      case CONFLICTING_DUPLICATE -> story.receive(i(1), i(2).hash("b")).recorded("i1", "ACCEPTED");
      default -> story.receive(i(2));
    }
    Notes notes = story.recorded("i2", recorded).tell();
    assertThat(notes.decision("i2")).containsEntry("decision", recomputed.name());
    assertThat(notes.findings(Kind.DECISION_MISMATCH)).hasSize(agree ? 0 : 1);
    assertThat(notes.findings(Kind.DECISION_MISSING)).isEmpty();
    if (!agree) {
      assertThat(notes.finding(Kind.DECISION_MISMATCH).reason())
          .isEqualTo("Recorded as " + recorded + ", recomputed as " + recomputed);
    }
  }

  @Test
  void aForgottenDuplicateIsAsFarAwayAsItIs() {
    // C19
    Notes notes =
        Story.in(Run.standard())
            .receive(
                Receptions.of("i1").at("2026-01-01T08:00:00"),
                Receptions.of("i2").at("2026-01-05T09:00:00"))
            .recorded("i1", "ACCEPTED")
            .recorded("i2", "ACCEPTED")
            .tell();
    Finding finding = notes.finding(Kind.DECISION_MISMATCH);
    assertThat(finding.subject()).isEqualTo("{\"ingestion_id\":\"i2\"}");
    assertThat(finding.expected())
        .contains("\"against\":\"i1\"", "\"decision\":\"EXACT_DUPLICATE\"")
        .contains("\"distance\":\"PT97H\"");
    assertThat(finding.actual())
        .isEqualTo("{\"decision\":\"ACCEPTED\",\"reason\":\"why\",\"rule_version\":\"v1\"}");
    assertThat(notes.judged(Kind.DECISION_MISMATCH)).isEqualTo(2);
    assertThat(notes.judged(Kind.DECISION_MISSING)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "11:50:00, true, 0, 0",
    "11:50:00.000000001, false, 1, 0",
    "00:00:00, true, 0, 0",
    "2026-01-04T23:59:59.999999999, false, 0, 1",
  })
  void aMissingDecisionHasItsHorizons(String received, boolean found, int inFlight, int out) {
    Run run =
        Run.standard()
            .archive(Input.DECISIONS, "start: 2026-01-05T00:00:00Z, cut: 2026-01-05T12:00:00Z");
    Notes notes = Story.in(run).receive(Receptions.of("i1").at(received)).tell();
    assertThat(notes.findings(Kind.DECISION_MISSING)).hasSize(found ? 1 : 0);
    assertThat(notes.silent(Kind.DECISION_MISSING, Standing.IN_FLIGHT)).isEqualTo(inFlight);
    assertThat(notes.silent(Kind.DECISION_MISSING, Standing.OUT_OF_HORIZON)).isEqualTo(out);
    if (found) {
      Finding finding = notes.finding(Kind.DECISION_MISSING);
      assertThat(finding.reason()).isEqualTo("No decision is recorded about this reception");
      assertThat(finding.hints()).containsExactly("retention unknown");
    }
  }

  @Test
  void aCopyNeedsNoDecisionAndAConflictIsNotJudged() {
    Notes copies =
        Story.in(Run.standard())
            .receive(i(1).copy("x"), i(1).copy("y"))
            .recorded("i1", "ACCEPTED")
            .tell();
    assertThat(copies.findings()).isEmpty();
    assertThat(copies.judged(Kind.DECISION_MISMATCH)).isEqualTo(1);
    Notes conflict =
        Story.in(Run.standard())
            .receive(i(1).hash("a").copy("x"), i(1).hash("b").copy("y"))
            .recorded("i1", "ACCEPTED")
            .tell();
    assertThat(conflict.kinds()).containsExactly("ARCHIVE_CONFLICT");
    assertThat(conflict.notJudged(Kind.DECISION_MISMATCH, "several contents of the ingestion_id"))
        .isEqualTo(2);
  }

  @Test
  void decisionsWithoutAnyTimeSayNothingOfMissingOnes() {
    Run run = Run.standard().archive(Input.DECISIONS, "");
    Notes notes = Story.in(run).receive(i(1)).tell();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.notJudged(Kind.DECISION_MISSING, "cut of decisions unknown")).isEqualTo(1);
  }

  @Test
  void anEmptyInputJudgesNothing() {
    Notes notes = Story.in(Run.standard().empty(Input.DECISIONS)).receive(i(1)).tell();
    assertThat(notes.findings()).isEmpty();
    assertThat(notes.notJudged(Kind.DECISION_MISMATCH, "decisions input empty")).isEqualTo(1);
    assertThat(judge(i(1)).notJudged(Kind.DECISION_MISMATCH, "decisions not configured"))
        .isEqualTo(1);
  }

  @Test
  void whatIsOutsideIsEvidence() {
    Run run = Run.standard().judging("10:00:02", "10:00:03");
    Notes notes =
        Story.in(run)
            .receive(i(1).hash("a"), i(2).hash("b"), i(3).hash("c"))
            .recorded("i1", "EXACT_DUPLICATE")
            .recorded("i2", "ACCEPTED")
            .tell();
    assertThat(notes.kinds()).containsExactly("CONFLICTING_DUPLICATE", "DECISION_MISMATCH");
    assertThat(notes.finding(Kind.DECISION_MISMATCH).subject()).contains("i2");
    assertThat(notes.notJudged(Kind.DECISION_MISMATCH, EffectJudge.OUTSIDE)).isEqualTo(1);
    assertThat(notes.notJudged(Kind.DECISION_MISSING, EffectJudge.OUTSIDE)).isEqualTo(2);
    assertThat(notes.notJudged(Kind.CONFLICTING_DUPLICATE, EffectJudge.OUTSIDE)).isEqualTo(1);
    assertThat(notes.quarantine()).hasSize(3);
  }
}
