package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.spec.Baseline.Entry;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a baseline may hold, how it is refused, and how an entry is added to its text. */
final class BaselineParserTest {

  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(BaselineParser.schema(), InputFormat.JSON);

  private static final String ONE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210";
  private static final String WHO =
      "owner: mail team, reason: was down, until: 2026-02-01T00:00:00Z";
  private static final Instant UNTIL = Instant.parse("2026-02-01T00:00:00Z");

  private static Baseline parse(String entries) {
    return BaselineParser.parse("{baseline: 1, entries: [" + entries + "]}", "known.yaml");
  }

  @Test
  void anEntryNamesOneFindingOrAPattern() {
    Baseline baseline =
        parse(
            "{fingerprint: "
                + ONE
                + ", "
                + WHO
                + "},"
                + " {kind: MISSING_ACK, subject: {consumer: mailer, outbox_id: 'ob-*'}, "
                + WHO
                + "},"
                + " {kind: DLQ, "
                + WHO
                + "}");

    assertThat(baseline.entries())
        .containsExactly(
            new Entry(ONE, null, ImmutableMap.of(), "mail team", "was down", UNTIL),
            new Entry(
                null,
                Kind.MISSING_ACK,
                ImmutableMap.of("consumer", "mailer", "outbox_id", "ob-*"),
                "mail team",
                "was down",
                UNTIL),
            new Entry(null, Kind.DLQ, ImmutableMap.of(), "mail team", "was down", UNTIL));
    assertThat(baseline.entries().stream().map(Entry::label))
        .containsExactly(ONE, "MISSING_ACK {consumer=mailer, outbox_id=ob-*}", "DLQ");
  }

  @Test
  void anEmptyListAcknowledgesNothing() {
    assertThat(parse("")).isEqualTo(Baseline.EMPTY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "fingerprint: 12 | fingerprint must be the fingerprint of a finding, not the number 12",
        "fingerprint: ABCD | copy its 32 hexadecimal digits from findings.jsonl",
        "kind: MISSING_ACKS | 'MISSING_ACKS' is not known",
        "fingerprint: 0123456789abcdef0123456789abcdef, kind: DLQ | kind in entries[0] says again",
        "fingerprint: 0123456789abcdef0123456789abcdef, subject: {a: b} | subject in entries[0] says",
        "subject: {a: b} | fingerprint is missing in entries[0]",
        "kind: DLQ, subject: {a: 1} | a must be text, not the number 1; put it in quotes",
        "kind: DLQ, onwer: me | Unknown key 'onwer' in entries[0]; the nearest known key is 'owner'",
      })
  void whatIsWrongIsToldWithPlaceAndRemedy(String entry, String message) {
    assertThatThrownBy(() -> parse("{" + entry + ", " + WHO + "}"))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("known.yaml:1:")
        .hasMessageContaining(message);
  }

  @Test
  void nobodyIsAskedTwice() {
    String entry = "{kind: DLQ, subject: {outbox_id: o1}, " + WHO + "}";

    assertThatThrownBy(() -> parse(entry + ", " + entry))
        .hasMessageContaining("entries[1] acknowledges the same as entries[0]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"owner", "reason", "until"})
  void everyEntrySaysWhoWhyAndUntilWhen(String key) {
    String without = WHO.replaceFirst(key + ": [^,]+(, )?", "").replaceFirst(", $", "");

    assertThatThrownBy(() -> parse("{kind: DLQ, " + without + "}"))
        .hasMessageContaining(key + " is missing in entries[0]");
  }

  @Test
  void equalBaselinesHaveOneText() {
    Baseline baseline = parse("{kind: DLQ, " + WHO + "}");

    assertThat(BaselineParser.parse(baseline.canonicalText(), "again")).isEqualTo(baseline);
    assertThat(SCHEMA.validate(baseline.canonicalText(), InputFormat.JSON)).isEmpty();
    assertThat(SCHEMA.validate("{\"baseline\":1}", InputFormat.JSON)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "baseline: 1\nentries:\n  # what we know\n  - {kind: DLQ, %s}   # for now\n",
        "baseline: 1\nentries:\n- kind: DLQ\n  owner: me\n  reason: why\n"
            + "  until: 2026-02-01T00:00:00Z",
        "baseline: 1\nentries:\n    - {kind: DLQ, %s}\n\n",
      })
  void anEntryIsAddedBehindTheLastAndNothingElseTouched(String text) {
    String before = text.formatted(WHO);

    String after =
        BaselineText.acknowledging(
            before, "known.yaml", ONE, "a: b", "it's \"so\" # really", "2026-02-01T00:00:00Z");

    assertThat(after).startsWith(before);
    assertThat(BaselineParser.parse(after, "known.yaml").entries())
        .hasSize(2)
        .last()
        .isEqualTo(new Entry(ONE, null, ImmutableMap.of(), "a: b", "it's \"so\" # really", UNTIL));
  }

  @Test
  void aFileThatIsNotThereIsBegun() {
    assertThat(
            BaselineText.acknowledging(
                null, "known.yaml", ONE, "me", "known outage", "2026-02-01T00:00:00Z"))
        .isEqualTo(
            "baseline: 1\nentries:\n  - {fingerprint: "
                + ONE
                + ", owner: me,"
                + " reason: \"known outage\", until: 2026-02-01T00:00:00Z}\n");
  }

  @Test
  void whatIsAcknowledgedStaysAsItIs() {
    String text = "{baseline: 1, entries: [{fingerprint: " + ONE + ", " + WHO + "}]}";

    assertThatThrownBy(
            () ->
                BaselineText.acknowledging(
                    text, "known.yaml", ONE, "me", "why", "2026-03-01T00:00:00Z"))
        .hasMessageContaining("acknowledges " + ONE + " already, for mail team until 2026-02-01")
        .hasMessageContaining("change that entry");
    assertThatThrownBy(
            () ->
                BaselineText.acknowledging(
                    text, "known.yaml", OTHER, "me", "why", "2026-03-01T00:00:00Z"))
        .hasMessageContaining(
            "does not end with its list of entries, one per line; add this one by")
        .hasMessageContaining(OTHER);
  }

  @Test
  void whatIsAddedIsRead() {
    assertThatThrownBy(
            () -> BaselineText.acknowledging(null, "k.yaml", "12", "me", "why", "tomorrow"))
        .hasMessageContaining("fingerprint '12' is not the fingerprint of a finding")
        .hasMessageContaining("until 'tomorrow' is not a time such as");
  }
}
