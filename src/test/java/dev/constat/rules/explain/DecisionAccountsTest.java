package dev.constat.rules.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.explain.ReceptionFacts.WindowFacts;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.projection.Outcome;
import dev.constat.rules.projection.Window;
import dev.constat.rules.time.Clock;
import dev.constat.rules.time.Timeliness;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why receptions are what they are; and that what is said to change it does. */
final class DecisionAccountsTest {

  private static final Instant RECEIVED = Instant.parse("2026-01-05T12:00:00Z");

  static ReceptionFacts reception(
      Decision decision, Timeliness timeliness, Instant occurredAt, Instant watermark) {
    return reception(decision, timeliness, occurredAt, watermark, ImmutableList.of());
  }

  static ReceptionFacts reception(
      Decision decision,
      Timeliness timeliness,
      Instant occurredAt,
      Instant watermark,
      ImmutableList<Flag> flags) {
    return new ReceptionFacts(
        "i2",
        "e1",
        "p0",
        occurredAt,
        occurredAt == null ? "9999" : null,
        RECEIVED,
        "7",
        "{}",
        "bbb",
        "raw-bytes/1",
        decision,
        timeliness,
        true,
        ImmutableList.of(),
        watermark,
        Duration.ofMinutes(5),
        "1",
        decision.inHistory() ? null : "i1",
        0,
        null,
        "key/1",
        flags,
        null,
        null,
        null,
        decision == Decision.CORRECTION ? "e0" : null,
        null);
  }

  @ParameterizedTest
  @CsvSource({
    "11:47:48, 11:55:00, PT7M12S", // occurred, largest of the partition before, budget that does
    "11:49:59.999999999, 11:55:00, PT5M0.000000001S",
    "2026-01-04T12:00:00Z, 11:55:00, PT23H55M"
  })
  void theBudgetThatIsNamedIsTheSmallestThatMakesItOnTime(
      String occurred, String largest, String budget) {
    Instant occurredAt = at(occurred);
    ReceptionFacts late =
        reception(
            Decision.ACCEPTED,
            Timeliness.LATE,
            occurredAt,
            at(largest).minus(Duration.ofMinutes(5)));

    Account account = DecisionAccounts.of(late, null);

    assertThat(account.why()).startsWith("Accepted as the first reception of its key, late by ");
    assertThat(account.unless())
        .containsExactly("It would have been on time with a budget of " + budget + ".");
    Duration named = Duration.parse(budget);
    assertThat(timeliness(occurredAt, largest, named)).isEqualTo(Timeliness.ON_TIME);
    assertThat(timeliness(occurredAt, largest, named.minusNanos(1))).isEqualTo(Timeliness.LATE);
  }

  private static Timeliness timeliness(Instant occurredAt, String largest, Duration budget) {
    return Clock.timeliness(
        occurredAt, RECEIVED, Clock.watermark(at(largest), budget), Duration.ofMinutes(2));
  }

  @ParameterizedTest
  @CsvSource({
    "12:02:00.000000001, , on time, PT2M0.000000001S",
    "12:26:00, 12:20:00, on time, PT26M",
    "12:26:00, 12:30:00, late, PT26M"
  })
  void theToleranceThatIsNamedIsTheSmallestThatDoes(
      String occurred, String watermark, String then, String tolerance) {
    ReceptionFacts future =
        reception(
            Decision.ACCEPTED,
            Timeliness.FUTURE,
            at(occurred),
            watermark == null ? null : at(watermark));

    assertThat(DecisionAccounts.of(future, null).unless())
        .containsExactly(
            "It would have been %s with a future tolerance of %s.".formatted(then, tolerance));
    Duration named = Duration.parse(tolerance);
    assertThat(Clock.timeliness(at(occurred), RECEIVED, null, named)).isEqualTo(Timeliness.ON_TIME);
    assertThat(Clock.timeliness(at(occurred), RECEIVED, null, named.minusNanos(1)))
        .isEqualTo(Timeliness.FUTURE);
  }

