package dev.constat.rules.outbox;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.identity.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One version of an outbox row; columns of the contract as {@code Input.OUTBOX} names them.
 *
 * @param named values of the columns that the run spec names beyond the contract of events, in the
 *     order of {@link dev.constat.rules.spec.RunSpec#namedColumns}
 */
public record OutboxRow(
    String outboxId,
    String source,
    String sourceEventId,
    String effectType,
    String topic,
    String aggregateType,
    String aggregateId,
    Long priority,
    Status status,
    Long attempts,
    Instant createdAt,
    OptionalTime visibleAt,
    OptionalTime claimedAt,
    String leaseOwner,
    OptionalTime leaseUntil,
    OptionalTime dispatchedAt,
    OptionalTime dlqAt,
    Revision rowVersion,
    String replayId,
    List<String> named,
    Place place) {

  private static final Status[] STATUSES = Status.values();

  /** Reads a row of the archive. */
  public static OutboxRow of(Row row, Layout layout, Iterable<String> namedColumns) {
    String status = row.text(layout.indexOf("status"));
    return new OutboxRow(
        row.text(layout.indexOf("outbox_id")),
        row.text(layout.indexOf("source")),
        row.text(layout.indexOf("source_event_id")),
        row.text(layout.indexOf("effect_type")),
        row.text(layout.indexOf("topic")),
        row.text(layout.indexOf("aggregate_type")),
        row.text(layout.indexOf("aggregate_id")),
        row.integer(layout.indexOf("priority")),
        status == null ? null : Status.valueOf(status),
        row.integer(layout.indexOf("attempts")),
        row.instant(layout.indexOf("created_at")),
        OptionalTime.of(row, layout.indexOf("visible_at")),
        OptionalTime.of(row, layout.indexOf("claimed_at")),
        row.text(layout.indexOf("lease_owner")),
        OptionalTime.of(row, layout.indexOf("lease_until")),
        OptionalTime.of(row, layout.indexOf("dispatched_at")),
        OptionalTime.of(row, layout.indexOf("dlq_at")),
        Revision.of(row.text(layout.indexOf("row_version"))),
        row.text(layout.indexOf("replay_id")),
        named(row, layout, namedColumns),
        row.place());
  }

  private static List<String> named(Row row, Layout layout, Iterable<String> namedColumns) {
    List<String> values = new ArrayList<>();
    for (String name : namedColumns) {
      Object value = row.values()[layout.indexOf(name)];
      values.add(value == null ? null : value.toString());
    }
    return values;
  }

  /** Whether it belongs to a replay. */
  public boolean replayed() {
    return replayId != null;
  }

  /** Whether it names an event. */
  public boolean namesEvent() {
    return source != null && sourceEventId != null;
  }

  /**
   * The value of a column that events and outbox rows share, or that the run spec names; null where
   * there is none.
   */
  public String value(String column, List<String> namedColumns) {
    return switch (column) {
      case "topic" -> topic;
      case "aggregate_type" -> aggregateType;
      case "aggregate_id" -> aggregateId;
      default -> {
        int index = namedColumns.indexOf(column);
        yield index < 0 ? null : named.get(index);
      }
    };
  }

  /**
   * Appends all but its id, place last: two rows of one id are copies if they agree up to the last
   * {@link Place#BYTES} bytes.
   */
  public void writeContent(KeyWriter out) {
    out.nullableText(source)
        .nullableText(sourceEventId)
        .nullableText(effectType)
        .nullableText(topic)
        .nullableText(aggregateType)
        .nullableText(aggregateId)
        .nullableSigned(priority)
        .octet(status == null ? STATUSES.length : status.ordinal())
        .nullableSigned(attempts)
        .instant(createdAt);
    visibleAt.write(out);
    claimedAt.write(out);
    out.nullableText(leaseOwner);
    leaseUntil.write(out);
    dispatchedAt.write(out);
    dlqAt.write(out);
    rowVersion.write(out);
    out.nullableText(replayId);
    for (String value : named) {
      out.nullableText(value);
    }
    out.raw(place.toBytes());
  }

  /** Reads what {@link #writeContent} wrote. */
  public static OutboxRow read(String outboxId, KeyReader in, int namedColumns) {
    String source = in.nullableText();
    String sourceEventId = in.nullableText();
    String effectType = in.nullableText();
    String topic = in.nullableText();
    String aggregateType = in.nullableText();
    String aggregateId = in.nullableText();
    Long priority = in.nullableSigned();
    int status = in.octet();
    Long attempts = in.nullableSigned();
    Instant createdAt = in.instant();
    OptionalTime visibleAt = OptionalTime.read(in);
    OptionalTime claimedAt = OptionalTime.read(in);
    String leaseOwner = in.nullableText();
    OptionalTime leaseUntil = OptionalTime.read(in);
    OptionalTime dispatchedAt = OptionalTime.read(in);
    OptionalTime dlqAt = OptionalTime.read(in);
    Revision rowVersion = Revision.read(in);
    String replayId = in.nullableText();
    String[] named = new String[namedColumns];
    for (int i = 0; i < namedColumns; i++) {
      named[i] = in.nullableText();
    }
    return new OutboxRow(
        outboxId,
        source,
        sourceEventId,
        effectType,
        topic,
        aggregateType,
        aggregateId,
        priority,
        status == STATUSES.length ? null : STATUSES[status],
        attempts,
        createdAt,
        visibleAt,
        claimedAt,
        leaseOwner,
        leaseUntil,
        dispatchedAt,
        dlqAt,
        rowVersion,
        replayId,
        Arrays.asList(named),
        Place.fromBytes(in.raw(Place.BYTES), 0));
  }
}
