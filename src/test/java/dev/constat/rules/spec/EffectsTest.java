package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.spec.Effect.AnyOf;
import dev.constat.rules.time.Timeliness;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The effects that are expected. */
class EffectsTest {

  @Test
  void everyKeyArrives() {
    RunSpec spec =
        Specs.parse(
            Specs.top(
                """
                effects:
                  - type: notify
                    when: {source: [venue-a, venue-b], tier: [5, null, true], decision: ACCEPTED, timeliness: [ON_TIME, LATE], flags: HEURISTIC}
                    consumers: [c1, c2]
                    grace: PT0S
                    pending_after: PT1M
                    lease_ttl: PT30S
                    max_attempts: 1
                    order: aggregate
                    replayable: true
                """));
    assertThat(spec.effects())
        .containsExactly(
            new Effect(
                "notify",
                ImmutableMap.of(
                    "source", new AnyOf(ImmutableSet.of("venue-a", "venue-b"), false),
                    "tier", new AnyOf(ImmutableSet.of("5", "true"), true),
                    "decision", new AnyOf(ImmutableSet.of("ACCEPTED"), false),
                    "timeliness", new AnyOf(ImmutableSet.of("ON_TIME", "LATE"), false),
                    "flags", new AnyOf(ImmutableSet.of("HEURISTIC"), false)),
                ImmutableList.of("c1", "c2"),
                Duration.ZERO,
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                1,
                true,
                true));
  }

  @ParameterizedTest
  @EnumSource
  void everyFlagMayBeCompared(Flag flag) {
    RunSpec spec = Specs.parse(Specs.effect("when: {flags: " + flag + "}"));
    assertThat(spec.effects().get(0).when().get("flags").holds(flag.name())).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void everyTimelinessMayBeCompared(Timeliness timeliness) {
    RunSpec spec = Specs.parse(Specs.effect("when: {timeliness: " + timeliness + "}"));
    assertThat(spec.effects().get(0).when().get("timeliness").holds(timeliness.name())).isTrue();
    assertThat(spec.layout(Input.EVENTS).indexOf("timeliness")).isNegative();
  }

  @Test
  void aTypeAloneHasTheDefaults() {
    assertThat(Specs.parse(Specs.top("effects: {type: notify}")).effects())
        .containsExactly(Effect.undeclared("notify"));
    assertThat(Specs.parse(Specs.SMALLEST).effects()).isEmpty();
  }

  @Test
  void entriesOfOneTypeDifferInWhen() {
    RunSpec spec = Specs.parse(Specs.effect("when: {topic: a}\n  - type: t\n    consumers: c1"));
    assertThat(spec.effects()).extracting(Effect::type).containsExactly("t", "t");
    assertThat(spec.effects().get(1).consumers()).containsExactly("c1");
  }

  @ParameterizedTest
  @MethodSource
  void whatMakesNoEffectIsRefused(String part, String message) {
    assertThat(Specs.messages(Specs.effect(part))).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> whatMakesNoEffectIsRefused() {
    return Stream.of(
        arguments(
            "grace: PT5M\n  - type: t",
            "6:5: effects[1] has the same type and when as effects[0] and would never apply;"
                + " remove one of them"),
        arguments(
            "max_attempts: 0",
            "5:19: max_attempts must be a whole number from 1 on, not the number 0;"
                + " write a whole number from 1 on"),
        arguments(
            "max_attempts: 2.5",
            "5:19: max_attempts must be a whole number from 1 on, not the number 2.5;"
                + " write a whole number from 1 on"),
        arguments(
            "pending_after: PT0S",
            "5:20: pending_after 'PT0S' is no time at all; give a duration above zero"),
        arguments(
            "lease_ttl: PT0S",
            "5:16: lease_ttl 'PT0S' is no time at all; give a duration above zero"),
        arguments(
            "consumers: []", "5:16: consumers is an empty list; give it an item or remove it"),
        arguments(
            "consumers: [c1, c1]", "5:21: consumers[1] repeats consumers[0]; remove one of them"),
        arguments("when: [topic]", "5:11: when must be a map, not a list; write key: value"),
        arguments(
            "when: {topic: []}", "5:19: topic is an empty list; give it an item or remove it"),
        arguments(
            "when: {topic: {a: b}}",
            "5:19: topic must be text, a number, true, false or null, not a map; write one value"),
        arguments(
            "when: {topic: 007}",
            "5:19: topic '007' is a number to some readers of YAML and text to others;"
                + " put it in quotes: \"007\""),
        arguments(
            "when: {/payload/x: 1}",
            "5:12: The key '/payload/x' in effects[0].when is not the name of a column;"
                + " write a plain name"),
        arguments(
            "when: {occurred_at: a}",
            "5:12: occurred_at in effects[0].when is not a text column; compare a column of text"),
        arguments(
            "when: {flags: [HEURISTC]}",
            "5:19: flags in effects[0].when: 'HEURISTC' is not known; the nearest is 'HEURISTIC'"),
        arguments(
            "when: {timeliness: [LATE, ONTIME]}",
            "5:24: timeliness 'ONTIME' is not known;"
                + " use ON_TIME, LATE or FUTURE (nearest: ON_TIME)"),
        arguments(
            "when: {timeliness: [LATE, null]}",
            "5:24: timeliness is never null; every event that has an effect has one"),
        arguments(
            "when: {decision: [ACCEPTED, EXACT_DUPLICATE]}",
            "5:22: decision in effects[0].when is neither ACCEPTED nor CORRECTION;"
                + " no other event has an effect"));
  }
}