  @Test
  void whatTheTableCannotHoldIsSaidAsReceived() {
    assertThat(
            DecisionAccounts.of(reception(Decision.ACCEPTED, Timeliness.FUTURE, null, null), null)
                .why())
        .contains("claims to have happened at 9999");
    assertThat(
            DecisionAccounts.of(reception(Decision.ACCEPTED, Timeliness.LATE, null, RECEIVED), null)
                .unless())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXACT_DUPLICATE | A repeat of i1, which came PT0S before, with the same key and content.",
        "CONFLICTING_DUPLICATE | It has the key of i1, which came PT0S before, and another content",
        "ARCHIVE_COPY | The archive holds this reception attempt again",
        "ARCHIVE_CONFLICT | Its ingestion_id stands in the archive with several contents"
      })
  void whatHistoryDoesNotHoldSaysWhy(Decision decision, String begin) {
    ReceptionFacts first =
        reception(Decision.ACCEPTED, Timeliness.ON_TIME, RECEIVED, RECEIVED.minusSeconds(1));
    ReceptionFacts other = reception(decision, null, RECEIVED, null);

    assertThat(DecisionAccounts.of(other, first).why()).startsWith(begin);
    assertThat(DecisionAccounts.of(other, null).why()).isNotEmpty();
  }

  @Test
  void aCorrectionSaysOfWhat() {
    assertThat(
            DecisionAccounts.of(
                    reception(Decision.CORRECTION, Timeliness.ON_TIME, RECEIVED, null), null)
                .why())
        .isEqualTo(
            "Accepted as a correction of e0, on time: nothing of its partition had come before.");
  }

  @Test
  void anEventOfAReplayAloneHasNoPlaceInTime() {
    assertThat(DecisionAccounts.of(reception(Decision.ACCEPTED, null, RECEIVED, null), null).why())
        .contains("known by a replay alone");
  }

  @ParameterizedTest
  @CsvSource({
    "ACCEPTED, FUTURE, , ahead of its time",
    "ACCEPTED, ON_TIME, UNKNOWN_SCHEMA_VERSION, does not list schema version 7",
    "ACCEPTED, LATE, UNIT_SUSPECT, another unit of time",
    "ACCEPTED, LATE, OUT_OF_ORDER, ",
    "EXACT_DUPLICATE, , , "
  })
  void whatKeepsAnEventOutOfProjectionsIsSaid(
      Decision decision, Timeliness timeliness, Flag flag, String why) {
    String heldBack =
        DecisionAccounts.heldBack(
            reception(
                decision,
                timeliness,
                RECEIVED,
                null,
                flag == null ? ImmutableList.of() : ImmutableList.of(flag)));

    if (why == null) {
      assertThat(heldBack).isNull();
    } else {
      assertThat(heldBack).contains(why);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // watermark, allowed lateness, outcome, lateness that does, budget that does
    "11:20:00, PT5M, TOO_LATE, PT10M, PT10M",
    "11:15:00, PT5M, TOO_LATE, PT5M, PT5M",
    "11:14:59, PT5M, REFINES, , PT9M59S",
    "11:09:59, PT5M, ON_TIME, , "
  })
  void whatWouldHaveCountedInAWindowIsJustEnough(
      String watermark, String lateness, Outcome outcome, String enough, String budget) {
    Window window = new Window(at("11:00:00"), at("11:10:00"));
    Duration allowed = Duration.parse(lateness);
    assertThat(Outcome.of(at(watermark), window.end(), allowed)).isEqualTo(outcome);
    ReceptionFacts reception =
        reception(Decision.ACCEPTED, Timeliness.LATE, at("11:05:00"), at(watermark));

    Account account =
        WindowAccounts.of(
            reception, new WindowFacts("v", "1", window.start(), outcome), window, allowed, false);
    assertThat(account.why()).doesNotContain("corrections");

    if (outcome == Outcome.ON_TIME) {
      assertThat(account.unless()).isEmpty();
      return;
    }
    String all = String.join(" ", account.unless());
    Instant largest = reception.largestBefore();
    Duration named = Duration.parse(budget);
    assertThat(all).contains("budget of more than " + named);
    if (outcome == Outcome.TOO_LATE) {
      assertThat(all).contains("allowed lateness of more than " + enough);
      Duration more = Duration.parse(enough).plusNanos(1);
      assertThat(Outcome.of(at(watermark), window.end(), more)).isEqualTo(Outcome.REFINES);
      assertThat(Outcome.of(largest.minus(named), window.end(), allowed))
          .isEqualTo(Outcome.TOO_LATE);
      assertThat(Outcome.of(largest.minus(named.plusNanos(1)), window.end(), allowed))
          .isEqualTo(Outcome.REFINES);
    } else {
      assertThat(Outcome.of(largest.minus(named), window.end(), allowed))
          .isEqualTo(Outcome.REFINES);
      assertThat(Outcome.of(largest.minus(named.plusNanos(1)), window.end(), allowed))
          .isEqualTo(Outcome.ON_TIME);
    }
  }

  @ParameterizedTest
  @CsvSource({"ON_TIME, in time", "REFINES, refines", "TOO_LATE, too late"})
  void aWindowWhoseEndIsUnknownIsStillTold(Outcome outcome, String word) {
    assertThat(
            WindowAccounts.of(
                    reception(Decision.ACCEPTED, Timeliness.LATE, RECEIVED, RECEIVED),
                    new WindowFacts("v", "1", RECEIVED, outcome),
                    null,
                    null,
                    true)
                .why())
        .contains(word)
        .endsWith("It stands in a chain of corrections, of which at most one counts.");
  }

  private static Instant at(String time) {
    return Instant.parse(time.contains("T") ? time : "2026-01-05T" + time + "Z");
  }
}
