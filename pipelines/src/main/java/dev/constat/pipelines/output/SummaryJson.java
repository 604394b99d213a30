package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.constat.rules.baseline.Acknowledgements;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.reconcile.Book;
import dev.constat.rules.spec.Baseline;
import dev.constat.rules.time.SweepRow;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes {@code summary.json}: the same bytes for the same result. */
public final class SummaryJson {

  private SummaryJson() {}

  /** Writes to {@code out}, which the caller closes. */
  public static void write(RunReport report, OutputStream out) throws IOException {
    write(report, null, ExternalEffects.NONE, out);
  }

  /**
   * Writes to {@code out}, which the caller closes.
   *
   * @param task what the run made besides judging, or null where that is all
   * @param effects what the run did to the world
   */
  public static void write(
      RunReport report, TaskReport task, ExternalEffects effects, OutputStream out)
      throws IOException {
    try (JsonGenerator json = JsonText.document(out)) {
      json.writeStartObject();
      writeVerdict(report, json);
      if (task != null) {
        TaskJson.write(task, json);
      }
      boolean plans = task instanceof ReplayPlanReport || task instanceof RepairPlanReport;
      writeInputs(report, json);
      writeCounts("decisions", report.decisions(), json);
      if (!plans) {
        writeCounts("timeliness", report.timeliness(), json);
      }
      writeFindings(report, json);
      if (report.baseline() != null) {
        writeBaseline(report.baseline(), json);
      }
      writeCounts("silent", report.silent(), json);
      writeBooks(report, json);
      writeCoverage(report, json);
      effects.write(json);
      if (!plans) { // a plan has no clock
        writeSources(report, json);
        writeLateness(report, json);
        writeOrder(report.order(), json);
        DeliveryJson.write(report.deliveries(), json);
        ReplaysJson.write(report.replays(), json);
        writeCauses(report, json);
      }
      json.writeEndObject();
      JsonText.newLine(json);
    }
  }

  static void writeVerdict(RunReport report, JsonGenerator json) throws IOException {
    json.writeStringField("name", report.name());
    json.writeStringField("version", report.version());
    writeTime("as_of", report.asOf(), json);
    json.writeStringField("verdict", report.verdict().name());
    json.writeArrayFieldStart("reasons");
    for (String reason : report.reasons()) {
      json.writeString(reason);
    }
    json.writeEndArray();
  }

