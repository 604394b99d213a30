package dev.constat.rules.lease;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.outbox.Claim;
import dev.constat.rules.outbox.Claims;
import dev.constat.rules.outbox.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Measures the delivery of outbox rows, by effect type: from dispatch to the first effective
 * original acknowledgement, from claim to dispatch, and how long each claim needed its lease: until
 * the row was marked under it, or where it never was, until the first delivery under it. A lease of
 * the longest such need would have been enough for all of them. Rows of replays do not count, nor
 * do rows whose contents contradict each other, nor those that {@code --from/--to} leave out.
 */
public final class DeliveryTimes {

  private static final String DISPATCH_TO_ACK = "dispatch to ack";
  private static final String CLAIM_TO_DISPATCH = "claim to dispatch";
  private static final String LEASE = "lease";

  private final Function<String, Duration> leaseTtl;
  private final HashMap<String, Counters> byType = new HashMap<>();

  /**
   * Measures rows.
   *
   * @param leaseTtl the lease that is declared for an effect type
   */
  public DeliveryTimes(Function<String, Duration> leaseTtl) {
    this.leaseTtl = leaseTtl;
  }

  /**
   * Takes a row in.
   *
   * @param row the version in force
   * @param claims its history, with what was delivered under each claim
   * @param firstOriginalAt its first effective original acknowledgement, or null
   * @param measured whether its times count; else only that it was written
   */
  public void row(OutboxRow row, Claims claims, Instant firstOriginalAt, boolean measured) {
    if (row.replayed()) {
      return;
    }
    Counters counters = byType.get(row.effectType());
    if (counters == null) {
      counters = new Counters(row.effectType(), leaseTtl.apply(row.effectType()));
      byType.put(row.effectType(), counters);
    }
    counters.written(row);
    if (!measured) {
      return;
    }
    Instant dispatched = row.dispatchedAt().orNull();
    if (dispatched != null && firstOriginalAt != null) {
      counters.dispatchToAck.add(Duration.between(dispatched, firstOriginalAt), row.outboxId());
    }
    if (!claims.tooMany()) {
      List<Claim> all = claims.claims();
      for (int i = 0; i < all.size(); i++) {
        counters.claim(all.get(i), row.outboxId());
      }
    }
  }

  /** Adds all counts to a tally, and forgets them. */
  public void flush(Tally tally) {
    byType.values().forEach(counters -> counters.flush(tally));
    byType.clear();
  }

  /**
   * What the rows of an effect type show.
   *
   * @param effectType the type, or null
   * @param rows outbox rows, those of replays excepted
   * @param lastCreatedAt when the last of them was created
   * @param windows redeliveries by crash window
   * @param dispatchToAck from dispatched_at to the first acknowledgement
   * @param claimToDispatch from claimed_at to dispatched_at, of every claim under which a row was
   *     marked
   * @param lease for how long each claim needed its lease
   * @param leaseTtl the lease that is declared
   * @param overTtl claims that needed longer
   */
  public record OfType(
      String effectType,
      long rows,
      Instant lastCreatedAt,
      ImmutableSortedMap<String, Long> windows,
      Delays dispatchToAck,
      Delays claimToDispatch,
      Delays lease,
      Duration leaseTtl,
      long overTtl) {}

  /** What a tally holds, by effect type. */
  public static ImmutableList<OfType> of(Tally tally, Function<String, Duration> leaseTtl) {
    TreeMap<String, String> types = new TreeMap<>();
    for (String path : List.of(LeaseTally.ROWS, LeaseTally.WINDOWS)) {
      tally.sumsUnder(path).keySet().forEach(t -> types.put(t.get(0), Tally.step(t, 0)));
    }
    ImmutableList.Builder<OfType> facts = ImmutableList.builder();
    for (String type : types.values()) {
      byte[] last = tally.max(LeaseTally.LAST_CREATED, type);
      ImmutableSortedMap.Builder<String, Long> windows = ImmutableSortedMap.naturalOrder();
      for (Map.Entry<List<String>, Long> count :
          tally.sumsUnder(LeaseTally.WINDOWS, type).entrySet()) {
        if (count.getValue() != 0) {
          windows.put(count.getKey().get(0), count.getValue());
        }
      }
      facts.add(
          new OfType(
              type,
              tally.sum(LeaseTally.ROWS, type),
              last == null ? null : new KeyReader(last).instant(),
              windows.buildOrThrow(),
              Delays.of(tally, DISPATCH_TO_ACK, type),
              Delays.of(tally, CLAIM_TO_DISPATCH, type),
              Delays.of(tally, LEASE, type),
              leaseTtl.apply(type),
              tally.sum(LeaseTally.OVER_TTL, type)));
    }
    return facts.build();
  }

  private static final class Counters {

    private final String type;
    private final Duration leaseTtl;
    private final Delays.Counter dispatchToAck;
    private final Delays.Counter claimToDispatch;
    private final Delays.Counter lease;
    private long overTtl;
    private long rows;
    private Instant lastCreatedAt;

    Counters(String type, Duration leaseTtl) {
      this.type = type;
      this.leaseTtl = leaseTtl;
      this.dispatchToAck = new Delays.Counter(DISPATCH_TO_ACK, type);
      this.claimToDispatch = new Delays.Counter(CLAIM_TO_DISPATCH, type);
      this.lease = new Delays.Counter(LEASE, type);
    }

    void written(OutboxRow row) {
      rows++;
      if (lastCreatedAt == null || row.createdAt().isAfter(lastCreatedAt)) {
        lastCreatedAt = row.createdAt();
      }
    }

    void claim(Claim claim, String outboxId) {
      if (claim.markedAt() != null) {
        claimToDispatch.add(Duration.between(claim.claimedAt(), claim.markedAt()), outboxId);
      }
      if (claim.doneAt() != null) {
        Duration needed = Duration.between(claim.claimedAt(), claim.doneAt());
        lease.add(needed, outboxId);
        overTtl += needed.compareTo(leaseTtl) > 0 ? 1 : 0;
      }
    }

    void flush(Tally tally) {
      tally.add(rows, LeaseTally.ROWS, type);
      tally.max(new KeyWriter().instant(lastCreatedAt).toBytes(), LeaseTally.LAST_CREATED, type);
      if (overTtl > 0) {
        tally.add(overTtl, LeaseTally.OVER_TTL, type);
      }
      dispatchToAck.flush(tally);
      claimToDispatch.flush(tally);
      lease.flush(tally);
    }
  }
}
