package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeFindingsTest {

  private static final ImmutableList<String> POINTERS = ImmutableList.of("/px", "/qty");
  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  private final List<Consumer<TimeCounts>> notes = new ArrayList<>();

  private static Place place(int position) {
    return new Place(0, 0, 0, position, 0);
  }

  /** An event that stands where its number sends it. */
  private TimeFindingsTest event(
      int number, String version, Instant occurred, Instant received, String px, String qty) {
    Timeliness timeliness = Clock.timeliness(occurred, received, null, Duration.ofMinutes(2));
    String repair = UnitSuspect.repair(occurred, received, timeliness, Duration.ofMinutes(5));
    List<String> values = new ArrayList<>();
    Collections.addAll(values, px, qty, "key");
    notes.add(
        counts ->
            counts.note(
                "S",
                version,
                occurred,
                received,
                timeliness,
                repair,
                values,
                place(number),
                "i" + number));
    return this;
  }

  private TimeFindingsTest event(int number, Instant occurred, Instant received) {
    return event(number, "1", occurred, received, "1", null);
  }

  private List<Finding> findings() {
    Tally whole = new Tally();
    TimeCounts counts = new TimeCounts(POINTERS);
    notes.forEach(note -> note.accept(counts));
    counts.flush(whole);
    counts.flush(whole);

    List<Consumer<TimeCounts>> shuffled = new ArrayList<>(notes);
    Collections.shuffle(shuffled, new Random(4));
    Tally parts = new Tally();
    for (Consumer<TimeCounts> note : shuffled) {
      note.accept(counts);
      Tally part = new Tally();
      counts.flush(part);
      parts.merge(Tally.fromBytes(part.toBytes()));
    }
    assertThat(parts.toBytes()).isEqualTo(whole.toBytes());
    return TimeFindings.of(whole);
  }

  @Test
  void aChangeOfUnitIsSuspectAndADrift() {
    // C29
    event(1, Instant.parse("2026-01-05T10:00:00Z"), Times.at("10:00:01"));
    event(2, Instant.parse("+57983-09-01T18:40:00Z"), Times.at("10:01:01"));
    event(3, Instant.parse("1970-01-01T00:29:27.607200Z"), Times.at("10:02:01"));
    event(4, Instant.parse("1970-01-01T00:29:27.607201Z"), Times.at("10:00:00"));

    List<Finding> findings = findings();
    assertThat(findings)
        .extracting(Finding::kind)
        .containsExactly(Kind.UNIT_SUSPECT, Kind.UNIT_SUSPECT, Kind.CONTRACT_DRIFT);
    assertThat(findings).extracting(Finding::occurrences).containsExactly(2L, 1L, 3L);
    assertThat(findings)
        .extracting(Finding::subject)
        .containsExactly(
            "{\"factor\":\"*1000000\",\"schema_version\":\"1\",\"source\":\"S\"}",
            "{\"factor\":\"/1000\",\"schema_version\":\"1\",\"source\":\"S\"}",
            "{\"schema_version\":\"1\",\"source\":\"S\"}");
    Finding times = findings.get(0);
    assertThat(times.kind().level()).isEqualTo(Level.WARNING);
    assertThat(times.evidence()).containsExactly(place(4));
    assertThat(times.firstAt()).isEqualTo(Times.at("10:00:00"));
    assertThat(times.lastAt()).isEqualTo(Times.at("10:02:01"));
    assertThat(times.actual()).isEqualTo("{\"accepted\":4,\"events\":2}");
    Finding drift = findings.get(2);
    assertThat(drift.evidence()).containsExactly(place(1), place(2), place(4));
    assertThat(drift.actual()).isEqualTo("{\"plausible\":1,\"unit_suspect\":3}");
    assertThat(drift.reason())
        .isEqualTo("Some times would be right in another unit while others are right as they are");
  }

  @Test
  void aWrongUnitFromTheBeginningIsNoDrift() {
    event(1, Instant.parse("1970-01-01T00:29:27.607200Z"), Times.at("10:02:01"));
    // ahead, but not by a unit: not plausible either
    event(2, Times.at("12:00:00"), Times.at("10:02:01"));
    // another version is another contract, and so is none
    event(3, "2", Times.at("10:00:00"), Times.at("10:00:01"), null, null);
    event(4, null, Times.at("10:00:00"), Times.at("10:00:01"), null, null);
    assertThat(findings()).extracting(Finding::kind).containsExactly(Kind.UNIT_SUSPECT);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2.5, ",
    "'\"1\"', '\"\"', ",
    "1, '\"1\"', /px: number 2; string 1",
    "1, , ",
    "1, null, ",
    "null, null, ",
    "true, false, ",
    "true, 0, /px: boolean 2; number 1",
    "[], [1], ",
    "{}, [], /px: array 1; object 2",
    "-1, '{}', /px: number 2; object 1",
  })
  void aFieldOfSeveralTypesIsADrift(String a, String b, String types) {
    event(1, "1", NOON, NOON, a, "1");
    event(2, "1", NOON, NOON, b, "2");
    event(3, "1", NOON, NOON, a, null);
    // elsewhere it may be anything
    event(4, "2", NOON, NOON, "[]", null);
    event(5, null, NOON, NOON, "\"\"", null);
    List<Finding> findings = findings();
    if (types == null) {
      assertThat(findings).isEmpty();
      return;
    }
    assertThat(findings).hasSize(1);
    Finding drift = findings.get(0);
    assertThat(drift.kind()).isEqualTo(Kind.CONTRACT_DRIFT);
    assertThat(drift.subject()).isEqualTo("{\"schema_version\":\"1\",\"source\":\"S\"}");
    assertThat(drift.reason()).isEqualTo("Values of one field are of several JSON types");
    assertThat(drift.actual()).isEqualTo("{\"types\":[\"" + types.replace(';', ',') + "\"]}");
    assertThat(drift.occurrences()).isEqualTo(1);
    assertThat(drift.evidence()).containsExactly(place(1), place(2));
  }

  @Test
  void bothDriftsAreOneFinding() {
    event(1, null, NOON, NOON, "1", "1");
    event(2, null, NOON.plusSeconds(1), NOON.plusSeconds(1), "\"1\"", "1");
    event(3, null, NOON.plusSeconds(2), NOON.plusSeconds(2), "\"1\"", "{}");
    event(4, null, Instant.parse("1970-01-01T00:29:27.607200Z"), NOON, null, null);
    List<Finding> findings = findings();
    assertThat(findings)
        .extracting(Finding::kind)
        .containsExactly(Kind.UNIT_SUSPECT, Kind.CONTRACT_DRIFT);
    Finding drift = findings.get(1);
    assertThat(drift.subject()).isEqualTo("{\"schema_version\":null,\"source\":\"S\"}");
    assertThat(drift.reason())
        .isEqualTo("Times are in several units, and values of one field of several JSON types");
    assertThat(drift.actual())
        .isEqualTo(
            "{\"plausible\":3,\"types\":[\"/px: number 1, string 2\","
                + "\"/qty: number 2, object 1\"],\"unit_suspect\":1}");
    assertThat(drift.occurrences()).isEqualTo(3);
  }

  @Test
  void theFirstOfThoseReceivedAtOnceIsThatOfTheSmallestId() {
    // a surrogate pair comes after U+FFFD in UTF-8, and before it in UTF-16
    TimeCounts counts = new TimeCounts(ImmutableList.of());
    Instant occurred = Instant.parse("1970-01-01T00:29:27.607200Z");
    Instant received = Times.at("10:02:01");
    for (String id : List.of("\uD83D\uDE00", "\uFFFD")) {
      counts.note(
          "S",
          "1",
          occurred,
          received,
          Timeliness.LATE,
          "*1000000",
          List.of(),
          place(id.length()),
          id);
    }
    Tally tally = new Tally();
    counts.flush(tally);
    assertThat(TimeFindings.of(tally).get(0).evidence()).containsExactly(place(1));
  }

  @ParameterizedTest
  @CsvSource({
    "PT2H, 20, 0, true",
    "PT2H, 19, 0, false",
    "PT2H, 19, 1, true",
    "PT2H, 18, 2, false",
    "PT-5H-30M, 20, 0, true",
    "PT0S, 40, 0, false",
  })
  void aSourceInLocalTimeIsSuspect(Duration lag, int shifted, int others, boolean suspect) {
    for (int i = 0; i < shifted + others; i++) {
      Instant received = NOON.plusSeconds(i);
      event(i, received.minus(i < shifted ? lag : Duration.ZERO), received);
    }
    List<Finding> findings = findings();
    if (!suspect) {
      assertThat(findings).isEmpty();
      return;
    }
    assertThat(findings).hasSize(1);
    Finding zone = findings.get(0);
    assertThat(zone.kind()).isEqualTo(Kind.ZONE_SUSPECT);
    assertThat(zone.subject()).isEqualTo("{\"schema_version\":\"1\",\"source\":\"S\"}");
    assertThat(zone.actual())
        .isEqualTo(
            "{\"accepted\":20,\"events\":" + shifted + ",\"received_after\":\"" + lag + "\"}");
    assertThat(zone.occurrences()).isEqualTo(shifted);
    assertThat(zone.evidence()).containsExactly(place(0));
    assertThat(zone.firstAt()).isEqualTo(NOON);
    assertThat(zone.lastAt()).isEqualTo(NOON.plusSeconds(shifted - 1L));
  }
}
