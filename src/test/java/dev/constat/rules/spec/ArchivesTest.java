package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.Format;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where inputs lie and how their records map to the contract. */
class ArchivesTest {

  @Test
  void everyKeyArrives() {
    RunSpec spec =
        Specs.parse(
            """
            constat: 1
            archives:
              events:
                files: [events/*.parquet, ../late/x.jsonl]
                format: jsonl
                columns: {source_event_id: trade_id, payload: /body/raw}
                constants: {source: venue-a, topic: "", source_sequence: 1}
                time_unit: ms
                zone: Europe/Paris
                start: 2026-01-01T00:00:00Z
                cut: 2026-01-05T12:00:00Z
                retention: P30D
                allow_empty: true
              outbox: {files: outbox.parquet, id_order: integer, values: {done: DISPATCHED, 9: DLQ}}
              decisions: {files: d, values: {dup: EXACT_DUPLICATE}}
            """);
    assertThat(spec.archives())
        .isEqualTo(
            ImmutableMap.of(
                Input.EVENTS,
                new Archive(
                    ImmutableList.of("events/*.parquet", "../late/x.jsonl"),
                    null,
                    Format.JSONL,
                    ImmutableMap.of("source_event_id", "trade_id", "payload", "/body/raw"),
                    ImmutableMap.of("source", "venue-a", "topic", "", "source_sequence", "1"),
                    TimeUnit.MS,
                    ZoneId.of("Europe/Paris"),
                    Instant.parse("2026-01-01T00:00:00Z"),
                    Instant.parse("2026-01-05T12:00:00Z"),
                    Duration.ofDays(30),
                    true,
                    false,
                    ImmutableMap.of()),
                Input.OUTBOX,
                archive("outbox.parquet", true, ImmutableMap.of("done", "DISPATCHED", "9", "DLQ")),
                Input.DECISIONS,
                archive("d", false, ImmutableMap.of("dup", "EXACT_DUPLICATE"))));
  }

  @Test
  void anInputMayBeATable() {
    RunSpec spec =
        Specs.parse(
            "constat: 1\narchives: {events: {jdbc: 'jdbc:clickhouse://db:8123/shop?ssl=true',"
                + " table: 'shop.\"odd name\"', user_env: U, password_env: P, where: a = 'b',"
                + " columns: {source: venue}}}");

    Archive events = spec.archives().get(Input.EVENTS);
    assertThat(events.files()).isEmpty();
    assertThat(events.table())
        .isEqualTo(
            new TableSource(
                "jdbc:clickhouse://db:8123/shop?ssl=true",
                "shop.\"odd name\"",
                "U",
                "P",
                "a = 'b'"));
    assertThat(RunSpecParser.parse(spec.canonical(), "again", null)).isEqualTo(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "table: t | events.table goes with jdbc",
        "where: a = 1, files: e | where in archives.events goes with jdbc; remove it",
        "cut: 2026-01-05T12:00:00Z | files is missing in archives.events; add it",
        "jdbc: 'jdbc:postgresql://db/shop' | table is missing in archives.events; add it",
        "jdbc: 'jdbc:postgresql://db/shop', table: t, files: e | files in archives.events does not",
        "jdbc: 'jdbc:mysql://db/shop', table: t | is not the JDBC URL of a ClickHouse or PostgreSQL",
        "jdbc: 'jdbc:postgresql://db/shop', table: t; drop | is not the name of a table",
        "jdbc: 'jdbc:postgresql://db/shop', table: t, where: 'a; b' | is not one condition in SQL",
        "jdbc: 'jdbc:postgresql://db/shop', table: t, where: 'a -- b' | is not one condition in SQL",
        "jdbc: 'jdbc:postgresql://db/shop', table: t, user_env: a b | is not the name of an environ",
      })
  void halfATableIsRefused(String archive, String message) {
    assertThat(Specs.messages("constat: 1\narchives: {events: {" + archive + "}}"))
        .contains(message.replace("events.table goes", "table in archives.events goes"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"19570413", "open-19570413", "1957.0413", "[19570413]"})
  void whatStandsInPlaceOfAVariableIsNotShown(String password) {
    assertThat(
            Specs.messages(
                "constat: 1\narchives: {events: {jdbc: 'jdbc:postgresql://db/shop', table: t,"
                    + " password_env: "
                    + password
                    + "}}"))
        .contains("the name of an environment variable")
        .contains("password_env")
        .doesNotContain("0413");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://me:sesame@db/shop",
        "jdbc:postgresql://db/shop?user=me&password=sesame",
        "jdbc:clickhouse://db:8123/shop?PASSWORD=sesame",
        "jdbc:clickhouse://db:8123/shop?access_token=sesame",
        "jdbc:clickhouse://db:8123/shop?ssl=true&proxy_password=sesame",
        "jdbc:clickhouse://db:8123/shop?bearer_token=sesame",
        "jdbc:clickhouse://db:8123/shop?key_store_password=sesame",
        "jdbc:postgresql://me:open/sesame@db/shop",
      })
  void credentialsInAUrlAreRefusedAndNotRepeated(String url) {
    String messages =
        Specs.messages("constat: 1\narchives: {events: {jdbc: '" + url + "', table: t}}");

    assertThat(messages)
        .contains(
            "jdbc holds credentials; name environment variables that do: user_env, password_env")
        .doesNotContain("sesame");
  }

