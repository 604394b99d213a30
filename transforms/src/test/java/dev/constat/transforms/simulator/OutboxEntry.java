package dev.constat.transforms.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A row of the outbox, all its versions, and what was done with it. */
final class OutboxEntry {

  enum Status {
    PENDING,
    PROCESSING,
    DISPATCHED,
    DLQ
  }

  /**
   * A lease.
   *
   * @param owner who holds it
   * @param from since when
   * @param until up to when
   * @param rows how many rows were claimed with it
   */
  record Claim(String owner, Instant from, Instant until, int rows) {}

  final SourceEvent event;
  final String id;
  final String type;
  final Instant createdAt;
  final String replayId;
  final List<ObjectNode> versions = new ArrayList<>();

  // as the table has it
  Status status = Status.PENDING;
  int attempts;
  Instant visibleAt;
  Instant claimedAt;
  String owner;
  Instant leaseUntil;
  Instant dispatchedAt;
  Instant dlqAt;

  // what the simulator knows of it
  Fault fault = Fault.NONE;
  boolean faultPlayed;
  boolean committed;
  boolean surplus;

  /** Whether no poll takes it up any more. */
  boolean abandoned;

  /** The head for which the last poll passed it over, or null. */
  OutboxEntry passedOverFor;

  Claim claim;
  boolean stolen;
  int failed;
  final List<Instant> marks = new ArrayList<>();
  final List<Instant> claimTimes = new ArrayList<>();

  /** When a consumer saw it first. */
  Instant seenAt;

  /** Earlier rows that no consumer had seen by then, and that were not dead. */
  final List<OutboxEntry> overtook = new ArrayList<>();

  /** Later rows that were seen after it had been given up, and before it was seen after all. */
  int overtakenWhileDead;

  OutboxEntry(SourceEvent event, String id, String type, Instant createdAt, String replayId) {
    this.event = event;
    this.id = id;
    this.type = type;
    this.createdAt = createdAt;
    this.replayId = replayId;
  }

  boolean terminal() {
    return status == Status.DISPATCHED || status == Status.DLQ;
  }

  /** Whether a fault is due, which then will not be again. */
  boolean plays(Fault candidate) {
    if (fault != candidate || faultPlayed) {
      return false;
    }
    faultPlayed = true;
    return true;
  }

  /** Notes down the row as it is now. */
  void keepVersion() {
    ObjectNode columns = JsonNodeFactory.instance.objectNode();
    columns
        .put("outbox_id", id)
        .put("source", event.source)
        .put("source_event_id", event.id)
        .put("effect_type", type)
        .put("topic", event.topic)
        .put("aggregate_type", "account")
        .put("aggregate_id", event.aggregateId)
        .put("priority", event.priority)
        .put("status", status.name())
        .put("attempts", attempts)
        .put("created_at", createdAt.toString())
        .put("visible_at", text(visibleAt))
        .put("claimed_at", text(claimedAt))
        .put("lease_owner", owner)
        .put("lease_until", text(leaseUntil))
        .put("dispatched_at", text(dispatchedAt))
        .put("dlq_at", text(dlqAt))
        .put("row_version", String.valueOf(versions.size() + 1))
        .put("replay_id", replayId);
    versions.add(columns);
  }

  private static String text(Instant time) {
    return time == null ? null : time.toString();
  }

  @Override
  public String toString() {
    return id + " " + status;
  }
}
