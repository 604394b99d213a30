package dev.constat.pipelines.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Lines of JSON that {@link CoGroupByKeyPeer} writes. */
final class PeerLines {

  private static final JsonFactory JSON = new JsonFactory();

  private PeerLines() {}

  /** Fills an object. */
  interface Fields {

    void write(JsonGenerator json) throws IOException;
  }

  static String line(Fields fields) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    }
    return text.toString();
  }

  static void time(JsonGenerator json, String name, long micros) throws IOException {
    json.writeStringField(name, micros == PeerRecords.NONE ? null : instant(micros).toString());
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  static String key(String source, String eventId) throws IOException {
    return line(
        json -> {
          json.writeStringField("source", source);
          json.writeStringField("source_event_id", eventId);
        });
  }

  /** A finding; subject: names and values in turn, names in order. */
  static String finding(String kind, long occurrences, String... subject) throws IOException {
    return line(
        json -> {
          json.writeStringField("kind", kind);
          json.writeObjectFieldStart("subject");
          for (int i = 0; i < subject.length; i += 2) {
            json.writeStringField(subject[i], subject[i + 1]);
          }
          json.writeEndObject();
          json.writeNumberField("occurrences", occurrences);
        });
  }
}
