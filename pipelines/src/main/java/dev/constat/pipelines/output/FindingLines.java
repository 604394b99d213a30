package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;

/** Writes {@code findings.jsonl}: one finding per line, every key on every line, in fixed order. */
public final class FindingLines implements AutoCloseable {

  private final JsonGenerator json;
  private final Places places;

  private FindingLines(JsonGenerator json, Places places) {
    this.json = json;
    this.places = places;
  }

  /** Lines into {@code out}, which the caller closes. */
  public static FindingLines to(OutputStream out, Places places) throws IOException {
    return new FindingLines(JsonText.lines(out), places);
  }

  /**
   * Writes the next line.
   *
   * @param state how it stands to what was known before, or null where nothing was
   */
  public void write(Finding finding, FindingState state) throws IOException {
    json.writeStartObject();
    json.writeStringField("fingerprint", finding.fingerprint());
    json.writeStringField("kind", finding.kind().name());
    json.writeStringField("level", finding.level().key());
    json.writeStringField("state", state == null ? null : state.name());
    writeJson("subject", finding.subject());
    json.writeStringField("reason", finding.reason());
    writeJson("expected", finding.expected());
    writeJson("actual", finding.actual());
    json.writeStringField("rule", finding.rule());
    json.writeArrayFieldStart("evidence");
    for (Place place : finding.evidence()) {
      writeEvidence(places.of(place));
    }
    json.writeEndArray();
    writeTime("first_at", finding.firstAt());
    writeTime("last_at", finding.lastAt());
    json.writeArrayFieldStart("hints");
    for (String hint : finding.hints()) {
      json.writeString(hint);
    }
    json.writeEndArray();
    json.writeNumberField("occurrences", finding.occurrences());
    json.writeEndObject();
    JsonText.newLine(json);
  }

  private void writeEvidence(Evidence evidence) throws IOException {
    json.writeStartObject();
    if (evidence instanceof Evidence.Row row) {
      json.writeStringField("file", row.file());
      json.writeNumberField("row_group", row.rowGroup());
      json.writeNumberField("row", row.row());
    } else if (evidence instanceof Evidence.Line line) {
      json.writeStringField("file", line.file());
      json.writeNumberField("line", line.line());
      json.writeNumberField("byte_offset", line.byteOffset());
    } else if (evidence instanceof Evidence.File file) {
      json.writeStringField("file", file.file());
    } else if (evidence instanceof Evidence.TableRow row) {
      json.writeStringField("table", row.table());
      json.writeStringField("key", row.key());
    }
    json.writeEndObject();
  }

  private void writeJson(String name, String text) throws IOException {
    json.writeFieldName(name);
    JsonText.embed(json, text);
  }

  private void writeTime(String name, Instant time) throws IOException {
    json.writeStringField(name, time == null ? null : time.toString());
  }

  /** Writes out what is still held back. */
  @Override
  public void close() throws IOException {
    json.close();
  }
}
