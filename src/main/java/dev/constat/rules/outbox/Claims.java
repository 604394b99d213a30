package dev.constat.rules.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * The claims and marks in the history of one outbox row, whose versions come in their order. A
 * version that is PROCESSING holds a lease (without a status: one that names an owner and is
 * neither dispatched nor dead); every other version ends the lease before it. Versions of the same
 * owner and claimed_at are one claim, renewed.
 *
 * <p>At most {@link #MAX_CLAIMS} claims of a row are followed; of more, nothing is concluded.
 */
public final class Claims {

  /** So many claims of one row are followed. */
  static final int MAX_CLAIMS = 4096;

  private final List<Claim> claims = new ArrayList<>();
  private final List<Instant> marks = new ArrayList<>();
  private final List<Claim> view = Collections.unmodifiableList(claims);
  private boolean tooMany;
  private boolean unzoned;
  private boolean withoutStart;
  private boolean withoutOwner;
  private boolean named;
  private long versions;
  private Claim holder;
  private long overlaps;
  private Claim overlapped;
  private Claim overlapping;
  private Instant overlappedUntil;
  private Instant lastOverlapAt;

  /** Starts another row. */
  public void clear() {
    claims.clear();
    marks.clear();
    tooMany = false;
    unzoned = false;
    withoutStart = false;
    withoutOwner = false;
    named = false;
    versions = 0;
    holder = null;
    overlaps = 0;
    overlapped = null;
    overlapping = null;
    overlappedUntil = null;
    lastOverlapAt = null;
  }

  /** The next version of the row. */
  public void next(OutboxRow version) {
    versions++;
    boolean holds = holdsLease(version);
    unzoned |= !version.claimedAt().known() || holds && !version.leaseUntil().known();
    Instant claimedAt = version.claimedAt().orNull();
    Claim claim = claimedAt == null ? null : claim(version, claimedAt);
    Instant mark = version.dispatchedAt().orNull();
    if (mark != null) {
      mark(mark, claim);
    }
    if (claim != null && version.leaseUntil().orNull() != null) {
      claim.leasedUntil(version.leaseUntil().instant());
    }
    if (claim != null && holder != null && claim != holder) {
      compareWithHolder(claim);
    }
    if (holds) {
      withoutStart |= version.claimedAt().absent();
      holder = claim;
    } else if (holder != null) {
      if (claim == null || claim == holder) {
        holder.release(); // what ended another's claim says nothing of this one
      }
      holder = null;
    }
  }

  private static boolean holdsLease(OutboxRow version) {
    return version.status() == null
        ? version.leaseOwner() != null
            && version.dispatchedAt().absent()
            && version.dlqAt().absent()
        : version.status() == Status.PROCESSING;
  }

  /** The claim that a version tells of; usually the last one known, or a new one. */
  private Claim claim(OutboxRow version, Instant claimedAt) {
    for (int i = claims.size() - 1; i >= 0; i--) {
      Claim known = claims.get(i);
      if (known.claimedAt().equals(claimedAt)
          && Objects.equals(known.owner(), version.leaseOwner())) {
        return known;
      }
    }
    if (claims.size() == MAX_CLAIMS) {
      tooMany = true;
      return null;
    }
    Claim claim = new Claim(version.leaseOwner(), claimedAt, version.place());
    named |= claim.owner() != null;
    claims.add(claim);
    return claim;
  }

  private void mark(Instant at, Claim claim) {
    if (marks.isEmpty() || !marks.get(marks.size() - 1).equals(at)) {
      if (marks.size() == MAX_CLAIMS) {
        tooMany = true;
        return;
      }
      marks.add(at);
    }
    if (claim != null) {
      claim.marked(at);
    }
  }

  private void compareWithHolder(Claim claim) {
    if (claim.owner() == null || holder.owner() == null) {
      withoutOwner = true;
      return;
    }
    boolean overlap =
        !claim.owner().equals(holder.owner())
            && holder.leaseUntil() != null
            && claim.claimedAt().isBefore(holder.leaseUntil())
            && (claim.leaseUntil() == null || holder.claimedAt().isBefore(claim.leaseUntil()));
    if (!overlap) {
      return;
    }
    overlaps++;
    if (overlapped == null) {
      overlapped = holder;
      overlapping = claim;
      overlappedUntil = holder.leaseUntil();
    }
    lastOverlapAt =
        lastOverlapAt == null || claim.claimedAt().isAfter(lastOverlapAt)
            ? claim.claimedAt()
            : lastOverlapAt;
  }

  /** The claims with a known claimed_at, in the order of versions. */
  public List<Claim> claims() {
    return view;
  }

  /** How many versions came. */
  public long versions() {
    return versions;
  }

  /** Whether more claims or marks came than are followed. */
  public boolean tooMany() {
    return tooMany;
  }

  /** Whether a claimed_at, or the end of a lease, has no zone. */
  public boolean unzoned() {
    return unzoned;
  }

  /** Whether a version holds a lease and does not say since when. */
  public boolean withoutStart() {
    return withoutStart;
  }

  /** Whether a claim followed another and one of them does not say whose it is. */
  public boolean withoutOwner() {
    return withoutOwner;
  }

  /** How often a worker claimed the row while the lease of another was running. */
  public long overlaps() {
    return overlaps;
  }

  /** The claim whose lease was running, the first time, or null. */
  public Claim overlapped() {
    return overlapped;
  }

  /** The claim that came into it, the first time, or null. */
  public Claim overlapping() {
    return overlapping;
  }

  /** When the lease that was running was to end, as it stood then, or null. */
  public Instant overlappedUntil() {
    return overlappedUntil;
  }

  /** When that happened last, or null. */
  public Instant lastOverlapAt() {
    return lastOverlapAt;
  }

  /** Takes down that an effective acknowledgement was delivered by a worker, or null, by a time. */
  public void delivered(String worker, Instant at) {
    Claim claim = claimOf(worker, at);
    if (claim != null) {
      claim.delivered(at);
    }
  }

  /** The claim under which a worker, or null, delivered what was acknowledged at a time. */
  private Claim claimOf(String worker, Instant at) {
    boolean anyone = worker == null || !named;
    Claim latest = null;
    for (Claim claim : claims) {
      if (!claim.claimedAt().isAfter(at)
          && (anyone || worker.equals(claim.owner()))
          && (latest == null || !claim.claimedAt().isBefore(latest.claimedAt()))) {
        latest = claim;
      }
    }
    return latest;
  }

  /**
   * The window of a repeat.
   *
   * @param row the version in force
   * @param before when the acknowledgement before it came
   * @param beforeBy its worker, or null
   * @param again when the repeat came
   * @param againBy its worker, or null
   */
  public Window window(
      OutboxRow row, Instant before, String beforeBy, Instant again, String againBy) {
    if (tooMany) {
      return Window.NOT_SHOWN;
    }
    Claim first = claimOf(beforeBy, before);
    Claim second = claimOf(againBy, again);
    boolean anew =
        second != null
            && second != first
            && (first == null || first.claimedAt().isBefore(second.claimedAt()));
    if (anew && markedBetween(first, second)) {
      return Window.of(CrashWindow.SUPERSEDED_MARK);
    }
    Window lost = lost(first, beforeBy, before);
    if (lost == null) {
      lost = lost(second, againBy, again);
    }
    if (lost != null) {
      return lost;
    }
    boolean unmarked =
        second == null
            ? row.attempts() != null && row.attempts() > 1 && markedAfter(row, before)
            : anew && before.isBefore(second.claimedAt());
    return unmarked ? Window.of(CrashWindow.PUBLISHED_BEFORE_MARK) : Window.NOT_SHOWN;
  }

  private boolean markedBetween(Claim first, Claim second) {
    for (Instant mark : marks) {
      if (mark.isBefore(second.claimedAt())
          && (first == null || !mark.isBefore(first.claimedAt()))) {
        return true;
      }
    }
    return false;
  }

  /** What shows that a worker delivered what another had claimed by then, or null. */
  private Window lost(Claim own, String worker, Instant at) {
    if (worker == null || !named) {
      return null;
    }
    Claim other = null;
    for (Claim claim : claims) {
      boolean later = own == null || claim.claimedAt().isAfter(own.claimedAt());
      if (later && !claim.claimedAt().isAfter(at) && claim.owner() != null) {
        boolean earliest =
            other == null
                || (own == null
                    ? !claim.claimedAt().isBefore(other.claimedAt())
                    : claim.claimedAt().isBefore(other.claimedAt()));
        other = earliest ? claim : other;
      }
    }
    if (other == null) {
      return null;
    }
    if (own != null && own.leaseUntil() == null && unzoned) {
      return null; // when its lease ended is not known
    }
    if (own != null
        && !own.released()
        && own.leaseUntil() != null
        && other.claimedAt().isBefore(own.leaseUntil())) {
      return Window.of(CrashWindow.OVERLAPPING_LEASES);
    }
    return new Window(CrashWindow.LAPSED_LEASE, own);
  }

  /** Whether a row was marked after a time, or is not marked yet, as far as it says so itself. */
  private static boolean markedAfter(OutboxRow row, Instant time) {
    Instant mark = row.dispatchedAt().orNull();
    return mark != null
        ? time.isBefore(mark)
        : row.dispatchedAt().absent() && row.status() != null && row.status() != Status.DISPATCHED;
  }

  /**
   * The window of one repeat.
   *
   * @param kind which one
   * @param lapsed the claim whose lease had ended, where it is known
   */
  public record Window(CrashWindow kind, Claim lapsed) {

    static final Window NOT_SHOWN = of(CrashWindow.NOT_SHOWN);

    static Window of(CrashWindow kind) {
      return new Window(kind, null);
    }
  }
}
