package dev.constat.rules.order;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.outbox.Status;
import java.time.Duration;
import java.time.Instant;

/**
 * Rows of one aggregate. What is left out: type notify, ordered, judged, settled, PENDING, created
 * at 10:00; times are minutes after it.
 */
final class AggregateRows {

  static final Instant START = Instant.parse("2026-01-05T10:00:00Z");

  private final String id;
  private boolean ordered = true;
  private boolean settled = true;
  private boolean provisional;
  private boolean waiting;
  private Status status = Status.PENDING;
  private int created;
  private Integer delivery;
  private Integer dead;
  private Integer visible;
  private Long attempts;
  private Long priority;
  private String type = "notify";

  private AggregateRows(String id) {
    this.id = id;
  }

  static AggregateRows of(String id) {
    return new AggregateRows(id);
  }

  static Instant at(int minute) {
    return START.plus(Duration.ofMinutes(minute));
  }

  AggregateRows created(int minute) {
    created = minute;
    return this;
  }

  AggregateRows delivered(int minute) {
    delivery = minute;
    status = Status.DISPATCHED;
    return this;
  }

  AggregateRows dead(int minute) {
    dead = minute;
    status = delivery == null ? Status.DLQ : status;
    return this;
  }

  AggregateRows visible(int minute) {
    visible = minute;
    return this;
  }

  AggregateRows status(Status value) {
    status = value;
    return this;
  }

  AggregateRows attempts(long value) {
    attempts = value;
    return this;
  }

  AggregateRows priority(Long value) {
    priority = value;
    return this;
  }

  AggregateRows type(String value) {
    type = value;
    return this;
  }

  AggregateRows unordered() {
    ordered = false;
    return this;
  }

  AggregateRows unsettled() {
    settled = false;
    return this;
  }

  AggregateRows provisional() {
    provisional = true;
    return this;
  }

  AggregateRows waiting() {
    waiting = true;
    return this;
  }

  private static Instant orNull(Integer minute) {
    return minute == null ? null : at(minute);
  }

  AggregateRow get() {
    OptionalTime dlqAt = dead == null ? OptionalTime.ABSENT : OptionalTime.at(at(dead));
    return new AggregateRow(
        "acct",
        "a1",
        id,
        at(created),
        type,
        ordered,
        true,
        settled,
        provisional,
        waiting,
        status,
        Release.of(status, orNull(delivery), true, dlqAt.orNull(), true),
        orNull(delivery),
        dlqAt.orNull(),
        attempts,
        priority,
        orNull(visible),
        waiting ? Duration.ofMinutes(30) : null,
        ordered ? new Place(Input.OUTBOX.ordinal(), 0, 0, created, 0) : null);
  }

  static KeyWriter position(AggregateRow row) {
    KeyWriter out = new KeyWriter();
    row.writePosition(out, false);
    return out;
  }

  static KeyWriter content(AggregateRow row) {
    KeyWriter out = new KeyWriter();
    row.writeContent(out);
    return out;
  }
}
