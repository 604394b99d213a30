package dev.constat.rules.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.explain.EffectAccount.Had;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.spec.Effect;
import dev.constat.rules.time.Timeliness;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why an event had its effect, or had not. */
final class EffectAccountsTest {

  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
  private static final Edges EDGES =
      new Edges(NOON, NOON.minusSeconds(3_600), NOON, NOON.minusSeconds(1_800), NOON);
  private static final Effect LIMITS = Effect.undeclared("notify");
  private static final ReceptionFacts FIRST =
      DecisionAccountsTest.reception(Decision.ACCEPTED, Timeliness.ON_TIME, NOON, null);

  private static EffectFacts row(String outcome, String status, String key, long acks) {
    boolean none = outcome.equals("MISSING") || status == null && acks == 0;
    return new EffectFacts(
        "{}",
        "notify",
        "c1",
        key,
        none ? null : "o1",
        status,
        acks,
        outcome,
        Math.max(0, acks - 1),
        outcome.equals("SURPLUS") ? "o0" : null,
        acks > 0 ? NOON : null,
        null,
        null,
        null);
  }

  private static OutboxRow sent(Status status, long attempts, int ageSeconds) {
    Instant since = NOON.minusSeconds(ageSeconds);
    boolean claimed = status == Status.PROCESSING;
    return new OutboxRow(
        "o1",
        "S",
        "e1",
        "notify",
        null,
        null,
        null,
        null,
        status,
        attempts,
        since,
        OptionalTime.ABSENT,
        claimed ? OptionalTime.at(since) : OptionalTime.ABSENT,
        claimed ? "w1" : null,
        claimed ? OptionalTime.at(since.plusSeconds(60)) : OptionalTime.ABSENT,
        status == Status.DISPATCHED ? OptionalTime.at(since) : OptionalTime.ABSENT,
        status == Status.DLQ ? OptionalTime.at(since) : OptionalTime.ABSENT,
        Revision.NONE,
        null,
        List.of(),
        new Place(1, 0, 0, 0, 0));
  }

  private static EffectAccount account(OutboxRow sent, EffectFacts... rows) {
    return account(ImmutableMap.of(), sent, rows);
  }

