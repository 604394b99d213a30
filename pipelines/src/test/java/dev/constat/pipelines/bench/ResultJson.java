package dev.constat.pipelines.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.constat.pipelines.bench.Results.Entry;
import dev.constat.pipelines.bench.Results.Size;
import dev.constat.pipelines.output.JsonText;
import java.io.IOException;
import java.io.OutputStream;

/** Results as one JSON document, every single run included. */
final class ResultJson {

  private ResultJson() {}

  /** Writes them; {@code out} stays open. */
  static void write(Results results, String mode, OutputStream out) throws IOException {
    JsonGenerator json = JsonText.document(out);
    json.writeStartObject();
    json.writeStringField("mode", mode);
    json.writeStringField("heap", results.heap());
    json.writeNumberField("rounds", results.rounds());
    Machine machine = results.machine();
    json.writeObjectFieldStart("machine");
    json.writeStringField("processor", machine.processor());
    json.writeNumberField("cores", machine.cores());
    json.writeNumberField("memory_bytes", machine.memoryBytes());
    json.writeStringField("kernel", machine.kernel());
    json.writeStringField("java", machine.java());
    json.writeStringField("duckdb", machine.duckdb());
    json.writeStringField("day", machine.day().toString());
    json.writeEndObject();
    json.writeArrayFieldStart("sizes");
    for (Size size : results.sizes()) {
      json.writeStartObject();
      json.writeNumberField("receptions", size.receptions());
      json.writeNumberField("records", size.records());
      json.writeArrayFieldStart("ways");
      for (Entry entry : size.entries()) {
        write(size, entry, json);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("compared");
      for (String line : size.compared()) {
        json.writeString(line);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    JsonText.newLine(json);
    json.flush();
  }

  private static void write(Size size, Entry entry, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("way", entry.name());
    json.writeStringField("title", entry.title());
    json.writeNumberField("parallelism", entry.parallelism());
    json.writeStringField("failure", entry.failure());
    if (entry.failure() == null) {
      json.writeObjectFieldStart("median");
      writeFigures(entry.median(), json);
      json.writeNumberField("records_per_second_per_core", ResultTable.perCore(size, entry));
      json.writeEndObject();
    }
    json.writeArrayFieldStart("runs");
    for (Measurement run : entry.runs()) {
      json.writeStartObject();
      writeFigures(run, json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeFigures(Measurement run, JsonGenerator json) throws IOException {
    json.writeNumberField("wall_ms", run.wallMillis());
    json.writeNumberField("cpu_ms", run.cpuMillis());
    json.writeNumberField("peak_bytes", run.peakBytes());
  }
}
