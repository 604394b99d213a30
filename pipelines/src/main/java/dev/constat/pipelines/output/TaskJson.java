package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Writes what a run made besides judging into its summary. */
final class TaskJson {

  private TaskJson() {}

  /** Writes the members of {@code task} into the object that is open. */
  static void write(TaskReport task, JsonGenerator json) throws IOException {
    if (task instanceof RebuildReport rebuild) {
      writeRebuild(rebuild, json);
    } else if (task instanceof ReplayPlanReport replay) {
      writeReplay(replay, json);
    } else if (task instanceof RepairPlanReport repair) {
      writeRepair(repair, json);
    }
  }

  private static void writeRebuild(RebuildReport rebuild, JsonGenerator json) throws IOException {
    json.writeStringField("replay_id", rebuild.replayId());
    json.writeStringField("work", rebuild.work());
    json.writeStringField("projection", rebuild.projection());
    SummaryJson.writeTime("from", rebuild.from(), json);
    SummaryJson.writeTime("to", rebuild.to(), json);
    json.writeArrayFieldStart("versions");
    for (RebuildReport.Version version : rebuild.versions()) {
      json.writeStartObject();
      json.writeStringField("version", version.version());
      json.writeNumberField("cells", version.cells());
      json.writeNumberField("on_time", version.onTime());
      json.writeNumberField("refined", version.refined());
      json.writeNumberField("too_late", version.tooLate());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("differences");
    for (RebuildReport.Difference difference : rebuild.differences()) {
      json.writeStartObject();
      json.writeStringField("version_a", rebuild.versions().get(0).version());
      json.writeStringField("version_b", difference.version());
      json.writeNumberField("cells", difference.cells());
      json.writeNumberField("rows", difference.rows());
      SummaryJson.writeCounts("causes", difference.causes(), json);
      json.writeArrayFieldStart("not_compared");
      for (String column : difference.notCompared()) {
        json.writeString(column);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeReplay(ReplayPlanReport replay, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("replay");
    json.writeStringField("topic", replay.topic());
    SummaryJson.writeTime("from", replay.from(), json);
    SummaryJson.writeTime("to", replay.to(), json);
    json.writeStringField("batch_id", replay.batchId());
    json.writeNumberField("events", replay.events());
    SummaryJson.writeCounts("withheld", replay.withheld(), json);
    json.writeNumberField("without_topic", replay.withoutTopic());
    json.writeArrayFieldStart("effects");
    for (ReplayPlanReport.Effect effect : replay.effects()) {
      json.writeStartObject();
      json.writeStringField("effect_type", effect.type());
      json.writeBooleanField("replayable", effect.replayable());
      json.writeNumberField("events", effect.events());
      json.writeNumberField("predicted", effect.predicted());
      json.writeNumberField("consumers_unknown", effect.consumersUnknown());
      if (effect.alreadyAcknowledged() == null) {
        json.writeNullField("already_acknowledged");
      } else {
        json.writeNumberField("already_acknowledged", effect.alreadyAcknowledged());
      }
      json.writeNumberField("withheld", effect.withheld());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeRepair(RepairPlanReport repair, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("repair");
    json.writeNumberField("planned", repair.planned());
    json.writeArrayFieldStart("messages");
    for (RepairPlanReport.Messages messages : repair.messages()) {
      json.writeStartObject();
      json.writeStringField("effect_type", messages.effectType());
      json.writeStringField("kind", messages.kind());
      json.writeNumberField("planned", messages.planned());
      json.writeNumberField("withheld", messages.withheld());
      json.writeEndObject();
    }
    json.writeEndArray();
    SummaryJson.writeCounts("withheld", repair.withheld(), json);
    SummaryJson.writeCounts("not_mended", repair.notMended(), json);
    json.writeEndObject();
  }
}
