package dev.constat.rules.outbox;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
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
 * @param named values of the columns that the run spec names beyond the contract, in the order of
 *     {@link dev.constat.rules.spec.RunSpec#namedColumns}
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

  private static final int STATUS = Input.OUTBOX.indexOf("status");
  private static final int OUTBOX_ID = Input.OUTBOX.indexOf("outbox_id");
  private static final int SOURCE = Input.OUTBOX.indexOf("source");
  private static final int SOURCE_EVENT_ID = Input.OUTBOX.indexOf("source_event_id");
  private static final int EFFECT_TYPE = Input.OUTBOX.indexOf("effect_type");
  private static final int TOPIC = Input.OUTBOX.indexOf("topic");
  private static final int AGGREGATE_TYPE = Input.OUTBOX.indexOf("aggregate_type");
  private static final int AGGREGATE_ID = Input.OUTBOX.indexOf("aggregate_id");
  private static final int PRIORITY = Input.OUTBOX.indexOf("priority");
  private static final int ATTEMPTS = Input.OUTBOX.indexOf("attempts");
  private static final int CREATED_AT = Input.OUTBOX.indexOf("created_at");
  private static final int VISIBLE_AT = Input.OUTBOX.indexOf("visible_at");
  private static final int CLAIMED_AT = Input.OUTBOX.indexOf("claimed_at");
  private static final int LEASE_OWNER = Input.OUTBOX.indexOf("lease_owner");
  private static final int LEASE_UNTIL = Input.OUTBOX.indexOf("lease_until");
  private static final int DISPATCHED_AT = Input.OUTBOX.indexOf("dispatched_at");
  private static final int DLQ_AT = Input.OUTBOX.indexOf("dlq_at");
  private static final int ROW_VERSION = Input.OUTBOX.indexOf("row_version");
  private static final int REPLAY_ID = Input.OUTBOX.indexOf("replay_id");

  private static final Status[] STATUSES = Status.values();

  /** Reads a row of the archive. */
  public static OutboxRow of(Row row, Layout layout, Iterable<String> namedColumns) {
    String status = row.text(STATUS);
    return new OutboxRow(
        row.text(OUTBOX_ID),
        row.text(SOURCE),
        row.text(SOURCE_EVENT_ID),
        row.text(EFFECT_TYPE),
        row.text(TOPIC),
        row.text(AGGREGATE_TYPE),
        row.text(AGGREGATE_ID),
        row.integer(PRIORITY),
        status == null ? null : Status.valueOf(status),
        row.integer(ATTEMPTS),
        row.instant(CREATED_AT),
        OptionalTime.of(row, VISIBLE_AT),
        OptionalTime.of(row, CLAIMED_AT),
        row.text(LEASE_OWNER),
        OptionalTime.of(row, LEASE_UNTIL),
        OptionalTime.of(row, DISPATCHED_AT),
        OptionalTime.of(row, DLQ_AT),
        Revision.of(row.text(ROW_VERSION)),
        row.text(REPLAY_ID),
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
    place.write(out);
  }

  /** Reads what {@link #writeContent} wrote. */
  public static OutboxRow read(String outboxId, KeyReader in, int namedColumns) {
    String source = in.nullableRepeatedText();
    String sourceEventId = in.nullableText();
    String effectType = in.nullableRepeatedText();
    String topic = in.nullableRepeatedText();
    String aggregateType = in.nullableRepeatedText();
    String aggregateId = in.nullableRepeatedText();
    Long priority = in.nullableSigned();
    int status = in.octet();
    Long attempts = in.nullableSigned();
    Instant createdAt = in.instant();
    OptionalTime visibleAt = OptionalTime.read(in);
    OptionalTime claimedAt = OptionalTime.read(in);
    String leaseOwner = in.nullableRepeatedText();
    OptionalTime leaseUntil = OptionalTime.read(in);
    OptionalTime dispatchedAt = OptionalTime.read(in);
    OptionalTime dlqAt = OptionalTime.read(in);
    Revision rowVersion = Revision.read(in);
    String replayId = in.nullableRepeatedText();
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
        Place.read(in));
  }
}
