package dev.constat.transforms.simulator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** An event as its source sends it, and what became of it. */
final class SourceEvent {

  final String source;
  final String id;
  final String topic;
  final String aggregateId;
  final int priority;
  final Instant occurredAt;
  final int content;

  /** Its rows of the first time that it was accepted. */
  final List<OutboxEntry> rows = new ArrayList<>();

  /** When its transaction began, or when it was received where that left no row. */
  Instant createdAt;

  /** Whether nothing about its reception is archived. */
  boolean vanished;

  SourceEvent(
      String source,
      String id,
      String topic,
      String aggregateId,
      int priority,
      Instant occurredAt,
      int content) {
    this.source = source;
    this.id = id;
    this.topic = topic;
    this.aggregateId = aggregateId;
    this.priority = priority;
    this.occurredAt = occurredAt;
    this.content = content;
  }
}