  private static EffectAccount account(
      ImmutableMap<String, String> heads, OutboxRow sent, EffectFacts... rows) {
    return EffectAccounts.of(
        List.of(rows),
        sent == null ? ImmutableMap.of() : ImmutableMap.of("o1", sent),
        FIRST,
        LIMITS,
        EDGES,
        heads);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // outcome, status, attempts, age in seconds, had, words, what would have changed it
        "DONE|DISPATCHED|1|60|YES|acknowledged by c1 at 2026-01-05T12:00:00Z under key k1|-",
        "DONE|PENDING|1|60|YES|the row still stands at PENDING|-",
        "NO_ACK|DISPATCHED|1|3600|NO|never acknowledged it|by 2026-01-05T11:10:00Z (grace PT10M)",
        "MISSING|-|1|60|NO|no outbox row announces it|due by 2026-01-05T12:10:00Z (grace PT10M)",
        "PENDING|PENDING|0|1800|NO|may wait for PT30M|-",
        "PENDING|PENDING|0|1801|NO|PT30M1S before the outbox ends|pending_after of PT30M1S",
        "PENDING|PENDING|5|1801|NO|after 5 attempts of 5|max_attempts of 6",
        "PENDING|PROCESSING|1|660|NO|claimed by w1 until|-",
        "PENDING|PROCESSING|1|661|NO|PT10M1S before the outbox ends|grace of PT10M1S",
        "DLQ|DLQ|5|60|NO|given up at 2026-01-05T11:59:00Z after 5 attempts|Sent again",
        "IN_FLIGHT|DISPATCHED|1|60|NOT_KNOWN|may still be on its way|beyond 2026-01-05T12:09:00Z",
        "IN_FLIGHT|-|1|60|NOT_KNOWN|no row announces it yet|beyond 2026-01-05T12:10:00Z",
        "OUT_OF_HORIZON|DISPATCHED|1|3600|NOT_KNOWN|is no longer kept|went back to 2026-01-05T11:00",
        "OUT_OF_HORIZON|-|1|60|NOT_KNOWN|its row, if there was one|outbox rows went back to",
        "SURPLUS|DISPATCHED|1|60|NOT_EXPECTED|one too many: o0 is in force|-",
        "ORPHAN|PENDING|1|60|NOT_KNOWN|cannot be told to belong|-",
        "REPLAY|DISPATCHED|1|60|NOT_KNOWN|a replay wrote row o1|-",
        "NOT_JUDGED|DISPATCHED|1|60|NOT_KNOWN|row o1 is not judged, it stands at DISPATCHED|-"
      })
  void everyOutcomeHasItsSentence(
      String outcome, String status, long attempts, int age, Had had, String why, String unless) {
    OutboxRow sent = status == null ? null : sent(Status.valueOf(status), attempts, age);
    EffectAccount account =
        account(sent, row(outcome, status, "k1", outcome.equals("DONE") ? 1 : 0));

    assertThat(account.had()).isEqualTo(had);
    assertThat(account.account().why()).contains(why).endsWith(".");
    if (unless == null) {
      assertThat(account.account().unless()).isEmpty();
    } else {
      assertThat(account.account().unless()).singleElement().asString().contains(unless);
    }
  }

  @Test
  void whatIsHeldBackNamesItsHead() {
    EffectAccount account =
        account(
            ImmutableMap.of("o1", "o0"),
            sent(Status.PENDING, 0, 7200),
            row("PENDING", "PENDING", null, 0));

    assertThat(account.account().why()).contains("held back by row o0 before it in its aggregate");
    assertThat(account.account().unless())
        .containsExactly("It could go once row o0 is delivered or given up.");
  }

  @ParameterizedTest
  @CsvSource({"DONE", "NO_ACK", "MISSING", "PENDING", "DLQ", "IN_FLIGHT", "OUT_OF_HORIZON"})
  void withoutTheRowItselfThereIsStillASentence(String outcome) {
    EffectAccount account =
        EffectAccounts.of(
            List.of(row(outcome, "PENDING", null, 0)),
            ImmutableMap.of(),
            null,
            null,
            Edges.UNKNOWN,
            ImmutableMap.of());

    assertThat(account.account().why()).endsWith(".");
  }

  @Test
  void oneConsumerWithoutAnAnswerMakesItPartly() {
    assertThat(
            account(
                    sent(Status.DISPATCHED, 1, 3_600),
                    row("DONE", "DISPATCHED", "k1", 1),
                    row("NO_ACK", "DISPATCHED", null, 0))
                .had())
        .isEqualTo(Had.PARTLY);
  }

  @Test
  void severalKeysOfOneConsumerAreNamed() {
    EffectAccount account =
        account(null, row("DONE", "DISPATCHED", "k1", 1), row("DONE", "DISPATCHED", "k2", 1));

    assertThat(account.account().why()).contains("at c1 it happened under 2 effect keys (k1, k2)");
    assertThat(account.account().unless()).singleElement().asString().contains("one effect key");
  }

  @Test
  void repeatsUnderOneKeyAreCounted() {
    assertThat(account(null, row("DONE", "DISPATCHED", "k1", 3)).account().why())
        .contains("and 2 times more");
  }

  @Test
  void anAnswerThatAppliedNothingIsToldFromNone() {
    EffectFacts nothing =
        new EffectFacts(
            "{}",
            "notify",
            "c1",
            "k1",
            "o1",
            "DISPATCHED",
            0,
            "NO_ACK",
            0,
            null,
            NOON,
            null,
            null,
            null);

    assertThat(account(null, nothing).account().why()).contains("applied nothing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "orders|LATE|-|topic is orders|With topic trades it would have been.",
        "trades|ON_TIME|NO_KEY|timeliness is ON_TIME|With timeliness LATE or absent",
        "-|LATE|NO_KEY|topic is absent|With topic trades it would have been."
      })
  void whatIsNotExpectedSaysWhichConditionFails(
      String topic, String timeliness, String flag, String why, String unless) {
    Effect entry =
        new Effect(
            "notify",
            ImmutableMap.of(
                "topic",
                new Effect.AnyOf(ImmutableSet.of("trades"), false),
                "timeliness",
                new Effect.AnyOf(ImmutableSet.of("LATE"), true)),
            null,
            LIMITS.grace(),
            LIMITS.pendingAfter(),
            LIMITS.leaseTtl(),
            5,
            false,
            false);
    ImmutableList<String> flags = flag == null ? ImmutableList.of() : ImmutableList.of(flag);

    Account account =
        Conditions.unmet(List.of(entry), name -> name.equals("topic") ? topic : timeliness, flags);

    assertThat(account.why()).contains(why);
    assertThat(account.unless()).singleElement().asString().contains(unless);
    assertThat(Conditions.hold(entry, name -> name.equals("topic") ? topic : timeliness, flags))
        .isFalse();
  }
}
