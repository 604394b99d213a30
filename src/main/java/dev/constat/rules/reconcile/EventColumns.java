package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.spec.RunSpec;
import java.util.List;

/** The columns of events by name: those of the contract and those that the run spec names. */
public final class EventColumns {

  private final List<String> named;

  /** The columns of a run's events. */
  public EventColumns(RunSpec spec) {
    this.named = spec.namedColumns(Input.EVENTS).asList();
  }

  /** The value of a column, as text, or null where the event has none. */
  public String value(String name, Reception event) {
    return switch (name) {
      case "ingestion_id" -> event.ingestionId();
      case "source" -> event.source();
      case "source_event_id" -> event.sourceEventId();
      case "source_sequence" ->
          event.sourceSequence() == null ? null : Long.toUnsignedString(event.sourceSequence());
      case "partition" -> event.partition();
      case "occurred_at" -> event.occurredAt().toString();
      case "received_at" -> event.receivedAt().toString();
      case "schema_version" -> event.schemaVersion();
      case "payload_hash" -> event.payloadHash();
      case "business_key" -> event.businessKey();
      case "topic" -> event.topic();
      case "aggregate_type" -> event.aggregateType();
      case "aggregate_id" -> event.aggregateId();
      case "supersedes" -> event.supersedes();
      case "supersede_reason" -> event.supersedeReason();
      case "replay_id" -> event.replayId();
      case "original_event_id" -> event.originalEventId();
      default -> event.named().get(named.indexOf(name));
    };
  }
}
