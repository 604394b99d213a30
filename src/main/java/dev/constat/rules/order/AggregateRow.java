package dev.constat.rules.order;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.outbox.OutboxPosition;
import dev.constat.rules.outbox.Status;
import java.time.Duration;
import java.time.Instant;

/**
 * An outbox row as it stands in its aggregate, without replay mark and with one content.
 *
 * @param aggregateType part of the aggregate's name; null is a name of its own
 * @param aggregateId the other part, never null
 * @param outboxId the row
 * @param createdAt with the id, its place in the order of the contract
 * @param effectType its effect type, or null
 * @param ordered whether its effect keeps the order of the aggregate
 * @param judged whether it is among the subjects that {@code --from/--to} choose
 * @param settled whether it was delivered long enough before the cut that a row before it which is
 *     not delivered would be by now
 * @param provisional whether it was marked as sent so shortly before the cut that its
 *     acknowledgement, by which its delivery is dated, may still be on its way
 * @param waiting whether it is PENDING for longer than it may, so that it is stuck unless a row
 *     before it holds it back
 * @param status its status, or null
 * @param release how it lets those behind it go
 * @param delivery when it was delivered: its earliest original acknowledgement, else dispatched_at;
 *     null where it was not, or nothing says when
 * @param dlqAt when it was given up, or null
 * @param attempts how often it was tried, or null
 * @param priority its priority, or null
 * @param visibleAt from when on it could be sent, or null
 * @param pendingAfter how long it may be PENDING; null unless it is waiting
 * @param place where it stands in the archive; null unless it is ordered
 */
public record AggregateRow(
    String aggregateType,
    String aggregateId,
    String outboxId,
    Instant createdAt,
    String effectType,
    boolean ordered,
    boolean judged,
    boolean settled,
    boolean provisional,
    boolean waiting,
    Status status,
    Release release,
    Instant delivery,
    Instant dlqAt,
    Long attempts,
    Long priority,
    Instant visibleAt,
    Duration pendingAfter,
    Place place) {

  private static final Status[] STATUSES = Status.values();
  private static final Release[] RELEASES = Release.values();

  private static final int ORDERED = 1;
  private static final int JUDGED = 1 << 1;
  private static final int SETTLED = 1 << 2;
  private static final int WAITING = 1 << 3;
  private static final int DELIVERED = 1 << 4;
  private static final int DEAD = 1 << 5;
  private static final int TRIED = 1 << 6;
  private static final int RANKED = 1 << 7;

  private static final int STATUS_BITS = 3;
  private static final int RELEASE_BITS = 2;
  private static final int VISIBLE = 1 << STATUS_BITS + RELEASE_BITS;
  private static final int PROVISIONAL = VISIBLE << 1;

  /** From when on it could have been sent. */
  public Instant due() {
    return visibleAt != null && visibleAt.isAfter(createdAt) ? visibleAt : createdAt;
  }

  /** When it lets those behind it go; to be asked only of those that do at a time. */
  public Instant releasedAt() {
    boolean dead = dlqAt != null && (delivery == null || dlqAt.isBefore(delivery));
    return dead ? dlqAt : delivery;
  }

  /** Whether its status says that it still holds back those behind it. */
  public boolean holdsBack() {
    return status == Status.PENDING || status == Status.PROCESSING;
  }

  /** Whether it was sent after it had been given up. */
  public boolean resubmitted() {
    return dlqAt != null && delivery != null && dlqAt.isBefore(delivery);
  }

  /** Encodes what names its aggregate. */
  public void writeScope(KeyWriter out) {
    writeScope(out, aggregateType, aggregateId);
  }

  /** Encodes what names an aggregate. */
  public static void writeScope(KeyWriter out, String aggregateType, String aggregateId) {
    out.nullableText(aggregateType).text(aggregateId);
  }

  /**
   * Encodes its place in the order of the contract, so that unsigned order of the bytes is that
   * order, and ids that differ only as texts stand apart.
   */
  public void writePosition(KeyWriter out, boolean integerIds) {
    OutboxPosition.write(out, createdAt, outboxId, integerIds);
    if (integerIds) {
      out.text(outboxId);
    }
  }

  /** Appends what neither scope nor position hold. */
  public void writeContent(KeyWriter out) {
    out.octet(
        (ordered ? ORDERED : 0)
            | (judged ? JUDGED : 0)
            | (settled ? SETTLED : 0)
            | (waiting ? WAITING : 0)
            | (delivery == null ? 0 : DELIVERED)
            | (dlqAt == null ? 0 : DEAD)
            | (attempts == null ? 0 : TRIED)
            | (priority == null ? 0 : RANKED));
    int statusNumber = status == null ? STATUSES.length : status.ordinal();
    out.octet(
        statusNumber
            | release.ordinal() << STATUS_BITS
            | (visibleAt == null ? 0 : VISIBLE)
            | (provisional ? PROVISIONAL : 0));
    out.nullableText(effectType);
    writeKnown(out, delivery);
    writeKnown(out, dlqAt);
    if (attempts != null) {
      out.signed(attempts);
    }
    if (priority != null) {
      out.signed(priority);
    }
    writeKnown(out, visibleAt);
    if (waiting) {
      out.signed(pendingAfter.toSeconds()).signed(pendingAfter.toNanosPart());
    }
    if (ordered) {
      place.write(out);
    }
  }

  /** Appends all of it. */
  public void write(KeyWriter out, boolean integerIds) {
    writeScope(out);
    writePosition(out, integerIds);
    writeContent(out);
  }

  /** Reads what {@link #write} wrote. */
  public static AggregateRow read(KeyReader in, boolean integerIds) {
    return read(in.nullableRepeatedText(), in.text(), in, in, integerIds);
  }

  private static void writeKnown(KeyWriter out, Instant time) {
    if (time != null) {
      out.instant(time);
    }
  }

  /**
   * Reads what {@link #writePosition} and {@link #writeContent} wrote.
   *
   * @param aggregateType of the aggregate it stands in
   * @param aggregateId of the same
   */
  public static AggregateRow read(
      String aggregateType,
      String aggregateId,
      KeyReader position,
      KeyReader content,
      boolean integerIds) {
    Instant createdAt = position.instant();
    if (integerIds) {
      Revision.read(position);
    }
    String outboxId = position.text();
    int flags = content.octet();
    int more = content.octet();
    int status = more & (1 << STATUS_BITS) - 1;
    boolean ordered = (flags & ORDERED) != 0;
    boolean waiting = (flags & WAITING) != 0;
    boolean visible = (more & VISIBLE) != 0;
    return new AggregateRow(
        aggregateType,
        aggregateId,
        outboxId,
        createdAt,
        content.nullableRepeatedText(),
        ordered,
        (flags & JUDGED) != 0,
        (flags & SETTLED) != 0,
        (more & PROVISIONAL) != 0,
        waiting,
        status == STATUSES.length ? null : STATUSES[status],
        RELEASES[more >> STATUS_BITS & (1 << RELEASE_BITS) - 1],
        (flags & DELIVERED) == 0 ? null : content.instant(),
        (flags & DEAD) == 0 ? null : content.instant(),
        (flags & TRIED) == 0 ? null : Long.valueOf(content.signed()),
        (flags & RANKED) == 0 ? null : Long.valueOf(content.signed()),
        visible ? content.instant() : null,
        waiting ? Duration.ofSeconds(content.signed(), content.signed()) : null,
        ordered ? Place.read(content) : null);
  }
}
