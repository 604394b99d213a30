package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.spec.Effect;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EffectPolicyTest {

  private static EffectPolicy policy(String... entries) {
    Run run = Run.undecided();
    for (String entry : entries) {
      run.effect(entry);
    }
    return new EffectPolicy(run.spec());
  }

  private static Effect entry(EffectPolicy policy, Receptions event, Flag... flags) {
    EnumSet<Flag> set = EnumSet.noneOf(Flag.class);
    set.addAll(java.util.List.of(flags));
    Reception first = event.get();
    return policy.entry(
        "notify",
        new KeyVerdict(
            first.key(), "key", first, Decision.ACCEPTED, set, false, 0, first.receivedAt(), null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{} | true",
        "{topic: trades} | true",
        "{topic: other} | false",
        "{topic: [other, trades]} | true",
        "{topic: trades, source: S} | true",
        "{topic: trades, source: T} | false",
        "{business_key: null} | true",
        "{business_key: ''} | false",
        "{business_key: [null, x]} | true",
        "{topic: null} | false",
        "{topic: [null, trades]} | true",
        "{schema_version: '1'} | true",
        "{partition: p0} | true",
        "{source_sequence: null} | true",
        "{aggregate_type: acct, aggregate_id: a1} | true",
        "{source_event_id: e1} | true",
        "{ingestion_id: i1} | true",
        "{payload_hash: null, supersedes: null, supersede_reason: null, replay_id: null} | true",
        "{original_event_id: null} | true",
        "{decision: ACCEPTED} | true",
        "{decision: CORRECTION} | false",
        "{decision: [ACCEPTED, CORRECTION]} | true",
        "{flags: null} | true",
        "{flags: HEURISTIC} | false",
        "{flags: [null, HEURISTIC]} | true",
      })
  void aConditionHoldsByEquality(String when, boolean holds) {
    EffectPolicy policy = policy("{type: notify, when: " + when + "}");
    assertThat(entry(policy, Receptions.of("i1").topic("trades")) != null).isEqualTo(holds);
  }

  @ParameterizedTest
  @CsvSource({
    "HEURISTIC, true",
    "'[HEURISTIC, ORIGINAL_ABSENT]', true",
    "null, false",
    "ORIGINAL_ABSENT, false",
    "'[null, HASH_UNVERIFIABLE]', true"
  })
  void anyOfItsFlagsWillDo(String flags, boolean holds) {
    EffectPolicy policy = policy("{type: notify, when: {flags: " + flags + "}}");
    Effect found = entry(policy, Receptions.of("i1"), Flag.HEURISTIC, Flag.HASH_UNVERIFIABLE);
    assertThat(found != null).isEqualTo(holds);
  }

  @Test
  void aColumnThatTheContractLacksIsNamed() {
    EffectPolicy policy = policy("{type: notify, when: {country: FR, zone: null}}");
    assertThat(entry(policy, Receptions.of("i1").named("FR", null))).isNotNull();
    assertThat(entry(policy, Receptions.of("i1").named("FR", "x"))).isNull();
    assertThat(entry(policy, Receptions.of("i1").named(null, null))).isNull();
  }

  @Test
  void theFirstEntryThatFitsHolds() {
    EffectPolicy policy =
        policy(
            "{type: notify, when: {topic: a}, grace: PT1M}",
            "{type: notify, when: {source: S}, grace: PT2M}",
            "{type: notify, grace: PT3M}");
    assertThat(entry(policy, Receptions.of("i1").topic("a")).grace())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(entry(policy, Receptions.of("i1").topic("b")).grace())
        .isEqualTo(Duration.ofMinutes(2));
    assertThat(entry(policy, Receptions.of("i1").source("T")).grace())
        .isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void anUnknownEventHasTheMostLenientLimits() {
    Effect limits =
        policy(
                "{type: notify, when: {topic: a}, consumers: [c1, c2], grace: PT1M,"
                    + " pending_after: PT9M, lease_ttl: PT1S, max_attempts: 6}",
                "{type: notify, consumers: [c2, c3], grace: PT2M, pending_after: PT8M,"
                    + " lease_ttl: PT2S, max_attempts: 7}")
            .limits("notify");
    assertThat(limits.grace()).isEqualTo(Duration.ofMinutes(2));
    assertThat(limits.pendingAfter()).isEqualTo(Duration.ofMinutes(9));
    assertThat(limits.leaseTtl()).isEqualTo(Duration.ofSeconds(2));
    assertThat(limits.maxAttempts()).isEqualTo(7);
    assertThat(limits.consumers()).containsExactly("c2");
    assertThat(
            policy("{type: notify, when: {topic: a}, consumers: [c1]}", "{type: notify}")
                .limits("notify")
                .consumers())
        .isNull();
  }

  @Test
  void anUnknownEventKeepsOrderWhereAllEntriesDo() {
    assertThat(
            policy(
                    "{type: notify, when: {topic: a}, order: aggregate}",
                    "{type: notify, order: aggregate}")
                .limits("notify")
                .ordered())
        .isTrue();
    assertThat(
            policy("{type: notify, when: {topic: a}, order: aggregate}", "{type: notify}")
                .limits("notify")
                .ordered())
        .isFalse();
  }

  @Test
  void theOnlyEntryOfATypeLimitsIt() {
    EffectPolicy policy = policy("{type: notify, grace: PT1M, consumers: [c1]}", "{type: mail}");
    assertThat(policy.limits("notify").grace()).isEqualTo(Duration.ofMinutes(1));
    assertThat(policy.limits("notify").consumers()).containsExactly("c1");
    assertThat(policy.limits("other")).isEqualTo(Effect.undeclared("other"));
    assertThat(policy.limits(null)).isEqualTo(Effect.undeclared(null));
  }

  @Test
  void theLargestLimitsHoldWhereNoEffectIsKnown() {
    EffectPolicy policy =
        policy(
            "{type: a, grace: PT1M, pending_after: PT50M}",
            "{type: b, grace: PT20M, pending_after: PT2M}");
    assertThat(policy.largestGrace()).isEqualTo(Duration.ofMinutes(20));
    assertThat(policy.largestPendingAfter()).isEqualTo(Duration.ofMinutes(50));
    assertThat(policy().largestGrace()).isEqualTo(Duration.ofMinutes(10));
    assertThat(policy().largestPendingAfter()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void typesAndConsumersAreThoseOfAnyEntry() {
    EffectPolicy policy =
        policy(
            "{type: b, when: {topic: a}, consumers: [c2]}",
            "{type: b, consumers: [c1]}",
            "{type: a}");
    assertThat(policy.types()).containsExactly("a", "b");
    assertThat(policy.consumers("b")).containsExactly("c1", "c2");
    assertThat(policy.consumers("a")).isNull();
    assertThat(policy.declares("a")).isTrue();
    assertThat(policy.declares("c")).isFalse();
    assertThat(policy.declares(null)).isFalse();
  }
}
