package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Writes {@code run.json}: the one document that knows clock and machine, and every file. */
public final class RunJson {

  private RunJson() {}

  /** Writes to {@code out}, which the caller closes. */
  public static void write(
      RunReport report, Execution execution, ImmutableList<RunFile> files, OutputStream out)
      throws IOException {
    write(report, null, execution, files, out);
  }

  /**
   * Writes to {@code out}, which the caller closes.
   *
   * @param task what the run made besides judging, or null where that is all
   */
  public static void write(
      RunReport report,
      TaskReport task,
      Execution execution,
      ImmutableList<RunFile> files,
      OutputStream out)
      throws IOException {
    try (JsonGenerator json = JsonText.document(out)) {
      json.writeStartObject();
      json.writeNumberField("constat", 1);
      json.writeStringField("run_id", execution.runId());
      SummaryJson.writeVerdict(report, json);
      json.writeStringField("command", execution.command());
      if (task instanceof RebuildReport rebuild) {
        json.writeStringField("replay_id", rebuild.replayId());
      }
      json.writeArrayFieldStart("arguments");
      for (String argument : execution.arguments()) {
        json.writeString(argument);
      }
      json.writeEndArray();
      json.writeObjectFieldStart("spec");
      json.writeStringField("file", execution.specFile());
      json.writeStringField("sha256", execution.specSha256());
      json.writeEndObject();
      SummaryJson.writeTime("started_at", execution.startedAt(), json);
      SummaryJson.writeTime("finished_at", execution.finishedAt(), json);
      json.writeNumberField("buckets", execution.buckets());
      json.writeStringField("id_order", report.order().idOrder());
      json.writeObjectFieldStart("limits");
      for (Map.Entry<String, Integer> limit : execution.limits().entrySet()) {
        json.writeNumberField(limit.getKey(), limit.getValue());
      }
      json.writeEndObject();
      writeFacts("versions", execution.versions(), json);
      writeFacts("machine", execution.machine(), json);
      json.writeArrayFieldStart("inputs");
      for (Execution.InputFile input : execution.inputFiles()) {
        json.writeStartObject();
        json.writeStringField("input", input.input());
        json.writeStringField("file", input.file());
        json.writeNumberField("rows", input.rows());
        json.writeNumberField("bytes", input.bytes());
        json.writeStringField("sha256", input.sha256());
        json.writeEndObject();
      }
      json.writeEndArray();
      SummaryJson.writeBooks(report, json);
      SummaryJson.writeCoverage(report, json);
      json.writeArrayFieldStart("files");
      for (RunFile file : files) {
        json.writeStartObject();
        json.writeStringField("file", file.name());
        if (file.rows().isPresent()) {
          json.writeNumberField("rows", file.rows().getAsLong());
        }
        json.writeNumberField("bytes", file.bytes());
        json.writeStringField("sha256", file.sha256());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      JsonText.newLine(json);
    }
  }

  private static void writeFacts(String name, Map<String, String> facts, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      json.writeStringField(fact.getKey(), fact.getValue());
    }
    json.writeEndObject();
  }
}
