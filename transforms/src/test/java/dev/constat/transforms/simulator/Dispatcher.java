package dev.constat.transforms.simulator;

import dev.constat.transforms.simulator.OutboxEntry.Claim;
import dev.constat.transforms.simulator.OutboxEntry.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the workers of a pool do with the outbox: poll, claim, mark. */
final class Dispatcher {

  private static final Duration LONG_LEASE = Duration.ofHours(1);

  private final PoolPlan plan;
  private final Outbox outbox;
  private final VirtualClock clock;
  private final Comparator<OutboxEntry> byPriority;

  Dispatcher(PoolPlan plan, Outbox outbox, VirtualClock clock) {
    this.plan = plan;
    this.outbox = outbox;
    this.clock = clock;
    this.byPriority =
        Comparator.comparingInt((OutboxEntry entry) -> -entry.event.priority)
            .thenComparing(outbox.contractOrder());
  }

  PoolPlan plan() {
    return plan;
  }

  /** Whether the row is this pool's to send. */
  boolean sends(OutboxEntry entry) {
    return entry.replayId == null && plan.types().contains(entry.type);
  }

  /** Rows for a worker, by priority, then in contract order; claimed where rows are claimed. */
  List<OutboxEntry> take(String worker) {
    List<OutboxEntry> free = new ArrayList<>();
    Map<String, OutboxEntry> heads = heads();
    for (OutboxEntry entry : outbox.entries()) {
      if (sends(entry) && entry.committed && !entry.terminal()) {
        OutboxEntry head = plan.keepsOrder() ? heads.get(entry.event.aggregateId) : entry;
        entry.passedOverFor = head == entry ? null : head;
        if (head == entry && free(entry)) {
          free.add(entry);
        }
      }
    }
    free.sort(byPriority);
    List<OutboxEntry> batch = List.copyOf(free.subList(0, Math.min(plan.batch(), free.size())));
    if (plan.claims()) {
      batch.forEach(entry -> claim(entry, worker, batch.size()));
    }
    return batch;
  }

  /** The oldest row of each aggregate that is not terminal. */
  private Map<String, OutboxEntry> heads() {
    Map<String, OutboxEntry> heads = new HashMap<>();
    for (OutboxEntry entry : outbox.entries()) {
      if (sends(entry) && entry.committed && !entry.terminal()) {
        heads.merge(
            entry.event.aggregateId,
            entry,
            (a, b) -> outbox.contractOrder().compare(a, b) <= 0 ? a : b);
      }
    }
    return heads;
  }

  private boolean free(OutboxEntry entry) {
    Instant now = clock.now();
    if (entry.abandoned) {
      return false;
    }
    return switch (entry.status) {
      case PENDING -> entry.visibleAt == null || !entry.visibleAt.isAfter(now);
      case PROCESSING -> !entry.leaseUntil.isAfter(now);
      case DISPATCHED, DLQ -> false;
    };
  }

  /** Takes a lease on a row, whoever has one. */
  void claim(OutboxEntry entry, String worker, int rows) {
    Instant now = clock.now();
    entry.stolen |=
        entry.status == Status.PROCESSING
            && entry.leaseUntil.isAfter(now)
            && !entry.owner.equals(worker);
    Duration lease = entry.plays(Fault.LONG_LEASE) ? LONG_LEASE : PoolPlan.LEASE;
    entry.claim = new Claim(worker, now, now.plus(lease), rows);
    entry.claimTimes.add(now);
    entry.status = Status.PROCESSING;
    entry.claimedAt = now;
    entry.owner = worker;
    entry.leaseUntil = entry.claim.until();
    entry.attempts += plan.countsAtStart() ? 1 : 0;
    entry.keepVersion();
  }

  /** Begins an attempt on a row that is not claimed. */
  void begin(OutboxEntry entry) {
    if (plan.countsAtStart()) {
      entry.attempts++;
      entry.keepVersion();
    }
  }

  /** Whether a mark by the holder of a claim has an effect. */
  private boolean ignores(OutboxEntry entry, Claim claim) {
    return plan.fenced() && (!Objects.equals(entry.claim, claim) || entry.terminal());
  }

  void markDispatched(OutboxEntry entry, Claim claim) {
    if (ignores(entry, claim)) {
      return;
    }
    countAtMark(entry);
    entry.status = Status.DISPATCHED;
    entry.dispatchedAt = clock.now();
    entry.marks.add(clock.now());
    if (plan.clearsLease()) {
      clearLease(entry);
    }
    entry.keepVersion();
  }

  void markFailed(OutboxEntry entry, Claim claim) {
    if (ignores(entry, claim)) {
      return;
    }
    countAtMark(entry);
    entry.failed++;
    clearLease(entry);
    boolean exhausted =
        entry.attempts >= plan.maxAttempts()
            && entry.dlqAt == null
            && entry.fault != Fault.TRIED_TOO_OFTEN;
    if (exhausted && entry.fault != Fault.EXHAUSTED) {
      entry.status = Status.DLQ;
      entry.dlqAt = clock.now();
    } else {
      entry.status = Status.PENDING;
      entry.visibleAt = clock.now().plus(Duration.ofSeconds(5L << Math.min(entry.failed, 4)));
      entry.abandoned |= exhausted;
    }
    entry.keepVersion();
  }

  /** Makes a row pending again that had been dealt with. */
  void reopen(OutboxEntry entry) {
    entry.status = Status.PENDING;
    entry.dispatchedAt = null;
    entry.visibleAt = clock.now();
    clearLease(entry);
    entry.keepVersion();
  }

  private void countAtMark(OutboxEntry entry) {
    entry.attempts += plan.countsAtStart() ? 0 : 1;
  }

  private static void clearLease(OutboxEntry entry) {
    entry.claimedAt = null;
    entry.owner = null;
    entry.leaseUntil = null;
  }
}
