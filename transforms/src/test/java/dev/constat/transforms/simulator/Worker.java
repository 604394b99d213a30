package dev.constat.transforms.simulator;

import dev.constat.transforms.simulator.OutboxEntry.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * One worker of a pool: it polls, then publishes and marks the rows it got, one after the other. It
 * never looks at its lease again.
 */
final class Worker {

  private static final Duration MOMENT = Duration.ofNanos(1_000);

  /** After so many looks at an empty outbox, it looks less often. */
  private static final int PATIENCE = 50;

  private final String name;
  private final Dispatcher dispatcher;
  private final PoolPlan plan;
  private final Broker broker;
  private final VirtualClock clock;
  private final Chance chance;
  private int emptyPolls;

  Worker(String name, Dispatcher dispatcher, Broker broker, VirtualClock clock, Chance chance) {
    this.name = name;
    this.dispatcher = dispatcher;
    this.plan = dispatcher.plan();
    this.broker = broker;
    this.clock = clock;
    this.chance = chance;
  }

  void start() {
    clock.after(chance.seconds(0, 5), this::poll);
  }

  private void poll() {
    List<OutboxEntry> batch = dispatcher.take(name);
    if (batch.isEmpty()) {
      emptyPolls++;
      int longest = emptyPolls > PATIENCE ? 120 : plan.idle();
      clock.after(chance.seconds(1, longest), this::poll);
      return;
    }
    emptyPolls = 0;
    List<OutboxEntry> sent = plan.parallel() ? chance.shuffled(batch) : batch;
    next(sent, sent.stream().map(entry -> entry.claim).toList(), 0);
  }

  private void next(List<OutboxEntry> batch, List<Claim> claims, int index) {
    if (index == batch.size()) {
      clock.after(chance.millis(1, 400), this::poll);
      return;
    }
    OutboxEntry entry = batch.get(index);
    send(entry, claims.get(index), () -> next(batch, claims, index + 1));
  }

  private void send(OutboxEntry entry, Claim claim, Runnable then) {
    if (!plan.claims()) {
      dispatcher.begin(entry);
    }
    if (entry.plays(Fault.CRASH_BEFORE_PUBLISH)) {
      crash();
    } else if (entry.plays(Fault.LEFT_CLAIMED)) {
      entry.abandoned = true;
      crash();
    } else if (entry.plays(Fault.STALL_BEFORE_PUBLISH) || entry.plays(Fault.KEY_OF_WORKER)) {
      stall(() -> publish(entry, claim, then));
    } else if (entry.plays(Fault.STALE_FAILURE)) {
      stall(
          () -> {
            dispatcher.markFailed(entry, claim);
            clock.after(MOMENT, then);
          });
    } else if (entry.plays(Fault.STOLEN_LEASE)) {
      Worker thief = new Worker(name + "-thief", dispatcher, broker, clock, chance);
      clock.after(chance.seconds(2, 9), () -> thief.steal(entry));
      clock.after(chance.seconds(10, 40), () -> publish(entry, claim, then));
    } else {
      publish(entry, claim, then);
    }
  }

  private void steal(OutboxEntry entry) {
    dispatcher.claim(entry, name, 1);
    publish(entry, entry.claim, () -> {});
  }

  private void publish(OutboxEntry entry, Claim claim, Runnable then) {
    Instant begun = clock.now();
    clock.after(
        broker.takes(),
        () -> {
          if (fails(entry)) {
            clock.after(
                chance.millis(1, 5),
                () -> {
                  dispatcher.markFailed(entry, claim);
                  resubmit(entry);
                  clock.after(MOMENT, then);
                });
            return;
          }
          broker.accept(
              new Publication(
                  entry, name, claim, begun, clock.now(), !Objects.equals(entry.claim, claim)),
              plan);
          afterPublishing(entry, claim, then);
        });
  }

  private boolean fails(OutboxEntry entry) {
    return switch (entry.fault) {
      case DEAD, EXHAUSTED -> true;
      case RESUBMITTED -> entry.dlqAt == null;
      case TRIED_TOO_OFTEN -> entry.failed <= plan.maxAttempts();
      default ->
          plan.failures() > 0
              && entry.attempts < plan.maxAttempts() - 2
              && chance.oneIn(plan.failures());
    };
  }

  /** Somebody looks after dead letters, and takes up again what may be mended. */
  private void resubmit(OutboxEntry entry) {
    if (entry.dlqAt != null && entry.plays(Fault.RESUBMITTED)) {
      clock.after(
          chance.seconds(120, 1200),
          () -> {
            if (chance.oneIn(2)) {
              entry.attempts = 0;
            }
            dispatcher.reopen(entry);
          });
    }
  }

  private void afterPublishing(OutboxEntry entry, Claim claim, Runnable then) {
    if (entry.plays(Fault.CRASH_AFTER_PUBLISH)) {
      crash();
    } else if (entry.plays(Fault.NEVER_MARKED)) {
      entry.abandoned = true;
      crash();
    } else if (entry.plays(Fault.STALL_AFTER_PUBLISH)) {
      stall(() -> mark(entry, claim, then));
    } else if (entry.plays(Fault.AMBIGUOUS_FAILURE)) {
      clock.after(
          chance.millis(1, 5),
          () -> {
            dispatcher.markFailed(entry, claim);
            clock.after(MOMENT, then);
          });
    } else {
      clock.after(chance.millis(1, 20), () -> mark(entry, claim, then));
    }
  }

  private void mark(OutboxEntry entry, Claim claim, Runnable then) {
    dispatcher.markDispatched(entry, claim);
    broker.lose(entry, plan);
    if (entry.plays(Fault.LOST_MARK)) {
      clock.after(chance.seconds(30, 300), () -> dispatcher.reopen(entry));
    }
    clock.after(MOMENT, then);
  }

  /** The worker is gone with its batch, and comes back some time later. */
  private void crash() {
    clock.after(chance.seconds(5, 90), this::poll);
  }

  /** It stands still for longer than its lease, and than others need to see that. */
  private void stall(Runnable then) {
    clock.after(PoolPlan.LEASE.plus(chance.seconds(15, 90)), then);
  }
}
