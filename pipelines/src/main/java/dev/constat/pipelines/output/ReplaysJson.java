package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.ImmutableList;
import java.io.IOException;

/** Writes {@code replays} of {@code summary.json}: one object per replay, by id. */
final class ReplaysJson {

  private ReplaysJson() {}

  static void write(ImmutableList<RunReport.ReplayFacts> replays, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart("replays");
    for (RunReport.ReplayFacts replay : replays) {
      json.writeStartObject();
      json.writeStringField("replay_id", replay.replayId());
      json.writeBooleanField("registered", replay.registered());
      json.writeStringField("topic", replay.topic());
      SummaryJson.writeTime("from", replay.from(), json);
      SummaryJson.writeTime("to", replay.to(), json);
      if (replay.authorised() == null) {
        json.writeNullField("effects_authorised");
      } else {
        json.writeBooleanField("effects_authorised", replay.authorised());
      }
      json.writeStringField("effect_keys", replay.effectKeys());
      writeActivity(replay.activity(), json);
      if (replay.scopeEvents() == null) {
        json.writeNullField("scope_events");
      } else {
        json.writeNumberField("scope_events", replay.scopeEvents());
      }
      json.writeNumberField("seen_events", replay.seenEvents());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeActivity(RunReport.ReplayActivityFacts activity, JsonGenerator json)
      throws IOException {
    SummaryJson.writeTime("first_at", activity.firstAt(), json);
    SummaryJson.writeTime("last_at", activity.lastAt(), json);
    json.writeNumberField("receptions", activity.receptions());
    json.writeNumberField("rows", activity.rows());
    json.writeNumberField("acks", activity.acks());
    json.writeNumberField("effects", activity.effects());
    json.writeNumberField("redeliveries", activity.redeliveries());
    json.writeNumberField("further_effects", activity.furtherEffects());
    json.writeNumberField("unauthorised", activity.unauthorised());
    json.writeNumberField("restarts", activity.restarts());
  }
}
