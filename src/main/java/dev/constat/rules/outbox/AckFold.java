package dev.constat.rules.outbox;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.time.Instant;

/**
 * The acknowledgements of one outbox row by one consumer under one effect key, as one: originals
 * together, those of each replay together. Copies in the archive are gone. An acknowledgement
 * outside {@code --from/--to} is evidence but not judged: it counts in the totals, not among the
 * judged.
 *
 * @param outboxId the row
 * @param effectType the row's effect type
 * @param consumer who acknowledged, or null
 * @param replayId the replay, or null for originals
 * @param effectKey the downstream idempotency key, or null
 * @param effective how many stand for an effect
 * @param effectiveJudged how many of these are judged
 * @param notApplied how many say {@code applied = false}
 * @param notAppliedJudged how many of these are judged
 * @param applied how many say {@code applied = true}
 * @param firstAt time of the first effective one (of all, where none is effective)
 * @param firstAckId its ack_id, or null
 * @param firstPlace its place
 * @param firstJudged whether it is judged
 * @param lastAt time of the last one
 * @param lastPlace its place
 * @param attempts the attempts of the row, the most of several rows; 0 where unknown
 * @param staleOwner whether a worker acknowledged that does not own the row's lease
 * @param repeats the originals among them that repeat one before, by window
 */
public record AckFold(
    String outboxId,
    String effectType,
    String consumer,
    String replayId,
    String effectKey,
    long effective,
    long effectiveJudged,
    long notApplied,
    long notAppliedJudged,
    long applied,
    Instant firstAt,
    String firstAckId,
    Place firstPlace,
    boolean firstJudged,
    Instant lastAt,
    Place lastPlace,
    long attempts,
    boolean staleOwner,
    Repeats repeats) {

  /** The fold of a single acknowledgement. */
  public static AckFold of(Acknowledgement ack, OutboxRow row, boolean judged) {
    int effective = ack.effective() ? 1 : 0;
    return new AckFold(
        ack.outboxId(),
        row.effectType(),
        ack.consumer(),
        ack.replayId(),
        ack.effectKey(),
        effective,
        judged ? effective : 0,
        1 - effective,
        judged ? 1 - effective : 0,
        Boolean.TRUE.equals(ack.applied()) ? 1 : 0,
        ack.ackedAt(),
        ack.ackId(),
        ack.place(),
        judged,
        ack.ackedAt(),
        ack.place(),
        row.attempts() == null ? 0 : row.attempts(),
        ack.worker() != null && row.leaseOwner() != null && !ack.worker().equals(row.leaseOwner()),
        Boolean.TRUE.equals(ack.applied()) ? Repeats.APPLIED : Repeats.NONE);
  }

  /** The same with its repeats. */
  AckFold with(Repeats attributed) {
    return new AckFold(
        outboxId,
        effectType,
        consumer,
        replayId,
        effectKey,
        effective,
        effectiveJudged,
        notApplied,
        notAppliedJudged,
        applied,
        firstAt,
        firstAckId,
        firstPlace,
        firstJudged,
        lastAt,
        lastPlace,
        attempts,
        staleOwner,
        attributed);
  }

  /** This and a later fold of the same consumer and key (of the same or another row) as one. */
  public AckFold and(AckFold later) {
    boolean firstHere = effective > 0 || later.effective == 0;
    AckFold first = firstHere ? this : later;
    AckFold last = later.lastAt.isBefore(lastAt) ? this : later;
    return new AckFold(
        first.outboxId,
        effectType,
        consumer,
        replayId,
        effectKey,
        effective + later.effective,
        effectiveJudged + later.effectiveJudged,
        notApplied + later.notApplied,
        notAppliedJudged + later.notAppliedJudged,
        applied + later.applied,
        first.firstAt,
        first.firstAckId,
        first.firstPlace,
        first.firstJudged,
        last.lastAt,
        last.lastPlace,
        Math.max(attempts, later.attempts),
        staleOwner || later.staleOwner,
        Repeats.of(this, later));
  }

  /** All acknowledgements in it. */
  public long total() {
    return effective + notApplied;
  }

  /** Appends it to a record. */
  public void write(KeyWriter out) {
    out.text(outboxId)
        .nullableText(effectType)
        .nullableText(consumer)
        .nullableText(replayId)
        .nullableText(effectKey)
        .signed(effective)
        .signed(effectiveJudged)
        .signed(notApplied)
        .signed(notAppliedJudged)
        .signed(applied)
        .instant(firstAt)
        .nullableText(firstAckId);
    firstPlace.write(out);
    out.bool(firstJudged).instant(lastAt);
    lastPlace.write(out);
    out.signed(attempts).bool(staleOwner);
    repeats.write(out);
  }

  /** Reads what {@link #write} wrote. */
  public static AckFold read(KeyReader in) {
    return new AckFold(
        in.text(),
        in.nullableRepeatedText(),
        in.nullableRepeatedText(),
        in.nullableRepeatedText(),
        in.nullableText(),
        in.signed(),
        in.signed(),
        in.signed(),
        in.signed(),
        in.signed(),
        in.instant(),
        in.nullableText(),
        Place.read(in),
        in.bool(),
        in.instant(),
        Place.read(in),
        in.signed(),
        in.bool(),
        Repeats.read(in));
  }
}
