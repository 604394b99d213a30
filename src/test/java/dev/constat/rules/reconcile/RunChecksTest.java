package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is asked of a whole run: scopes, the self-check, the books. */
class RunChecksTest {

  @ParameterizedTest
  @CsvSource({
    // repeats, conflicts, apart by topic, duplicates apart by topic; hint
    "10, 10, 10, 0, true",
    "10, 6, 6, 0, true",
    "10, 5, 5, 0, false",
    "10, 6, 5, 0, false",
    "10, 6, 6, 1, false",
    "1, 1, 1, 0, true",
  })
  void aScopeMayLackAColumn(
      long repeats, long conflicts, long apart, long duplicatesApart, boolean hinted) {
    Tally tally = new Tally();
    tally.add(repeats, CheckTally.REPEATS, "S");
    tally.add(conflicts, CheckTally.CONFLICTS, "S");
    tally.add(apart, CheckTally.CONFLICTS_APART, "S", "topic");
    if (duplicatesApart > 0) {
      tally.add(duplicatesApart, CheckTally.DUPLICATES_APART, "S", "topic");
    }
    assertThat(ScopeHints.of(tally)).isEqualTo(hinted ? Map.of("S", "topic") : Map.of());
  }

  @Test
  void theFirstColumnByNameIsHinted() {
    Tally tally = new Tally();
    tally.add(2, CheckTally.REPEATS, "S");
    tally.add(2, CheckTally.CONFLICTS, "S");
    tally.add(2, CheckTally.CONFLICTS_APART, "S", "topic");
    tally.add(2, CheckTally.CONFLICTS_APART, "S", "instrument");
    tally.add(9, CheckTally.CONFLICTS_APART, "T", "a");
    assertThat(ScopeHints.of(tally)).containsExactly(Map.entry("S", "instrument"));
    assertThat(ScopeHints.hint("instrument")).isEqualTo("WRONG_SCOPE: instrument");
  }