  private static void writeInputs(RunReport report, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("inputs");
    for (RunReport.InputFacts input : report.inputs()) {
      json.writeStartObject();
      json.writeStringField("input", input.input());
      json.writeNumberField("rows", input.rows());
      json.writeNumberField("unreadable", input.unreadable());
      writeTime("first", input.first(), json);
      writeTime("last", input.last(), json);
      writeTime("start", input.start(), json);
      writeTime("cut", input.cut(), json);
      json.writeBooleanField("cut_inferred", input.cutInferred());
      json.writeStringField(
          "retention", input.retention() == null ? null : input.retention().toString());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeFindings(RunReport report, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("findings");
    Map<Kind, RunReport.KindCount> byKind = new LinkedHashMap<>();
    report.findings().forEach(count -> byKind.merge(count.kind(), count, RunReport.KindCount::and));
    for (RunReport.KindCount count : byKind.values()) {
      json.writeObjectFieldStart(count.kind().name());
      json.writeStringField("level", count.level().key());
      json.writeNumberField("findings", count.findings());
      json.writeNumberField("occurrences", count.occurrences());
      if (report.baseline() != null) {
        json.writeNumberField("acknowledged", count.acknowledged());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void writeBaseline(Acknowledgements.Report baseline, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart("baseline");
    json.writeNumberField("entries", baseline.entries());
    json.writeNumberField("findings", baseline.findings());
    json.writeArrayFieldStart("expired");
    for (Acknowledgements.Expired expired : baseline.expired()) {
      json.writeStartObject();
      writeEntry(expired.entry(), json);
      json.writeNumberField("findings", expired.findings());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("unused");
    for (Baseline.Entry unused : baseline.unused()) {
      json.writeStartObject();
      writeEntry(unused, json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeEntry(Baseline.Entry entry, JsonGenerator json) throws IOException {
    if (entry.fingerprint() != null) {
      json.writeStringField("fingerprint", entry.fingerprint());
    } else {
      json.writeStringField("kind", entry.kind().name());
      json.writeObjectFieldStart("subject");
      for (Map.Entry<String, String> column : entry.subject().entrySet()) {
        json.writeStringField(column.getKey(), column.getValue());
      }
      json.writeEndObject();
    }
    json.writeStringField("owner", entry.owner());
    json.writeStringField("reason", entry.reason());
    writeTime("until", entry.until(), json);
  }

  static void writeBooks(RunReport report, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("books");
    for (Book book : report.books()) {
      json.writeStartObject();
      json.writeStringField("book", book.name());
      json.writeNumberField("total", book.total());
      json.writeObjectFieldStart("lines");
      for (Book.Line line : book.lines()) {
        json.writeNumberField(line.name(), line.count());
      }
      json.writeEndObject();
      json.writeNumberField("residue", book.residue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void writeCoverage(RunReport report, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("coverage");
    for (RunReport.Coverage coverage : report.coverage()) {
      json.writeStartObject();
      json.writeStringField("check", coverage.check());
      json.writeNumberField("judged", coverage.judged());
      writeCounts("not_judged", coverage.notJudged(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeSources(RunReport report, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("sources");
    for (RunReport.SourceFacts source : report.sources()) {
      json.writeStartObject();
      json.writeStringField("source", source.source());
      json.writeStringField("schema_version", source.schemaVersion());
      json.writeBooleanField("known_schema", source.knownSchema());
      writeCounts("decisions", source.decisions(), json);
      writeCounts("timeliness", source.timeliness(), json);
      json.writeNumberField("disorder", source.disorder());
      json.writeNumberField("conflicting_keys", source.conflictingKeys());
      json.writeNumberField("quarantined", source.quarantined());
      writeTime("oldest_quarantined", source.oldestQuarantined(), json);
      writeLags(source.lags(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeLags(List<Long> lags, JsonGenerator json) throws IOException {
    json.writeFieldName("lags");
    json.writeStartArray();
    for (long count : lags) {
      json.writeNumber(count);
    }
    json.writeEndArray();
  }

  private static void writeLateness(RunReport report, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("lateness");
    for (SweepRow row : report.lateness()) {
      json.writeStartObject();
      json.writeStringField("source", row.source());
      json.writeStringField("budget", row.budget().toString());
      json.writeNumberField("events", row.events());
      json.writeNumberField("late", row.late());
      json.writeNumberField("changed", row.changed());
      json.writeArrayFieldStart("windows");
      for (SweepRow.Restated restated : row.restated()) {
        json.writeStartObject();
        json.writeStringField("projection", restated.projection());
        json.writeNumberField("windows", restated.windows());
        json.writeNumberField("refines", restated.refines());
        json.writeNumberField("too_late", restated.tooLate());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeOrder(OrderReport order, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("order");
    json.writeStringField("id_order", order.idOrder());
    json.writeArrayFieldStart("effects");
    for (OrderReport.OfType type : order.types()) {
      json.writeStartObject();
      json.writeStringField("effect_type", type.effectType());
      json.writeStringField("order", type.ordered() ? "aggregate" : "none");
      json.writeNumberField("delivered", type.delivered());
      writeCounts("overtakings", type.overtakings(), json);
      json.writeNumberField("priority_inversions", type.priorityInversions());
      if (type.ordered()) {
        json.writeNumberField("heads", type.heads());
        json.writeNumberField("heads_freed_by_dlq", type.freedByDlq());
        json.writeNumberField("heads_blocking", type.still());
        json.writeStringField(
            "longest_block", type.longest() == null ? null : type.longest().blocked().toString());
        json.writeStringField(
            "longest_block_by", type.longest() == null ? null : type.longest().outboxId());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeCauses(RunReport report, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("causes");
    for (RunReport.Cause cause : report.causes()) {
      json.writeStartObject();
      json.writeStringField("kind", cause.kind().name());
      json.writeStringField("by", cause.by());
      json.writeStringField("value", cause.value());
      json.writeNumberField("findings", cause.findings());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void writeCounts(String name, Map<String, Long> counts, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      json.writeNumberField(count.getKey(), count.getValue());
    }
    json.writeEndObject();
  }

  static void writeTime(String name, Instant time, JsonGenerator json) throws IOException {
    json.writeStringField(name, time == null ? null : time.toString());
  }
}
