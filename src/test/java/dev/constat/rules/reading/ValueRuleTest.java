package dev.constat.rules.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.UnzonedTime;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueRuleTest {

  private static final Archive PLAIN = archive(null, null, ImmutableMap.of());

  private static Archive archive(TimeUnit unit, ZoneId zone, ImmutableMap<String, String> values) {
    return new Archive(
        ImmutableList.of("x"),
        null,
        null,
        ImmutableMap.of(),
        ImmutableMap.of(),
        unit,
        zone,
        null,
        null,
        null,
        false,
        false,
        values);
  }

  private static ValueRule rule(Input input, String column, Archive archive) {
    Column found =
        input.columns().stream().filter(c -> c.name().equals(column)).findFirst().orElseThrow();
    return ValueRule.of(input, found, archive);
  }

  private static ValueRule event(String column) {
    return rule(Input.EVENTS, column, PLAIN);
  }

  private static ValueRule time(TimeUnit unit, String zone) {
    return rule(
        Input.EVENTS,
        "occurred_at",
        archive(unit, zone == null ? null : ZoneId.of(zone), ImmutableMap.of()));
  }

  /** One way of giving a value to a rule. */
  private interface Given {
    Object typed() throws UnreadableValue;
  }

  private static UnreadableValue refused(Given given) {
    return catchThrowableOfType(UnreadableValue.class, given::typed);
  }

  @Test
  void textTakesLiteralsAsTheyStand() throws UnreadableValue {
    ValueRule id = event("source_event_id");

    assertThat(id.ofText("")).isEqualTo("");
    assertThat(id.ofText("007")).isEqualTo("007");
    assertThat(id.ofText("\uD83D\uDE00")).isEqualTo("😀");
    assertThat(id.ofNumber("1.0")).isEqualTo("1.0");
    assertThat(id.ofNumber("9007199254740993")).isEqualTo("9007199254740993");
    assertThat(id.ofInteger(-5)).isEqualTo("-5");
    assertThat(id.ofUnsigned(-1)).isEqualTo("18446744073709551615");
    assertThat(id.ofBoolean(true)).isEqualTo("true");
    assertThat(id.ofBytes("é".getBytes(StandardCharsets.UTF_8))).isEqualTo("é");
    assertThat(id.ofBytes("\uFFFD".getBytes(StandardCharsets.UTF_8))).isEqualTo("\uFFFD");
  }

  @Test
  void textRefusesStructuresAndIllFormedUnicode() {
    ValueRule id = event("source_event_id");

    assertThat(refused(() -> id.ofNested("{}".getBytes(StandardCharsets.UTF_8))))
        .hasMessage("source_event_id is an object");
    assertThat(refused(() -> id.ofNested("[1]".getBytes(StandardCharsets.UTF_8))))
        .hasMessage("source_event_id is an array");
    UnreadableValue lone = refused(() -> id.ofText("a\uD800X"));
    assertThat(lone).hasMessage("source_event_id is ill-formed Unicode (a lone surrogate)");
    assertThat(lone.excerpt()).isEqualTo("a\\ud800X");
    UnreadableValue bytes = refused(() -> id.ofBytes(new byte[] {'a', (byte) 0xC3}));
    assertThat(bytes).hasMessage("source_event_id is no UTF-8");
    assertThat(bytes.excerpt()).isEqualTo("0x61c3");
    assertThat(bytes.raw()).containsExactly('a', 0xC3);
    assertThat(refused(() -> id.ofInstant(Instant.EPOCH))).hasMessage("source_event_id is a time");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          S , -1                  , 1969-12-31T23:59:59Z
          MS, -1                  , 1969-12-31T23:59:59.999Z
          US, -1                  , 1969-12-31T23:59:59.999999Z
          NS, -1                  , 1969-12-31T23:59:59.999999999Z
          NS, 1767607200000000001 , 2026-01-05T10:00:00.000000001Z
          MS, 1767607200000       , 2026-01-05T10:00:00Z
          MS, 9223372036854775807 , +292278994-08-17T07:12:55.807Z
          NS, 18446744073709551615, 2554-07-21T23:34:33.709551615Z
          NS, -9223372036854775809, 1677-09-21T00:12:43.145224191Z
          """)
  void integerTimesAreExactInTheDeclaredUnit(TimeUnit unit, String literal, Instant expected)
      throws UnreadableValue {
    assertThat(time(unit, null).ofNumber(literal)).isEqualTo(expected);
  }

  @Test
  void integerTimesFromTypedColumnsFollowTheSameRule() throws UnreadableValue {
    assertThat(time(TimeUnit.MS, null).ofInteger(-1)).isEqualTo(Instant.ofEpochMilli(-1));
    assertThat(time(TimeUnit.NS, null).ofUnsigned(-1))
        .isEqualTo(Instant.parse("2554-07-21T23:34:33.709551615Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807", "-9223372036854775808", "1e400", "1.5", "1E3"})
  void secondsThatFitNoInstantAreRefused(String literal) {
    assertThat(refused(() -> time(TimeUnit.S, null).ofNumber(literal))).isNotNull();
  }

  @Test
  void anIntegerTimeWithoutUnitNamesTheRemedy() {
    UnreadableValue refused = refused(() -> time(null, null).ofNumber("1767607200000"));

    assertThat(refused).hasMessage("occurred_at is an integer without a unit");
    assertThat(refused.remedy()).isEqualTo("declare time_unit of events: s, ms, us or ns");
    assertThat(refused.excerpt()).isEqualTo("1767607200000");
    assertThat(refused(() -> time(null, null).ofInteger(5))).hasMessage(refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          Europe/Paris, 2026-07-05T10:00:00, 2026-07-05T08:00:00Z
          # 02:30 exists twice in October: the earlier one; and not at all in March: 03:30.
          Europe/Paris, 2026-10-25T02:30:00, 2026-10-25T00:30:00Z
          Europe/Paris, 2026-03-29T02:30:00, 2026-03-29T01:30:00Z
          """)
  void aDeclaredZonePlacesLocalTimes(String zone, String text, Instant expected)
      throws UnreadableValue {
    assertThat(time(null, zone).ofText(text)).isEqualTo(expected);
    assertThat(time(null, zone).ofLocal(LocalDateTime.parse(text))).isEqualTo(expected);
  }

  @Test
  void withoutZoneALocalTimeStaysUnknown() throws UnreadableValue {
    LocalDateTime local = LocalDateTime.parse("2026-01-05T10:00:00");

    assertThat(time(null, null).ofText("2026-01-05 10:00:00")).isEqualTo(new UnzonedTime(local));
    assertThat(time(TimeUnit.MS, null).ofLocal(local)).isEqualTo(new UnzonedTime(local));
    assertThat(time(null, "Europe/Paris").ofText("2026-01-05T10:00:00Z"))
        .isEqualTo(Instant.parse("2026-01-05T10:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          9223372036854775807 , 9223372036854775807
          9223372036854775808 , -9223372036854775808
          18446744073709551615, -1
          007                 , 7
          0                   , 0
          """)
  void unsignedIntegersAreIntegersOrDigits(String digits, long bits) throws UnreadableValue {
    ValueRule sequence = event("source_sequence");

    assertThat(sequence.ofNumber(digits)).isEqualTo(bits);
    assertThat(sequence.ofText(digits)).isEqualTo(bits);
    assertThat(sequence.ofUnsigned(bits)).isEqualTo(bits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "+5", "-1", "-0", " 5", "5.0", "٣", "18446744073709551616", "0x5"})
  void unsignedTextIsWhollyOfDigits(String text) {
    assertThat(refused(() -> event("source_sequence").ofText(text))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1.0", "1e3", "18446744073709551616"})
  void unsignedNumbersAreIntegersInRange(String literal) {
    assertThat(refused(() -> event("source_sequence").ofNumber(literal))).isNotNull();
  }

  @Test
  void signedIntegersHaveTheirOwnRange() throws UnreadableValue {
    ValueRule attempts = rule(Input.OUTBOX, "attempts", PLAIN);

    assertThat(attempts.ofText("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    assertThat(attempts.ofNumber("5")).isEqualTo(5L);
    assertThat(attempts.ofInteger(-5)).isEqualTo(-5L);
    assertThat(refused(() -> attempts.ofUnsigned(-1))).hasMessage("attempts is out of range");
    assertThat(refused(() -> attempts.ofNumber("9223372036854775808")))
        .hasMessage("attempts is out of range");
    assertThat(refused(() -> attempts.ofBoolean(true))).hasMessage("attempts is a boolean");
  }

  @Test
  void booleansAreSpelledOneWay() throws UnreadableValue {
    ValueRule applied = rule(Input.ACKNOWLEDGEMENTS, "applied", PLAIN);

    assertThat(applied.ofText("true")).isEqualTo(true);
    assertThat(applied.ofText("false")).isEqualTo(false);
    assertThat(applied.ofBoolean(false)).isEqualTo(false);
    for (String text : new String[] {"True", "1", "yes", ""}) {
      assertThat(refused(() -> applied.ofText(text)))
          .hasMessage("applied is neither true nor false");
    }
    assertThat(refused(() -> applied.ofNumber("1"))).hasMessage("applied is a number");
  }

  @Test
  void foreignWordsAreMapped() throws UnreadableValue {
    Archive mapped =
        archive(null, null, ImmutableMap.of("sent", "DISPATCHED", "DLQ", "PENDING", "0", "DLQ"));
    ValueRule status = rule(Input.OUTBOX, "status", mapped);

    assertThat(status.ofText("sent")).isEqualTo("DISPATCHED");
    assertThat(status.ofText("PROCESSING")).isEqualTo("PROCESSING");
    assertThat(status.ofText("DLQ")).isEqualTo("PENDING");
    assertThat(status.ofNumber("0")).isEqualTo("DLQ");
    UnreadableValue refused = refused(() -> status.ofText("Sent"));
    assertThat(refused).hasMessage("status is a word that the contract lacks");
    assertThat(refused.remedy())
        .isEqualTo(
            "map it in outbox with values: {Sent: ...}; ours are PENDING, PROCESSING, DISPATCHED,"
                + " DLQ");
    assertThat(rule(Input.DECISIONS, "decision", PLAIN).ofText("LATE")).isEqualTo("LATE");
    assertThat(refused(() -> rule(Input.DECISIONS, "decision", PLAIN).ofText("PENDING")))
        .isNotNull();
  }

  @Test
  void payloadsKeepTheirBytes() throws UnreadableValue {
    ValueRule payload = event("payload");
    byte[] opaque = {(byte) 0xFF, 0};

    assertPayload(payload.ofText("{\"a\":1}"), "{\"a\":1}", false);
    assertPayload(
        payload.ofNested("{ \"a\": 1.0 }".getBytes(StandardCharsets.UTF_8)),
        "{ \"a\": 1.0 }",
        true);
    assertPayload(payload.ofNumber("1.0"), "1.0", true);
    assertPayload(payload.ofBoolean(false), "false", true);
    assertThat(((Payload) payload.ofBytes(opaque)).bytes()).isEqualTo(opaque);
    assertThat(refused(() -> payload.ofText("\uDC00"))).isNotNull();
    assertThat(refused(() -> payload.ofInteger(1))).hasMessage("payload is an integer");
  }

  @Test
  void whatIsNoFiniteNumberIsTextOrUnreadable() throws UnreadableValue {
    assertThat(event("topic").ofNonFinite("-Infinity")).isEqualTo("-Infinity");
    assertThat(refused(() -> event("occurred_at").ofNonFinite("NaN")))
        .hasMessage("occurred_at is no finite number");
  }

  @Test
  void whatIsRebuiltIsAPayloadAndNothingElse() throws UnreadableValue {
    Payload rebuilt = new Payload("{}".getBytes(StandardCharsets.UTF_8), true, true, false);
    assertThat(event("payload").ofRebuilt(rebuilt)).isSameAs(rebuilt);
    assertThat(refused(() -> event("topic").ofRebuilt(rebuilt))).hasMessage("topic is an object");
  }

  private static void assertPayload(Object actual, String text, boolean nested) {
    Payload payload = (Payload) actual;
    assertThat(new String(payload.bytes(), StandardCharsets.UTF_8)).isEqualTo(text);
    assertThat(payload.nested()).isEqualTo(nested);
  }
}
