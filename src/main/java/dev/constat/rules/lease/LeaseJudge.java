package dev.constat.rules.lease;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.outbox.Claim;
import dev.constat.rules.outbox.Claims;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Says of which rows two workers were owners at once: LEASE_OVERLAP (spec section 6). The lease of
 * a claim is [claimed_at, lease_until); renewals by the same owner extend it, and a version that
 * holds no lease ends it. A claim that another worker made while it was running is an overlap. Rows
 * whose versions contradict each other have no history to judge, and a single version shows none.
 */
public final class LeaseJudge {

  /** Why a row is not judged: only the version in force is there. */
  static final String ONE_VERSION = "no older version of the row";

  private static final String RULE = "leases/1";

  private final Tally tally;
  private final Consumer<Finding> findings;
  private long oneVersion;
  private long judged;

  /**
   * A judge.
   *
   * @param tally where it counts
   * @param findings takes what it finds
   */
  public LeaseJudge(Tally tally, Consumer<Finding> findings) {
    this.tally = tally;
    this.findings = findings;
  }

  /**
   * Judges a row.
   *
   * @param claims its history
   * @param conflict whether its contents contradict each other
   * @param outside why it is none of the subjects judged, or null where it is one
   */
  public void judge(String outboxId, Claims claims, boolean conflict, String outside) {
    boolean leased = !claims.claims().isEmpty() || claims.unzoned() || claims.withoutStart();
    if (!leased) {
      return;
    }
    if (outside != null) {
      Coverage.notJudged(tally, Kind.LEASE_OVERLAP, outside);
    } else if (conflict) {
      Coverage.notJudged(tally, Kind.LEASE_OVERLAP, "several contents of the row");
    } else if (claims.versions() == 1) {
      oneVersion++;
    } else if (claims.overlaps() > 0) {
      judged++;
      findings.accept(overlap(outboxId, claims));
    } else if (claims.unzoned()) {
      Coverage.notJudged(tally, Kind.LEASE_OVERLAP, "claimed_at or lease_until without a zone");
    } else if (claims.withoutStart()) {
      Coverage.notJudged(tally, Kind.LEASE_OVERLAP, "a lease without claimed_at");
    } else if (claims.withoutOwner()) {
      Coverage.notJudged(tally, Kind.LEASE_OVERLAP, "a lease without lease_owner");
    } else if (claims.tooMany()) {
      Coverage.notJudged(tally, Kind.LEASE_OVERLAP, "more claims of a row than are followed");
    } else {
      judged++;
    }
  }

  /** Adds what was counted to the tally, and forgets it. */
  public void flush() {
    if (oneVersion > 0) {
      tally.add(oneVersion, Coverage.NOT_JUDGED, Kind.LEASE_OVERLAP.name(), ONE_VERSION);
    }
    if (judged > 0) {
      tally.add(judged, Coverage.JUDGED, Kind.LEASE_OVERLAP.name());
    }
    oneVersion = 0;
    judged = 0;
  }

  private static Finding overlap(String outboxId, Claims claims) {
    Claim running = claims.overlapped();
    Claim other = claims.overlapping();
    Instant claimed = other.claimedAt();
    Instant overlapFrom = claimed.isAfter(running.claimedAt()) ? claimed : running.claimedAt();
    return Statement.of(Kind.LEASE_OVERLAP, new JsonObject().put("outbox_id", outboxId))
        .because(
            Sentence.ofValue("lease_owner", other.owner())
                .and(" claimed the row ")
                .and(Duration.between(overlapFrom, claims.overlappedUntil()))
                .and(" before the lease of ")
                .value("lease_owner", running.owner())
                .and(" ended"))
        .sides(
            new JsonObject()
                .put("lease_owner", running.owner())
                .put("claimed_at", running.claimedAt())
                .put("lease_until", claims.overlappedUntil()),
            new JsonObject()
                .put("lease_owner", other.owner())
                .put("claimed_at", claimed)
                .put("lease_until", other.leaseUntil()))
        .under(RULE)
        .seenAt(running.place(), other.place())
        .when(overlapFrom, claims.lastOverlapAt())
        .times(claims.overlaps())
        .finding();
  }
}
