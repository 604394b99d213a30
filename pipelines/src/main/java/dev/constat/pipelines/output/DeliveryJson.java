package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.lease.DelayBuckets;
import dev.constat.rules.lease.Delays;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.reconcile.DedupMemory;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.reconcile.LagBuckets;
import dev.constat.rules.reconcile.SideChannels;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Writes the parts of {@code summary.json} that tell of deliveries. */
final class DeliveryJson {

  private static final int SHARE_OF_99 = 990;
  private static final int SHARE_OF_99_9 = 999;

  private static final String LONGER = "longer";
  private static final ImmutableList<Duration> DELAY_BOUNDS =
      DelayBuckets.BOUNDS.stream()
          .mapToObj(Duration::ofMillis)
          .collect(ImmutableList.toImmutableList());
  private static final ImmutableList<Duration> DISTANCE_BOUNDS =
      LagBuckets.BOUNDS.stream()
          .mapToObj(Duration::ofSeconds)
          .collect(ImmutableList.toImmutableList());

  private DeliveryJson() {}

  static void write(DeliveryReport report, JsonGenerator json) throws IOException {
    writeLeases(report, json);
    writeDeadLetters(report, json);
    writeMemory(report, json);
    writeSideChannels(report.sideChannels(), json);
  }

  private static void writeLeases(DeliveryReport report, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("leases");
    for (DeliveryTimes.OfType type : report.leases()) {
      json.writeStartObject();
      json.writeStringField("effect_type", type.effectType());
      json.writeNumberField("rows", type.rows());
      SummaryJson.writeCounts("redeliveries", type.windows(), json);
      writeDelays("dispatch_to_ack", type.dispatchToAck(), json);
      writeDelays("claim_to_dispatch", type.claimToDispatch(), json);
      writeDelays("claims", type.lease(), json);
      writeTtl(type, json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeDelays(String name, Delays delays, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("count", delays.count());
    writeDuration("longest", delays.longest(), json);
    json.writeStringField("outbox_id", delays.outboxId());
    writeBuckets("up_to", delays.counts(), DELAY_BOUNDS, json);
    json.writeEndObject();
  }

  private static void writeTtl(DeliveryTimes.OfType type, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("lease_ttl");
    writeDuration("declared", type.leaseTtl(), json);
    json.writeNumberField("claims_beyond", type.overTtl());
    writeDuration("enough", type.lease().longest(), json);
    writeDuration("enough_for_99_percent", type.lease().covering(SHARE_OF_99), json);
    writeDuration("enough_for_99_9_percent", type.lease().covering(SHARE_OF_99_9), json);
    json.writeEndObject();
  }

  private static void writeDeadLetters(DeliveryReport report, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart("dead_letters");
    for (DeliveryReport.Dead dead : report.deadLetters()) {
      json.writeStartObject();
      json.writeStringField("effect_type", dead.effectType());
      json.writeNumberField("declared", dead.declared());
      json.writeNumberField("implicit", dead.implicit());
      SummaryJson.writeCounts("received", dead.received(), json);
      SummaryJson.writeCounts("never_received", dead.neverReceived(), json);
      SummaryJson.writeCounts("not_judged", dead.notJudged(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeMemory(DeliveryReport report, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("dedup_memory");
    for (DedupMemory.OfSource source : report.memory()) {
      json.writeStartObject();
      json.writeStringField("source", source.source());
      json.writeNumberField("repeats", source.repeats());
      writeDuration("enough", source.enough(), json);
      json.writeStringField("source_event_id", source.sourceEventId());
      writeDuration("retention", source.retention(), json);
      json.writeNumberField("beyond_retention", source.beyondRetention());
      json.writeNumberField("forgotten", source.forgotten());
      json.writeNumberField("raced", source.raced());
      writeDuration("shortest_forgotten", source.shortestForgotten(), json);
      json.writeNumberField("remembered", source.remembered());
      writeDuration("longest_remembered", source.longestRemembered(), json);
      json.writeNumberField("surplus_rows", source.surplusRows());
      writeBuckets("distances", source.counts(), DISTANCE_BOUNDS, json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeSideChannels(SideChannels channels, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart("side_channels");
    json.writeArrayFieldStart("consumers");
    for (SideChannels.OfConsumer consumer : channels.consumers()) {
      json.writeStartObject();
      json.writeStringField("consumer", consumer.consumer());
      json.writeBooleanField("declared", consumer.declared());
      json.writeNumberField("acks", consumer.acks());
      SummaryJson.writeTime("first_at", consumer.firstAt(), json);
      SummaryJson.writeTime("last_at", consumer.lastAt(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("unwritten");
    for (SideChannels.OfType type : channels.types()) {
      if (type.unwritten()) {
        json.writeString(type.effectType());
      }
    }
    json.writeEndArray();
    json.writeArrayFieldStart("effect_types");
    for (SideChannels.OfType type : channels.types()) {
      json.writeStartObject();
      json.writeStringField("effect_type", type.effectType());
      json.writeBooleanField("declared", type.declared());
      json.writeNumberField("expected", type.expected());
      json.writeNumberField("rows", type.rows());
      SummaryJson.writeTime("last_created_at", type.lastCreatedAt(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Counts by the upper bound of their bucket, empty ones left out. */
  private static void writeBuckets(
      String name, List<Long> counts, ImmutableList<Duration> bounds, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (int i = 0; i < counts.size(); i++) {
      if (counts.get(i) > 0) {
        json.writeNumberField(i < bounds.size() ? bounds.get(i).toString() : LONGER, counts.get(i));
      }
    }
    json.writeEndObject();
  }

  private static void writeDuration(String name, Duration duration, JsonGenerator json)
      throws IOException {
    json.writeStringField(name, duration == null ? null : duration.toString());
  }
}
