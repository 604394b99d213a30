package dev.constat.rules.reconcile;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;

/**
 * An {@link Arrival} where its place in time is looked at, as {@link ArrivedReader} reads it. What
 * only passes through stays UTF-8, as tables take it.
 *
 * @param sequence name of the sequence that its number means something in, or null
 * @param sequenceNumber that number, unsigned
 * @param projected what projections look at, as {@link Reception#projected}
 * @param link what it has to do with corrections, or null where nothing
 * @param recorded LATE or FUTURE, as the live system recorded it, else null
 * @param recordedAs the decision that the live system recorded, or null
 * @param supersedes id of the version that it says it replaces, or null
 */
public record Arrived(
    String source,
    String partition,
    Instant receivedAt,
    String ingestionId,
    Place place,
    Decision decision,
    byte[] sourceEventId,
    Instant occurredAt,
    byte[] occurredAsReceived,
    String schemaVersion,
    byte[] key,
    byte[] hash,
    byte[] hashRule,
    byte[] against,
    long repeats,
    Instant lastReceivedAt,
    byte[] reason,
    byte[] replayId,
    boolean contested,
    boolean withdrawn,
    String sequence,
    long sequenceNumber,
    EnumSet<Flag> flags,
    List<String> projected,
    Link link,
    RecordedDecision recorded,
    byte[] recordedAs,
    byte[] supersedes) {

  /**
   * What an event has to do with corrections.
   *
   * @param key its key
   * @param targetKnown whether history is known to hold what it replaces
   * @param supersedes id of the version that it replaces, or null
   * @param supersedesOccurredAt when that happened, where it says so
   */
  public record Link(
      EventKey key, boolean targetKnown, String supersedes, OptionalTime supersedesOccurredAt) {}

  /** What is known of an event's part in corrections where its receptions are decided. */
  public enum Linked {
    /** It neither corrects nor is corrected. */
    NO,
    /** It may do either. */
    MAYBE,
    /** It replaces something that history holds. */
    TARGET_KNOWN
  }

  /** Whether history holds it. */
  public boolean inHistory() {
    return decision.inHistory();
  }

  /** Whether it came from a replay. */
  public boolean replayed() {
    return replayId != null;
  }

  /**
   * Where receptions stand in their partition: by (received_at, ingestion_id), then key and place.
   *
   * @param key canonical text of its key
   */
  public static void writeOrder(KeyWriter out, Reception reception, String key) {
    boolean plain = isPlain(reception);
    out.instant(reception.receivedAt())
        .text(reception.ingestionId())
        .bool(!plain)
        .text(plain ? reception.sourceEventId() : key);
    reception.place().write(out);
  }

  /** Whether source and source_event_id are all there is to its key. */
  private static boolean isPlain(Reception reception) {
    return reception.key().plain() && reception.key().id().equals(reception.sourceEventId());
  }

  /**
   * Appends all that {@link #writeOrder}, source and partition do not hold.
   *
   * @param link its part in corrections
   */
  public static void write(KeyWriter out, Arrival arrival, Linked link) {
    Reception reception = arrival.reception();
    out.octet(arrival.decision().ordinal());
    if (!isPlain(reception)) {
      out.nullableText(reception.sourceEventId());
    }
    out.instant(reception.occurredAt())
        .nullableText(reception.occurredAsReceived())
        .nullableText(reception.schemaVersion())
        .nullableText(arrival.hash())
        .nullableText(arrival.hashRule())
        .nullableText(arrival.against())
        .unsigned(arrival.repeats())
        .nullableInstant(arrival.lastReceivedAt())
        .nullableText(reception.replayId())
        .bool(arrival.contested())
        .bool(reception.withdrawn())
        .nullableText(arrival.sequence())
        .unsigned(arrival.sequence() == null ? 0 : reception.sourceSequence())
        .nullableText(arrival.recordedAs())
        .nullableText(reception.supersedes());
    boolean first = IdentityJudge.FIRST.equals(arrival.reason());
    out.bool(first);
    if (!first) {
      out.nullableBytes(arrival.reason() == null ? null : arrival.reason().toBytes());
    }
    int flags = 0;
    for (Flag flag : arrival.flags()) {
      flags |= 1 << flag.ordinal();
    }
    out.octet(flags >>> 8).octet(flags);
    reception.projected().forEach(out::nullableText);
    out.bool(link != Linked.NO);
    if (link != Linked.NO) {
      arrival.eventKey().write(out);
      out.bool(link == Linked.TARGET_KNOWN);
      reception.supersedesOccurredAt().write(out);
    }
    out.bool(arrival.recorded() != null);
    if (arrival.recorded() != null) {
      arrival.recorded().writeContent(out);
    }
  }
}
