package dev.constat.rules.outbox;

import dev.constat.rules.envelope.Place;
import java.time.Instant;

/** A claim on an outbox row, as far as the versions of the row tell of it. */
public final class Claim {

  private final String owner;
  private final Instant claimedAt;
  private final Place place;
  private Instant leaseUntil;
  private boolean released;
  private Instant markedAt;
  private Instant deliveredAt;

  Claim(String owner, Instant claimedAt, Place place) {
    this.owner = owner;
    this.claimedAt = claimedAt;
    this.place = place;
  }

  /** Who claimed the row, or null where no version says so. */
  public String owner() {
    return owner;
  }

  /** When. */
  public Instant claimedAt() {
    return claimedAt;
  }

  /** Place of the first version that tells of it. */
  public Place place() {
    return place;
  }

  /** When its lease ends, renewals included, or null where that is not known. */
  public Instant leaseUntil() {
    return leaseUntil;
  }

  /** When the row was marked DISPATCHED under it, the earliest, or null where it was not. */
  public Instant markedAt() {
    return markedAt;
  }

  /** The earliest effective acknowledgement that was delivered under it, or null. */
  public Instant deliveredAt() {
    return deliveredAt;
  }

  /** When its work was done: at the mark, else at the delivery; null where neither is known. */
  public Instant doneAt() {
    return markedAt != null ? markedAt : deliveredAt;
  }

  /** Whether a version that holds no lease came after it and before another claim. */
  boolean released() {
    return released;
  }

  void release() {
    released = true;
  }

  void leasedUntil(Instant until) {
    leaseUntil = until;
  }

  void marked(Instant at) {
    if (!at.isBefore(claimedAt) && (markedAt == null || at.isBefore(markedAt))) {
      markedAt = at;
    }
  }

  void delivered(Instant at) {
    if (deliveredAt == null || at.isBefore(deliveredAt)) {
      deliveredAt = at;
    }
  }
}
