package dev.constat.rules.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.spec.Baseline;
import dev.constat.rules.spec.Baseline.Entry;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which findings a baseline acknowledges, and what it says of its own entries. */
final class AcknowledgementsTest {

  private static final Instant AS_OF = Instant.parse("2026-01-05T12:00:00Z");
  private static final Finding MAIL =
      finding(
          Kind.MISSING_ACK, new JsonObject().put("consumer", "mailer").put("outbox_id", "ob-7"));

  private static Finding finding(Kind kind, JsonObject subject) {
    return Statement.of(kind, subject).because("why").under("rule/1").finding();
  }

  private static Entry named(String fingerprint, Instant until) {
    return new Entry(fingerprint, null, ImmutableMap.of(), "me", "why", until);
  }

  private static Entry pattern(Kind kind, ImmutableMap<String, String> subject) {
    return new Entry(null, kind, subject, "me", "why", AS_OF.plusSeconds(1));
  }

  private static Acknowledgements of(Entry... entries) {
    return new Acknowledgements(new Baseline(ImmutableList.copyOf(entries)), AS_OF);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "consumer  | mailer | true",
        "consumer  | mail*  | true",
        "consumer  | *      | true",
        "consumer  | *a*er  | true",
        "consumer  | mail   | false",
        "consumer  | .*     | false",
        "consumer  | m?iler | false",
        "outbox_id | ob-*   | true",
        "outbox_id | *-8    | false",
        "source    | *      | false",
      })
  void aPatternFitsWholeValues(String column, String glob, boolean fits) {
    Acknowledgements known = of(pattern(Kind.MISSING_ACK, ImmutableMap.of(column, glob)));

    assertThat(known.acknowledge(MAIL)).isEqualTo(fits);
    assertThat(known.report().findings()).isEqualTo(fits ? 1 : 0);
  }

  @Test
  void everyColumnOfAPatternMustFit() {
    Acknowledgements known =
        of(
            pattern(Kind.MISSING_ACK, ImmutableMap.of("consumer", "mailer", "outbox_id", "ob-8")),
            pattern(Kind.ORPHAN_ACK, ImmutableMap.of("consumer", "mailer")));

    assertThat(known.acknowledge(MAIL)).isFalse();
    assertThat(known.report().unused()).hasSize(2);
  }

  @Test
  void numbersFitByTheirLiteralAndNothingFitsNull() {
    Finding gap =
        finding(
            Kind.SEQUENCE_GAP,
            new JsonObject().put("epoch", 3).put("partition", (String) null).put("source", "a"));

    assertThat(of(pattern(Kind.SEQUENCE_GAP, ImmutableMap.of("epoch", "3"))).acknowledge(gap))
        .isTrue();
    assertThat(of(pattern(Kind.SEQUENCE_GAP, ImmutableMap.of("partition", "*"))).acknowledge(gap))
        .isFalse();
  }

  @Test
  void aKindWithoutSubjectFitsAllOfIt() {
    Acknowledgements known = of(pattern(Kind.MISSING_ACK, ImmutableMap.of()));

    assertThat(known.acknowledge(MAIL)).isTrue();
    assertThat(known.acknowledge(finding(Kind.DLQ, new JsonObject().put("outbox_id", "ob-7"))))
        .isFalse();
  }

  @ParameterizedTest(name = "until {0} s after as_of")
  @CsvSource({"-1,false", "0,false", "1,true"})
  void anEntryHoldsBeforeItExpires(int seconds, boolean holds) {
    Entry entry = named(MAIL.fingerprint(), AS_OF.plusSeconds(seconds));
    Acknowledgements known = of(entry);

    assertThat(known.acknowledge(MAIL)).isEqualTo(holds);
    assertThat(known.report().expired())
        .isEqualTo(
            holds ? ImmutableList.of() : ImmutableList.of(new Acknowledgements.Expired(entry, 1)));
    assertThat(known.report().unused()).isEmpty();
  }

  @Test
  void withoutAnInstantToJudgeByNothingExpires() {
    Acknowledgements known =
        new Acknowledgements(
            new Baseline(ImmutableList.of(named(MAIL.fingerprint(), Instant.MIN))), null);

    assertThat(known.acknowledge(MAIL)).isTrue();
  }

  @Test
  void severalEntriesForOneFindingAllCount() {
    Entry expired = named(MAIL.fingerprint(), AS_OF.minusSeconds(1));
    Entry idle = named("0123456789abcdef0123456789abcdef", AS_OF.plusSeconds(1));
    Acknowledgements known = of(expired, pattern(Kind.MISSING_ACK, ImmutableMap.of()), idle);

    assertThat(known.acknowledge(MAIL)).isTrue();
    assertThat(known.report())
        .isEqualTo(
            new Acknowledgements.Report(
                3,
                1,
                ImmutableList.of(new Acknowledgements.Expired(expired, 1)),
                ImmutableList.of(idle)));
  }
}
