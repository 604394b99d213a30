package dev.constat.rules.synthesis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.findings.Kind;
import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;
import dev.constat.rules.synthesis.SyntheticTable.Column;
import dev.constat.rules.synthesis.SyntheticTable.Type;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an archive holds of each fault, and that it is the same however it is cut. */
class SyntheticArchiveTest {

  private static final long SEED = 11;

  /** What one event with a fault brings with it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // fault | receptions, rows, acks, decisions, cells, replays, strays | what is to be found
        "EXACT_DUPLICATE             | 2 1 1 0 0 0 0 |",
        "ARCHIVE_COPY                | 2 1 1 0 0 0 0 |",
        "CLOCK_AHEAD                 | 1 1 1 0 0 0 0 |",
        "CORRECTION                  | 2 2 2 0 0 0 0 |",
        "CONFLICTING_DUPLICATE       | 2 1 1 0 0 0 0 | CONFLICTING_DUPLICATE",
        "ARCHIVE_CONFLICT            | 2 1 1 0 0 0 0 | ARCHIVE_CONFLICT",
        "PAYLOAD_HASH_MISMATCH       | 1 1 1 0 0 0 0 | PAYLOAD_HASH_MISMATCH",
        "IDENTITY_DRIFT              | 2 2 2 0 0 0 0 | SUSPECTED_IDENTITY_DRIFT",
        "UNKNOWN_SCHEMA_VERSION      | 1 1 1 0 0 0 0 | UNKNOWN_SCHEMA_VERSION",
        "SCHEMA_VERSION_APPEARED     | 2 2 2 0 0 0 0 | SCHEMA_VERSION_APPEARED",
        "CONTRACT_DRIFT              | 2 2 2 0 0 0 0 | CONTRACT_DRIFT",
        "UNIT_SUSPECT                | 1 1 1 0 0 0 0 | UNIT_SUSPECT",
        "ZONE_SUSPECT                | 20 20 20 0 0 0 0 | ZONE_SUSPECT",
        "SEQUENCE_GAP                | 4 4 4 0 0 0 0 | SEQUENCE_GAP",
        "SEQUENCE_RESET              | 5 5 5 0 0 0 0 | SEQUENCE_RESET",
        "BROKEN_CHAIN                | 1 1 1 0 0 0 0 | BROKEN_CHAIN",
        "CORRECTION_BEFORE_TARGET    | 2 2 2 0 0 0 0 | CORRECTION_BEFORE_TARGET",
        "CORRECTION_FORK             | 3 3 3 0 0 0 0 | CORRECTION_FORK",
        "CORRECTION_CYCLE            | 2 2 2 0 0 0 0 | CORRECTION_CYCLE",
        "MISSING_OUTBOX              | 1 0 0 0 0 0 0 | MISSING_OUTBOX",
        "ORPHAN_OUTBOX               | 1 2 2 0 0 0 0 | ORPHAN_OUTBOX",
        "SURPLUS_OUTBOX              | 1 2 2 0 0 0 0 | SURPLUS_OUTBOX REDELIVERY",
        "STATE_CONFLICT              | 1 2 1 0 0 0 0 | STATE_CONFLICT",
        "IMPOSSIBLE_STATE            | 1 1 1 0 0 0 0 | IMPOSSIBLE_STATE",
        "STUCK_PENDING               | 1 1 0 0 0 0 0 | STUCK_PENDING",
        "STUCK_LEASE                 | 1 1 0 0 0 0 0 | STUCK_LEASE",
        "IMPLICIT_DLQ                | 1 1 0 0 0 0 0 | IMPLICIT_DLQ",
        "ACKED_NOT_TERMINAL          | 1 1 1 0 0 0 0 | ACKED_NOT_TERMINAL",
        "DLQ                         | 1 1 0 0 0 0 0 | DLQ",
        "RETRY_LIMIT_EXCEEDED        | 1 1 1 0 0 0 0 | RETRY_LIMIT_EXCEEDED",
        "IMPLAUSIBLE_LEASE           | 1 1 1 0 0 0 0 | IMPLAUSIBLE_LEASE",
        "UNDECLARED_EFFECT           | 1 2 1 0 0 0 0 | UNDECLARED_EFFECT",
        "LEASE_OVERLAP               | 1 3 1 0 0 0 0 | LEASE_OVERLAP",
        "BLOCKED_BY_HEAD             | 2 2 0 0 0 0 0 | STUCK_LEASE BLOCKED_BY_HEAD",
        "ORDER_VIOLATION             | 2 2 2 0 0 0 0 | ORDER_VIOLATION",
        "DEAD_LETTER_RESUBMITTED     | 2 2 2 0 0 0 0 | ORDER_VIOLATION",
        "MISSING_ACK                 | 1 1 0 0 0 0 0 | MISSING_ACK",
        "ORPHAN_ACK                  | 1 1 2 0 0 0 0 | ORPHAN_ACK",
        "REDELIVERY                  | 1 1 2 0 0 0 0 | REDELIVERY",
        "DOUBLE_EFFECT               | 1 1 2 0 0 0 0 | DOUBLE_EFFECT",
        "UNEXPECTED_CONSUMER         | 1 1 2 0 0 0 0 | UNEXPECTED_CONSUMER",
        "INGESTION_ID_REUSED         | 2 2 2 1 0 0 0 | INGESTION_ID_REUSED",
        "DECISION_MISMATCH           | 2 1 1 2 0 0 0 | DECISION_MISMATCH",
        "DECISION_MISSING            | 1 1 1 0 0 0 0 | DECISION_MISSING",
        "DECISION_ORPHAN             | 1 1 1 2 0 0 0 | DECISION_ORPHAN",
        "RECORDED_CELL               | 2 2 2 0 1 0 0 |",
        "PROJECTION_DRIFT            | 2 2 2 0 1 0 0 | PROJECTION_DRIFT",
        "MISSING_WINDOW              | 2 2 2 0 0 0 0 | MISSING_WINDOW",
        "UNEXPECTED_WINDOW           | 1 1 1 0 1 0 0 | UNEXPECTED_WINDOW",
        "NON_DETERMINISTIC_PROJECTION| 2 2 2 0 2 0 0 | NON_DETERMINISTIC_PROJECTION",
        "UNAUTHORISED_REPLAY_EFFECT  | 2 1 2 0 0 1 0 | UNAUTHORISED_REPLAY_EFFECT",
        "REPLAY_OUT_OF_SCOPE         | 4 2 3 0 0 1 0 | REPLAY_OUT_OF_SCOPE REDELIVERY",
        "REPLAY_OVERLAP              | 7 3 3 0 0 2 0 | REPLAY_OVERLAP",
        "REPLAY_ORDER                | 4 2 2 0 0 1 0 | REPLAY_ORDER",
        "REPLAY_PARTIAL              | 4 3 3 0 0 1 0 | REPLAY_PARTIAL",
        "UNZONED_TIMESTAMP           | 0 1 1 0 0 0 1 | UNZONED_TIMESTAMP",
        "UNKNOWN_COLUMN              | 0 1 1 0 0 0 1 | INPUT_NOTE",
        "UNREADABLE_RECORD           | 0 0 0 0 0 0 1 |",
      })
  void aFaultBringsRecordsAndTruth(Fault fault, String counts, String kinds) {
    SyntheticArchive archive = new SyntheticArchive(Profiles.always(fault), SEED, 1);

    List<Long> found = new ArrayList<>();
    for (SyntheticTable table : SyntheticTable.values()) {
      found.add((long) all(archive, table).size());
    }
    List<Stray> strays = new ArrayList<>();
    archive.strays(strays::add);
    found.add((long) strays.size());
    assertThat(found.stream().map(String::valueOf).collect(joining(" "))).isEqualTo(counts);
    assertThat(truth(archive, 1).stream().map(line -> line.kind().name()).collect(joining(" ")))
        .isEqualTo(kinds == null ? "" : kinds);
  }

  @Test
  void whatTheContentsOfAnArchiveCanLeadToIsPlanted() {
    EnumSet<Kind> kinds = EnumSet.noneOf(Kind.class);
    truth(new SyntheticArchive(Profiles.all(), SEED, 500), 500)
        .forEach(line -> kinds.add(line.kind()));
    kinds.add(SyntheticArchive.unreadable(1).kind());

    assertThat(EnumSet.complementOf(kinds)).containsExactly(Kind.NO_INPUT);
  }

  @Test
  void nothingIsToBeFoundTwiceUnlessItIsShared() {
    Set<String> lines = new HashSet<>();
    for (TruthLine line : truth(new SyntheticArchive(Profiles.all(), SEED, 3_000), 3_000)) {
      assertThat(lines.add(line.json()) || line.shared()).as(line.json()).isTrue();
    }
    assertThat(lines).hasSizeGreaterThan(500);
  }

  @Test
  void aTruthLineIsAFindingInShort() {
    SyntheticArchive archive = new SyntheticArchive(Profiles.always(Fault.DLQ), SEED, 1);
    String row = new String(all(archive, SyntheticTable.OUTBOX).get(0).text(0), UTF_8);

    assertThat(truth(archive, 1).get(0).json())
        .isEqualTo(
            "{\"kind\":\"DLQ\",\"level\":\"warning\",\"subject\":{\"outbox_id\":\"" + row + "\"}}");
  }

  @ParameterizedTest
  @EnumSource(SyntheticTable.class)
  void recordsStandInTheOrderOfTheirTime(SyntheticTable table) {
    List<SyntheticRecord> records = all(new SyntheticArchive(Profiles.all(), SEED, 2_000), table);

    assertThat(records).hasSizeGreaterThan(10);
    assertThat(records.stream().map(each -> each.number(table.clock())).toList()).isSorted();
  }

  @ParameterizedTest
  @EnumSource(SyntheticTable.class)
  void partsAreTheWholeHoweverItIsCut(SyntheticTable table) {
    Profile profile = Profiles.all();
    List<String> whole =
        texts(table, new SyntheticArchive(profile, SEED, 2_000), 0, Long.MAX_VALUE);
    long start = new SyntheticArchive(profile, SEED, 2_000).happens(0);
    for (long length : new long[] {7_000_001, 60_000_000, 1_000_000_000}) {
      SyntheticArchive archive = new SyntheticArchive(profile, SEED, 2_000);
      List<String> parts = new ArrayList<>();
      long from = start;
      for (; from < archive.happens(2_000); from += length) {
        parts.addAll(texts(table, archive, from, from + length));
      }
      parts.addAll(texts(table, archive, from, Long.MAX_VALUE));
      assertThat(parts).isEqualTo(whole);
    }
  }

  @Test
  void truthIsTheSameHoweverItIsCut() {
    SyntheticArchive archive = new SyntheticArchive(Profiles.all(), SEED, 2_000);
    List<TruthLine> parts = new ArrayList<>();
    for (long from = 0; from < 2_000; from += 333) {
      archive.truth(from, Math.min(2_000, from + 333), parts::add);
    }

    assertThat(parts).isEqualTo(truth(archive, 2_000));
  }

  @Test
  void anotherSeedIsAnotherArchiveOfTheSameKind() {
    SyntheticArchive one = new SyntheticArchive(Profiles.all(), 1, 2_000);
    SyntheticArchive other = new SyntheticArchive(Profiles.all(), 2, 2_000);

    assertThat(texts(SyntheticTable.EVENTS, other, 0, Long.MAX_VALUE))
        .hasSameSizeAs(texts(SyntheticTable.EVENTS, one, 0, Long.MAX_VALUE))
        .doesNotContainAnyElementsOf(texts(SyntheticTable.EVENTS, one, 0, Long.MAX_VALUE));
  }

  @Test
  void moreEventsLeaveThoseBeforeAsTheyAre() {
    List<String> small =
        texts(
            SyntheticTable.OUTBOX, new SyntheticArchive(Profiles.all(), 1, 500), 0, Long.MAX_VALUE);
    List<String> large =
        texts(
            SyntheticTable.OUTBOX, new SyntheticArchive(Profiles.all(), 1, 900), 0, Long.MAX_VALUE);

    assertThat(large).containsAll(small);
  }

  private static List<TruthLine> truth(SyntheticArchive archive, long events) {
    List<TruthLine> lines = new ArrayList<>();
    archive.truth(0, events, lines::add);
    return lines;
  }

  private static List<SyntheticRecord> all(SyntheticArchive archive, SyntheticTable table) {
    List<SyntheticRecord> records = new ArrayList<>();
    archive.records(table, 0, Long.MAX_VALUE, each -> records.add(each.copy()));
    return records;
  }

  private static List<String> texts(
      SyntheticTable table, SyntheticArchive archive, long from, long to) {
    List<Column> columns = table.columns(Profiles.all());
    List<String> texts = new ArrayList<>();
    archive.records(
        table,
        from,
        to,
        each -> {
          StringBuilder text = new StringBuilder();
          for (int i = 0; i < columns.size(); i++) {
            Type type = columns.get(i).type();
            boolean isText = type == Type.TEXT || type == Type.JSON;
            text.append('|');
            if (each.has(i)) {
              text.append(isText ? new String(each.text(i), UTF_8) : Long.toString(each.number(i)));
            }
          }
          texts.add(text.toString());
        });
    return texts;
  }
}
