package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.Format;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CloudEventAttributesTest {

  private static Archive events(String keys) {
    return Specs.parse(Specs.events(keys)).archives().get(Input.EVENTS);
  }

  @Test
  void everyColumnHasAnAttribute() {
    Archive archive = events("format: cloudevents");

    assertThat(archive.format()).isEqualTo(Format.CLOUDEVENTS);
    assertThat(archive.columns())
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("ingestion_id", "ingestionid"),
                Map.entry("source_event_id", "id"),
                Map.entry("source_sequence", "sequence"),
                Map.entry("partition", "partitionkey"),
                Map.entry("occurred_at", "time"),
                Map.entry("received_at", "receivedat"),
                Map.entry("schema_version", "dataschema"),
                Map.entry("payload", "data"),
                Map.entry("payload_hash", "payloadhash"),
                Map.entry("business_key", "subject"),
                Map.entry("topic", "type"),
                Map.entry("aggregate_type", "aggregatetype"),
                Map.entry("aggregate_id", "aggregateid"),
                Map.entry("supersede_reason", "supersedereason"),
                Map.entry("supersedes_occurred_at", "supersedesoccurredat"),
                Map.entry("replay_id", "replaybatchid"),
                Map.entry("original_event_id", "originaleventid")));
  }

  @Test
  void whatTheRunSpecSaysItselfStands() {
    Archive archive =
        events("format: cloudevents\n    columns: {topic: lane}\n    constants: {partition: p0}");

    assertThat(archive.columns()).containsEntry("topic", "lane").doesNotContainKey("partition");
    assertThat(archive.constants()).containsExactly(Map.entry("partition", "p0"));
  }

  @Test
  void onlyWhatTheRunSpecMapsOtherwiseIsAskedFor() {
    Archive archive = events("format: cloudevents\n    columns: {topic: lane}");

    assertThat(archive.mapsByFormat("partition", "partitionkey")).isTrue();
    assertThat(archive.mapsByFormat("topic", "lane")).isFalse();
    assertThat(events("format: jsonl").mapsByFormat("partition", "partitionkey")).isFalse();
  }

  @Test
  void noOtherFormatHasThem() {
    assertThat(events("format: jsonl").columns()).isEmpty();
    assertThat(events("allow_empty: true").columns()).isEmpty();
  }

  @Test
  void theCanonicalTextReadsBackAsTheSame() {
    RunSpec spec = Specs.parse(Specs.events("format: cloudevents"));

    assertThat(Specs.parse(spec.canonical())).isEqualTo(spec);
  }
}
