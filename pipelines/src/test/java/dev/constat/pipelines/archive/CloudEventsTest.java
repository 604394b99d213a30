package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpecParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloudEventsTest {

  @TempDir private Path folder;

  private static Archive archive(String keys) {
    String text = "{constat: 1, archives: {events: {files: e, format: cloudevents" + keys + "}}}";
    return RunSpecParser.parse(text, "constat.yaml", "test").archives().get(Input.EVENTS);
  }

  private Reading read(String keys, String... lines) throws IOException {
    Files.writeString(folder.resolve("e"), String.join("\n", lines));
    return Reading.events("tenant").as(archive(keys)).read(folder, "e");
  }

  /** A CloudEvent with what every reception needs, and {@code more} of it. */
  private static String event(String more) {
    return """
    {"specversion":"1.0","type":"order.placed","source":"/shop","id":"e1",\
    "time":"2026-01-05T10:00:00+02:00","ingestionid":"i1",\
    "receivedat":"2026-01-05T08:00:01Z"%s}\
    """
        .formatted(more.isEmpty() ? "" : "," + more);
  }

  @Test
  void attributesAreColumns() throws IOException {
    Reading reading =
        read(
            "",
            event(
                "\"subject\":\"o-7\",\"dataschema\":\"v2\",\"sequence\":\"0042\",\"partitionkey\":\"p1\","
                    + "\"payloadhash\":\"jcs/1:ab\",\"supersedes\":\"e0\",\"supersedereason\":\"fix\","
                    + "\"originaleventid\":\"e1\",\"replaybatchid\":\"r1\",\"aggregateid\":\"a\","
                    + "\"tenant\":\"t\",\"datacontenttype\":\"application/json\",\"data\":{\"n\":1.0},"
                    + "\"other\":true"));

    assertThat(reading.problems()).isEmpty();
    assertThat(reading.column("ingestion_id")).containsExactly("i1");
    assertThat(reading.column("source")).containsExactly("/shop");
    assertThat(reading.column("source_event_id")).containsExactly("e1");
    assertThat(reading.column("source_sequence")).containsExactly(42L);
    assertThat(reading.column("partition")).containsExactly("p1");
    assertThat(reading.column("occurred_at"))
        .containsExactly(Instant.parse("2026-01-05T08:00:00Z"));
    assertThat(reading.column("received_at"))
        .containsExactly(Instant.parse("2026-01-05T08:00:01Z"));
    assertThat(reading.column("schema_version")).containsExactly("v2");
    assertThat(reading.column("payload_hash")).containsExactly("jcs/1:ab");
    assertThat(reading.column("business_key")).containsExactly("o-7");
    assertThat(reading.column("topic")).containsExactly("order.placed");
    assertThat(reading.column("aggregate_id")).containsExactly("a");
    assertThat(reading.column("supersedes")).containsExactly("e0");
    assertThat(reading.column("supersede_reason")).containsExactly("fix");
    assertThat(reading.column("original_event_id")).containsExactly("e1");
    assertThat(reading.column("replay_id")).containsExactly("r1");
    assertThat(reading.column("tenant")).containsExactly("t");
    assertThat(reading.payloads()).containsExactly("{\"n\":1.0}");
    assertThat(reading.unknownColumns).containsExactly("other");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      value = {
        // data, whatever its content type, before it or behind it
        "`\"data\":{\"a\": [1]}` | {\"a\": [1]} | true",
        "\"data\":-0.0 | -0.0 | true",
        "\"data\":true | true | true",
        "\"data\":\"{}\\u0041\" | \"{}\\u0041\" | true",
        "\"data\":null | null | true",
        "\"datacontenttype\":null,\"data\":\"x\" | \"x\" | true",
        "\"data\":\"x\",\"datacontenttype\":\"application/json; charset=utf-8\" | \"x\" | true",
        "\"datacontenttype\":\"Application/Problem+JSON\",\"data\":\"x\" | \"x\" | true",
        "\"data\":\"<a>\\u0041</a>\",\"datacontenttype\":\"application/xml\" | <a>A</a> | false",
        "\"datacontenttype\":\"application/jsonl\",\"data\":\"{}\" | {} | false",
        "\"datacontenttype\":\"text/plain\",\"data\":null | none | false",
        "\"datacontenttype\":\"text/plain\",\"data\":{\"a\":1} | {\"a\":1} | true",
        "\"data_base64\":\"eyJhIjogMX0=\" | {\"a\": 1} | false",
        "\"data_base64\":null,\"data\":1 | 1 | true",
        "\"subject\":\"no data\" | none | false",
      })
  void dataIsThePayload(String data, String payload, boolean nested) throws IOException {
    Reading reading = read("", event(data));

    assertThat(reading.problems()).isEmpty();
    assertThat(reading.payloads()).containsExactly(payload);
    assertThat(reading.unknownColumns).isEmpty();
    Row row = reading.rows.get(0);
    assertThat(row.payload(8) != null && row.payload(8).nested()).isEqualTo(nested);

    List<String> again = new ArrayList<>();
    PayloadReader.read(
        reading.splits.get(0),
        archive(""),
        reading.limits(),
        ImmutableList.of(row.place()),
        (place, found) -> again.add(Reading.text(found)));
    assertThat(again).containsExactly(payload);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`\"data\":1,\"data_base64\":\"AA==\"` | the event has both data and data_base64",
        "`\"data_base64\":\"AA==\",\"data\":null` | the event has both data and data_base64",
        "\"data_base64\":\"A*==\" | data_base64 is no Base64 of RFC 4648",
        "\"data\":\"\\ud800\" | payload is ill-formed Unicode (a lone surrogate)",
        "\"sequence\":\"a7\" | source_sequence is text that is not wholly of digits",
      })
  void whatIsNoEventIsNamed(String more, String problem) throws IOException {
    Reading reading = read("", event(more), event(""));

    assertThat(reading.rows).hasSize(1);
    assertThat(reading.problems()).hasSize(1);
    assertThat(reading.problems().get(0)).startsWith(problem);
  }

  @Test
  void everyRecordIsOfVersionOne() throws IOException {
    String event = event("\"data\":1");
    Reading reading =
        read(
            "",
            event.replace("\"1.0\"", "\"0.3\""),
            event.replace("\"1.0\"", "1.0"),
            event.replace("\"1.0\"", "null"),
            event.replace("\"specversion\":\"1.0\",", ""),
            event);

    assertThat(reading.rows).hasSize(1);
    assertThat(reading.problems())
        .containsExactly(
            "specversion is 0.3, not 1.0",
            "specversion is no string",
            "specversion is absent",
            "specversion is absent");
    assertThat(reading.unreadable)
        .extracting(Unreadable::remedy)
        .containsOnly("write CloudEvents 1.0, or declare format: jsonl and map the columns");
  }

  @Test
  void whatAReceptionNeedsAndAnEventMayLackIsNamed() throws IOException {
    Reading reading = read("", event("").replace("\"ingestionid\":\"i1\",", ""));

    assertThat(reading.problems()).containsExactly("ingestion_id is null or absent");
    assertThat(reading.unreadable.get(0).remedy()).contains("columns: {ingestion_id: ...}");
  }

  @Test
  void theRunSpecMayMapOtherwise() throws IOException {
    Reading reading =
        read(
            ", columns: {business_key: /data/order, payload: /data/body, ingestion_id: id}",
            event("\"data\":{\"order\":\"o1\",\"body\":\"{}\"}"));

    assertThat(reading.column("business_key")).containsExactly("o1");
    assertThat(reading.column("ingestion_id")).containsExactly("e1");
    // text is text where the run spec, not the format, says what the payload is
    assertThat(reading.payloads()).containsExactly("{}");
    assertThat(reading.rows.get(0).payload(8).nested()).isFalse();
  }

  @Test
  void aBatchIsRefusedWithARemedy() throws IOException {
    Reading reading = read("", "[" + event("") + "," + event("") + "]");

    assertThat(reading.rows).isEmpty();
    assertThat(reading.problems())
        .containsExactly("the line is a batch of CloudEvents, or a part of one");
    assertThat(reading.unreadable.get(0).remedy())
        .isEqualTo("write one event per line, as jq -c '.[]' does");
  }

  @Test
  void aFileOfAnotherFormatIsRefused() throws IOException {
    Reading reading = read("", "PAR1PAR1");

    assertThat(reading.problems()).containsExactly("the file is Parquet, declared as cloudevents");
  }

  @Test
  void withoutTheDeclarationTheyAreJsonLines() throws IOException {
    Files.writeString(folder.resolve("e"), event("\"payload\":\"x\""));
    Reading reading = Reading.events().read(folder, "e");

    assertThat(reading.problems()).containsExactly("ingestion_id is null or absent");
  }
}
