package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.Status;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Outbox rows as cases.md writes them, with their acknowledgements. What is left out: event S/e1,
 * type notify, DISPATCHED at one attempt, created at 10:00:01.
 */
final class Rows {

  private final String id;
  private String source = "S";
  private String event = "e1";
  private String type = "notify";
  private String topic;
  private Status status = Status.DISPATCHED;
  private Long attempts = 1L;
  private String created = "10:00:01";
  private OptionalTime visible = OptionalTime.ABSENT;
  private OptionalTime claimed = OptionalTime.ABSENT;
  private String owner;
  private OptionalTime lease = OptionalTime.ABSENT;
  private OptionalTime dispatched = OptionalTime.ABSENT;
  private OptionalTime dead = OptionalTime.ABSENT;
  private String version;
  private String replayId;
  private List<String> named = List.of();
  private boolean conflict;
  private boolean joinsNone;
  private String acknowledgedEvent;
  private List<Acks> acks = List.of();
  private List<OutboxRow> older = List.of();

  private Rows(String id) {
    this.id = id;
  }

  static Rows of(String id) {
    return new Rows(id);
  }

  Rows event(String value) {
    event = value;
    return this;
  }

  Rows source(String value) {
    source = value;
    return this;
  }

  Rows type(String value) {
    type = value;
    return this;
  }

  Rows topic(String value) {
    topic = value;
    return this;
  }

  Rows status(Status value) {
    status = value;
    return this;
  }

  Rows pending() {
    attempts = 0L;
    return status(Status.PENDING);
  }

  Rows processing() {
    attempts = 0L;
    return status(Status.PROCESSING);
  }

  Rows attempts(Long value) {
    attempts = value;
    return this;
  }

  Rows created(String time) {
    created = time;
    return this;
  }

  /** A time ends in "?" where it has no zone. */
  private static OptionalTime time(String text) {
    if (text == null) {
      return OptionalTime.ABSENT;
    }
    return text.endsWith("?")
        ? new OptionalTime(Times.at(text.substring(0, text.length() - 1)), false)
        : OptionalTime.at(Times.at(text));
  }

  Rows visible(String time) {
    visible = time(time);
    return this;
  }

  Rows claimed(String time) {
    claimed = time(time);
    return this;
  }

  Rows lease(String ownerName, String until) {
    owner = ownerName;
    lease = time(until);
    return this;
  }

  Rows dispatched(String time) {
    dispatched = time(time);
    return this;
  }

  Rows dead(String time) {
    dead = time(time);
    return this;
  }

  Rows version(String value) {
    version = value;
    return this;
  }

  Rows replay(String value) {
    replayId = value;
    return this;
  }

  Rows named(String... values) {
    named = Arrays.asList(values);
    return this;
  }

  Rows conflicting(boolean contentsNameTwoEvents) {
    conflict = true;
    joinsNone = contentsNameTwoEvents;
    return this;
  }

  Rows acknowledgedFor(String otherEvent) {
    acknowledgedEvent = otherEvent;
    return this;
  }

  Rows acks(Acks... values) {
    acks = Arrays.asList(values);
    return this;
  }

  /** Older versions of the row, in their order. */
  Rows after(Rows... versions) {
    older = Arrays.stream(versions).map(Rows::row).toList();
    return this;
  }

  List<OutboxRow> older() {
    return older;
  }

  Place place() {
    return Places.of(Input.OUTBOX, id);
  }

  OutboxRow row() {
    return new OutboxRow(
        id,
        source,
        event,
        type,
        topic,
        "acct",
        "a1",
        0L,
        status,
        attempts,
        Times.at(created),
        visible,
        claimed,
        owner,
        lease,
        dispatched,
        dead,
        Revision.of(version),
        replayId,
        named,
        place());
  }

  /** The acknowledgements, in the order in which those of a row come. */
  List<Acknowledgement> acknowledgements() {
    return acks.stream().map(ack -> ack.get(id)).toList();
  }

  Delivery delivery() {
    Instant firstAck = null;
    Acknowledgement original = null;
    for (Acknowledgement ack : acknowledgements()) {
      firstAck = firstAck == null || ack.ackedAt().isBefore(firstAck) ? ack.ackedAt() : firstAck;
      if (!ack.replayed()
          && ack.effective()
          && (original == null || ack.ackedAt().isBefore(original.ackedAt()))) {
        original = ack;
      }
    }
    return new Delivery(
        row(),
        conflict,
        joinsNone,
        conflict ? Places.of(Input.OUTBOX, id + "'") : null,
        firstAck,
        original == null ? null : original.ackedAt(),
        original == null ? null : original.place(),
        acknowledgedEvent);
  }
}