  @Test
  void aPresetIsABeginning() {
    Archive outbox =
        Specs.parse(
                "constat: 1\narchives: {events: {files: e}, outbox: {files: o, preset: outbox-table,"
                    + " columns: {source_event_id: ref, topic: queue}, values: {sent: PROCESSING}}}")
            .archives()
            .get(Input.OUTBOX);

    assertThat(outbox.columns())
        .containsOnly(
            entry("outbox_id", "id"), entry("source_event_id", "ref"), entry("topic", "queue"));
    assertThat(outbox.values())
        .contains(entry("sent", "PROCESSING"), entry("delivered", "DISPATCHED"));
  }

  @Test
  void aConstantTakesThePlaceOfAPresetsColumn() {
    RunSpec spec =
        Specs.parse(
            "constat: 1\narchives: {events: {files: e, preset: event-archive,"
                + " constants: {received_at: 2026-01-05T12:00:00Z}}}");

    assertThat(spec.archives().get(Input.EVENTS).columns())
        .containsOnly(
            entry("ingestion_id", "original_id"),
            entry("source_event_id", "original_id"),
            entry("occurred_at", "created_at"));
    assertThat(RunSpecParser.parse(spec.canonical(), "again", null)).isEqualTo(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "preset: outbox | 'outbox' is not known; use outbox-table, debezium-outbox or event-archive",
        "preset: debezium-outbox | events has the preset debezium-outbox, which is for outbox",
      })
  void aPresetIsForOneInput(String part, String message) {
    assertThat(Specs.messages(Specs.events(part))).contains(message);
  }

  @Test
  void inputsStandInTheOrderOfTheContract() {
    RunSpec spec =
        Specs.parse(
            "constat: 1\narchives: {replays: {files: r}, projections: {files: p},"
                + " decisions: {files: d}, outbox: {files: o}, events: {files: e}}");
    assertThat(spec.archives().keySet())
        .containsExactly(
            Input.EVENTS, Input.OUTBOX, Input.DECISIONS, Input.PROJECTIONS, Input.REPLAYS);
  }

  @Test
  void whoseKeysAReplayUsesMayBeMeant() {
    RunSpec spec = Specs.parse(Specs.archive("replays", "values: {same: original, new: own}"));
    assertThat(spec.archives().get(Input.REPLAYS).values())
        .containsExactly(entry("same", "original"), entry("new", "own"));
    assertThat(Specs.messages(Specs.archive("replays", "values: {same: theirs}")))
        .contains("original or own");
  }

