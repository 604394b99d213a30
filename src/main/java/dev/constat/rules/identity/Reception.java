package dev.constat.rules.identity;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * One reception attempt, without its payload: columns of the contract as {@code Input.EVENTS} names
 * them, and what Read derived from them.
 *
 * @param key its key, before anything is known of other receptions
 * @param content what its content is compared by
 * @param otherHash the declared hash as it came, where {@code content} would write it differently;
 *     else null
 * @param named values of the columns that the run spec names beyond the contract, in the layout's
 *     order
 * @param projected what projections look at, in the order of {@link
 *     dev.constat.rules.spec.ProjectedFields}: canonical JSON of the values at pointers, text of
 *     the keys; null where there is none
 * @param withdrawn whether the contract marks it as a withdrawal
 * @param nonFinite whether its payload holds NaN or an infinity
 * @param occurredAsReceived the literal of an occurred_at that INT64 nanoseconds cannot hold, or
 *     null
 */
public record Reception(
    EventKey key,
    String ingestionId,
    String sourceEventId,
    Long sourceSequence,
    String partition,
    Instant occurredAt,
    String occurredAsReceived,
    Instant receivedAt,
    String schemaVersion,
    String otherHash,
    String businessKey,
    String topic,
    String aggregateType,
    String aggregateId,
    String supersedes,
    String supersedeReason,
    OptionalTime supersedesOccurredAt,
    String replayId,
    String originalEventId,
    List<String> named,
    List<String> projected,
    boolean withdrawn,
    boolean nonFinite,
    ContentHash content,
    Place place) {

  private static final int WITHDRAWN = 1;
  private static final int NON_FINITE = 2;

  /** The declared hash as it came, or null. */
  public String payloadHash() {
    return otherHash == null ? content.declaredText() : otherHash;
  }

  /** Its source. */
  public String source() {
    return key.source();
  }

  /** Whether it came from a replay. */
  public boolean replayed() {
    return replayId != null;
  }

  /**
   * Where it stands among the receptions of its key: those without a replay mark first, then by
   * received_at; ingestion_id and place follow in the record's own order.
   */
  public void writeArrival(KeyWriter out) {
    out.bool(replayed()).instant(receivedAt);
  }

  /** How many bytes {@link #writeArrival} writes. */
  public static final int ARRIVAL_BYTES = 13;

  /**
   * Appends all that key, ingestion_id and {@link #writeArrival} do not hold, place last: two
   * records of one reception attempt are copies if they agree up to the last {@link Place#BYTES}
   * bytes.
   */
  public void writeContent(KeyWriter out) {
    boolean idOfKey = Objects.equals(sourceEventId, key.id());
    out.bool(idOfKey);
    if (!idOfKey) {
      out.nullableText(sourceEventId);
    }
    out.nullableSigned(sourceSequence)
        .nullableText(partition)
        .instant(occurredAt)
        .nullableText(occurredAsReceived)
        .nullableText(schemaVersion)
        .nullableText(businessKey)
        .nullableText(topic)
        .nullableText(aggregateType)
        .nullableText(aggregateId)
        .nullableText(supersedes)
        .nullableText(supersedeReason);
    supersedesOccurredAt.write(out);
    out.nullableText(replayId).nullableText(originalEventId);
    named.forEach(out::nullableText);
    projected.forEach(out::nullableText);
    out.octet((withdrawn ? WITHDRAWN : 0) | (nonFinite ? NON_FINITE : 0));
    content.write(out);
    out.nullableText(otherHash);
    place.write(out);
  }

  /**
   * Reads what the other methods wrote.
   *
   * @param arrival at the bytes of {@link #writeArrival}, with those of {@link #writeContent}
   *     behind
   * @param namedColumns how many columns the run spec names beyond the contract
   * @param projectedFields how many values projections look at
   */
  public static Reception read(
      EventKey key, String ingestionId, KeyReader arrival, int namedColumns, int projectedFields) {
    KeyReader in = arrival;
    in.bool();
    Instant receivedAt = in.instant();
    String sourceEventId = in.bool() ? key.id() : in.nullableText();
    Long sourceSequence = in.nullableSigned();
    String partition = in.nullableRepeatedText();
    Instant occurredAt = in.instant();
    String occurredAsReceived = in.nullableText();
    String schemaVersion = in.nullableRepeatedText();
    String businessKey = in.nullableRepeatedText();
    String topic = in.nullableRepeatedText();
    String aggregateType = in.nullableRepeatedText();
    String aggregateId = in.nullableRepeatedText();
    String supersedes = in.nullableText();
    String supersedeReason = in.nullableText();
    OptionalTime supersedesOccurredAt = OptionalTime.read(in);
    String replayId = in.nullableRepeatedText();
    String originalEventId = in.nullableText();
    List<String> named = texts(in, namedColumns);
    List<String> projected = texts(in, projectedFields);
    int marks = in.octet();
    ContentHash content = ContentHash.read(in);
    String otherHash = in.nullableText();
    Place place = Place.read(in);
    return new Reception(
        key,
        ingestionId,
        sourceEventId,
        sourceSequence,
        partition,
        occurredAt,
        occurredAsReceived,
        receivedAt,
        schemaVersion,
        otherHash,
        businessKey,
        topic,
        aggregateType,
        aggregateId,
        supersedes,
        supersedeReason,
        supersedesOccurredAt,
        replayId,
        originalEventId,
        named,
        projected,
        (marks & WITHDRAWN) != 0,
        (marks & NON_FINITE) != 0,
        content,
        place);
  }

  private static List<String> texts(KeyReader in, int count) {
    String[] texts = new String[count];
    for (int i = 0; i < count; i++) {
      texts[i] = in.nullableText();
    }
    return Arrays.asList(texts);
  }
}
