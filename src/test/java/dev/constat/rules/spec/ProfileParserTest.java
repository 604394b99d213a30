package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a profile of a synthetic archive may hold, and how it is refused. */
class ProfileParserTest {

  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(ProfileParser.schema(), InputFormat.JSON);

  private static Profile parse(String more) {
    return ProfileParser.parse("{profile: 1, name: p" + more + "}", "p.yaml");
  }

  @Test
  void defaultsAreThoseOfAQuietFlow() {
    Profile profile = parse("");

    assertThat(profile.eventsPerSecond()).isEqualTo(70);
    assertThat(profile.sources()).isEqualTo(4);
    assertThat(profile.schemaVersion()).isEqualTo("1");
    assertThat(profile.delays()).hasSize(3);
    assertThat(profile.faults()).isEmpty();
    assertThat(profile.has(Fault.Part.EVENTS)).isFalse();
  }

  @Test
  void faultsHaveRatesAndBounds() {
    Profile profile = parse(", faults: {dlq: {one_in: 7, at_most: 2}, redelivery: {one_in: 9}}");

    assertThat(profile.faults())
        .containsEntry(Fault.DLQ, new Profile.Rate(7, 2))
        .containsEntry(Fault.REDELIVERY, new Profile.Rate(9, null))
        .hasSize(2);
    assertThat(profile.has(Fault.Part.ACKS)).isTrue();
    assertThat(profile.has(Fault.Part.CELLS)).isFalse();
  }

  @Test
  void delaysHaveARange() {
    Profile profile = parse(", delays: {percent: 100, from: PT1S, to: PT2S}");

    assertThat(profile.delays())
        .containsExactly(new Profile.Delay(100, Duration.ofSeconds(1), Duration.ofSeconds(2)));
  }

  @Test
  void equalProfilesHaveOneText() {
    Profile written = parse(", sources: 4, faults: {dlq: {one_in: 7}}");
    Profile brief = parse(", faults: {dlq: {one_in: 7}}");

    assertThat(written.canonicalText()).isEqualTo(brief.canonicalText());
    assertThat(ProfileParser.parse(written.canonicalText(), "again")).isEqualTo(written);
    assertThat(parse("").canonicalText()).isNotEqualTo(written.canonicalText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        ", fault: {} | p.yaml:1:23: Unknown key 'fault' in the profile; the nearest known key is"
            + " 'faults'",
        ", faults: {dql: {one_in: 3}} | Unknown key 'dql' in faults; the nearest known key is 'dlq'",
        ", faults: {dlq: {at_most: 3}} | one_in is missing in faults.dlq; add it, such as one_in:"
            + " 1000",
        ", faults: {dlq: {one_in: 0}} | one_in must be a whole number from 1 on, not the number 0",
        ", faults: {dlq: 3} | dlq must be a map, not the number 3",
        ", faults: {dlq: {one_in: 1}, redelivery: {one_in: 1}} | faults plants 2 faults at least"
            + " once in every 1 events; an event takes one fault",
        ", delays: {percent: 99, to: PT1S} | The profile has delays whose percentages add up to 99",
        ", delays: {percent: 100, from: PT1S, to: PT1S} | not shorter than its to; give a longer to",
        ", delays: {percent: 100, to: PT2H} | longer than an hour; give at most PT1H",
        ", events_per_second: 1000001 | more than a million events_per_second",
        ", start: 2026-01-04 | start '2026-01-04' is not a time such as",
        ", schema_version: 1 | schema_version must be text, not the number 1; put it in quotes",
      })
  void whatIsWrongIsToldWithPlaceAndRemedy(String more, String message) {
    assertThatThrownBy(() -> parse(more))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining(message);
  }

  @Test
  void anEmptyProfileSaysHowOneBegins() {
    assertThatThrownBy(() -> ProfileParser.parse("# nothing\n", "p.yaml"))
        .hasMessage("p.yaml:1:1: The profile is empty; begin it with profile: 1");
  }

  @Test
  void schemaAcceptsAndRefusesAsTheParserDoes() {
    assertThat(SCHEMA.validate(parse("").canonicalText(), InputFormat.JSON)).isEmpty();
    assertThat(
            SCHEMA.validate(
                "{\"profile\":1,\"name\":\"p\",\"faults\":{\"dql\":{\"one_in\":3}}}",
                InputFormat.JSON))
        .hasSize(1);
  }
}