  @ParameterizedTest
  @CsvSource({"100, 100, true", "99, 99, false", "101, 100, false", "1000, 1000, true"})
  void ifEverythingDiffersTheInputsMayNotBelongTogether(
      long judged, long found, boolean distrusted) {
    Tally tally = new Tally();
    tally.add(judged, CheckTally.JUDGED, "MISSING_ACK");
    assertThat(SelfCheck.of(tally, Map.of(Kind.MISSING_ACK, found)))
        .hasSize(distrusted ? 1 : 0)
        .allMatch(
            reason ->
                reason.equals(
                    "All "
                        + judged
                        + " subjects of MISSING_ACK differ: the two inputs may not belong"
                        + " together"));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void onlyChecksBetweenTwoInputsAreAsked(Kind kind) {
    Tally tally = new Tally();
    tally.add(100, CheckTally.JUDGED, kind.name());
    boolean asked =
        switch (kind) {
          case MISSING_OUTBOX,
              ORPHAN_OUTBOX,
              MISSING_ACK,
              ORPHAN_ACK,
              DECISION_MISMATCH,
              DECISION_MISSING,
              DECISION_ORPHAN,
              PAYLOAD_HASH_MISMATCH,
              PROJECTION_DRIFT,
              MISSING_WINDOW,
              UNEXPECTED_WINDOW ->
              true;
          default -> false;
        };
    assertThat(SelfCheck.of(tally, Map.of(kind, 100L)).isEmpty()).isEqualTo(!asked);
  }

  @Test
  void aHundredOrphansAmongOthersAreBelieved() {
    Run run = Run.standard().effect("{type: notify}");
    Notes notes =
        Story.in(run)
            .receive(Receptions.of("i1").at("10:00:00"))
            .recorded("i1", "ACCEPTED")
            .rows(Rows.of("o1").acks(Acks.at("10:00:02", "k")))
            .tell();
    RunFacts facts = run.facts();
    EffectJudge effects = new EffectJudge(facts, notes);
    for (int i = 0; i < 100; i++) {
      effects.orphanAck(Acks.at("10:00:02", "k").id("a" + i).get("gone"));
    }
    assertThat(notes.findings(Kind.ORPHAN_ACK)).hasSize(100);
    assertThat(SelfCheck.of(notes.tally(), Map.of(Kind.ORPHAN_ACK, 100L))).isEmpty();
  }

  /** A small run with something of everything. */
  private static Notes everything() {
    Run run = Run.standard().effect("{type: notify, consumers: [c1]}");
    Notes notes =
        Story.in(run)
            .receive(
                Receptions.of("i1").at("10:00:00"),
                Receptions.of("i1").at("10:00:00").copy("x"),
                Receptions.of("i2").at("10:00:01").hash("b"),
                Receptions.of("i3").at("10:00:02"))
            .recorded("i1", "ACCEPTED")
            .rows(
                Rows.of("o1").acks(Acks.at("10:00:02", "k"), Acks.at("10:00:03", "k")),
                Rows.of("o2").created("10:00:02").pending(),
                Rows.of("o3").type("x"))
            .tell();
    Tally tally = notes.tally();
    tally.add(4, ReadTally.ROWS, "events");
    tally.add(4, ReadTally.USABLE, "events");
    for (String line : new String[] {"kept", "rows"}) {
      tally.add(3, CheckTally.BOOK, "outbox", line);
    }
    tally.add(1, CheckTally.TIMELINESS, "S", "1", "ON_TIME");
    tally.add(3, ReadTally.ROWS, "outbox");
    tally.add(2, ReadTally.ROWS, "acknowledgements");
    tally.add(2, CheckTally.BOOK, "acknowledgements", "kept");
    tally.add(1, ReadTally.ROWS, "decisions");
    tally.add(1, CheckTally.BOOK, "decisions", "kept");
    return notes;
  }

  private static Map<String, Book> books(Tally tally) {
    return Books.of(Run.standard().effect("{type: notify, consumers: [c1]}").spec(), tally).stream()
        .collect(java.util.stream.Collectors.toMap(Book::name, book -> book));
  }

  @Test
  void booksBalance() {
    Map<String, Book> books = books(everything().tally());
    assertThat(books)
        .containsOnlyKeys(
            "events read",
            "events in time",
            "outbox read",
            "acknowledgements read",
            "decisions read",
            "events kept",
            "events accepted",
            "effects notify",
            "outbox kept",
            "outbox rows",
            "outbox states",
            "acknowledgements kept",
            "deliveries of notify by c1");
    books.forEach((name, book) -> assertThat(book.residue()).as(name).isZero());
    assertThat(books.get("events read").total()).isEqualTo(4);
    assertThat(books.get("events kept").total()).isEqualTo(3);
    assertThat(books.get("outbox rows").total()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "events, ACCEPTED, events accepted",
    "events, keys, effects notify",
    "outbox row, matched, outbox rows",
    "states, WAITING, outbox states",
    "acks, repeats, acknowledgements kept",
    "outbox, older versions, outbox kept",
    "decisions, ARCHIVE_COPY, decisions read",
  })
  void aLineTooManyLeavesAResidue(String book, String line, String name) {
    Tally tally = everything().tally();
    tally.add(1, CheckTally.BOOK, book, line);
    assertThat(books(tally).get(name).residue()).isNotZero();
  }

  @Test
  void everyRowReadIsAccountedFor() {
    Tally tally = new Tally();
    tally.add(15, ReadTally.ROWS, "outbox");
    tally.add(1, ReadTally.UNREADABLE_ROWS, "outbox");
    tally.add(2, ReadTally.UNDECIDED, "outbox");
    tally.add(3, ReadTally.AFTER_AS_OF, "outbox");
    tally.add(4, ReadTally.BEFORE_LOOK_BACK, "outbox");
    tally.add(5, CheckTally.BOOK, Input.OUTBOX.key(), "ARCHIVE_COPY");
    assertThat(books(tally).get("outbox read").residue()).isZero();
    tally.add(1, ReadTally.ROWS, "outbox");
    assertThat(books(tally).get("outbox read").residue()).isEqualTo(1);
  }
}