  @ParameterizedTest
  @EnumSource
  void everyDecisionMayBeMeant(Decision decision) {
    RunSpec spec = Specs.parse(Specs.archive("decisions", "values: {theirs: " + decision + "}"));
    assertThat(spec.archives().get(Input.DECISIONS).values())
        .containsExactly(entry("theirs", decision.name()));
  }

  @ParameterizedTest
  @EnumSource
  void everyStatusMayBeMeant(Status status) {
    RunSpec spec = Specs.parse(Specs.archive("outbox", "values: {theirs: " + status + "}"));
    assertThat(spec.archives().get(Input.OUTBOX).values())
        .containsExactly(entry("theirs", status.name()));
  }

  private static Archive archive(
      String file, boolean integerIds, ImmutableMap<String, String> values) {
    return new Archive(
        ImmutableList.of(file),
        null,
        null,
        ImmutableMap.of(),
        ImmutableMap.of(),
        null,
        null,
        null,
        null,
        null,
        false,
        integerIds,
        values);
  }

  @ParameterizedTest
  @MethodSource
  void whatContradictsItselfIsRefused(String text, String message) {
    assertThat(Specs.messages(text)).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> whatContradictsItselfIsRefused() {
    return Stream.of(
        arguments(
            Specs.events("columns: {source: a}\n    constants: {source: b}"),
            "6:17: source is both in columns and in constants of archives.events;"
                + " remove one of them"),
        arguments(
            Specs.events("cut: 2026-01-05T12:00:00Z\n    start: 2026-01-05T13:00:00+01:00"),
            "6:12: start 2026-01-05T12:00:00Z is not before cut 2026-01-05T12:00:00Z;"
                + " start is where the extract begins, cut where it ends"),
        arguments(
            Specs.events("retention: PT0S"),
            "5:16: retention 'PT0S' is no time at all; give a duration above zero"),
        arguments(
            "constat: 1\narchives: {events: {files: [a, b, a]}}",
            "2:35: files[2] repeats files[0]; remove one of them"),
        arguments(
            "constat: 1\narchives: {events: {files: []}}",
            "2:28: files is an empty list; give it an item or remove it"),
        arguments(
            Specs.events("columns: {business_keys: k}"),
            "5:15: Unknown column 'business_keys' in archives.events.columns;"
                + " the nearest known column is 'business_key'"),
        arguments(
            Specs.archive("outbox", "constants: {effect: a}"),
            "6:17: Unknown column 'effect' in archives.outbox.constants;"
                + " the nearest known column is 'effect_type'"),
        arguments(
            Specs.events("columns: {topic: /a~b}"),
            "5:22: topic '/a~b' is not the name of a column or a JSON Pointer;"
                + " write it like trade_id or /trade/id"),
        arguments(
            Specs.events("constants: {topic: null}"),
            "5:24: topic has no value; give it text, a number, true or false or remove it"),
        arguments(
            Specs.events("constants: {topic: 007}"),
            "5:24: topic '007' is a number to some readers of YAML and text to others;"
                + " put it in quotes: \"007\""),
        arguments(
            Specs.archive("outbox", "values: {done: DISPATCH}"),
            "6:20: done 'DISPATCH' is not known;"
                + " use PENDING, PROCESSING, DISPATCHED or DLQ (nearest: DISPATCHED)"));
  }

  @Test
  void columnsThatTheRunSpecNamesMayBeMapped() {
    RunSpec spec =
        Specs.parse(
            """
            constat: 1
            archives:
              events: {files: e, columns: {instrument: isin, tier: t}, constants: {desk: d}}
              outbox: {files: o, columns: {instrument: isin}}
            sources:
              - source: a
                identity: {scope: [instrument]}
                fields: {tier: desk}
            effects: {type: a, when: {tier: gold}}
            """);
    assertThat(spec.layout(Input.OUTBOX).indexOf("instrument")).isPositive();
    assertThat(spec.namedColumns(Input.EVENTS)).containsExactly("desk", "instrument", "tier");
  }
}
