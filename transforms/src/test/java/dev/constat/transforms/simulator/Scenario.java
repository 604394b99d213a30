package dev.constat.transforms.simulator;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What is to be played: how the system is set up, what goes wrong, what is archived of it. */
public final class Scenario {

  static final Instant START = Instant.parse("2026-01-05T06:00:00Z");
  private static final Duration LONG = Duration.ofHours(3);

  private enum Trouble {
    NOTHING,
    CRASHES,
    BREACH
  }

  private final long seed;
  private final Trouble trouble;
  private final Breach breach;
  private final boolean withReplays;
  private final ImmutableList<PoolPlan> pools;
  private final Instant end;
  private final boolean everyVersion;
  private final boolean workersNamed;
  private final boolean appliedReported;
  private final boolean keyless;
  private final boolean keyPerRow;
  private final boolean integerIds;
  private final boolean recordsDecisions;
  private final boolean browns;
  private final boolean slowConsumers;

  private Scenario(long seed, Trouble trouble, Breach breach, boolean ordered, boolean replays) {
    Chance chance = new Chance(seed * 31 + 7);
    this.seed = seed;
    this.trouble = trouble;
    this.breach = breach;
    boolean ofReplay = breach != null && breach.ofReplay();
    boolean early = trouble != Trouble.BREACH && chance.oneIn(3);
    withReplays = ofReplay || (replays && !early && chance.oneIn(2));
    end = START.plus(early ? chance.seconds(10 * 60, 40 * 60) : LONG);
    everyVersion = !chance.oneIn(3);
    workersNamed = !chance.oneIn(4);
    appliedReported = breach == Breach.APPLIED_TWICE || (!ofReplay && chance.oneIn(5));
    keyless = breach == null && !withReplays && chance.oneIn(6);
    keyPerRow = chance.oneIn(3);
    integerIds = chance.oneIn(3);
    recordsDecisions = chance.oneIn(2);
    browns = trouble == Trouble.CRASHES && chance.oneIn(4);
    slowConsumers = trouble != Trouble.BREACH && chance.oneIn(5);
    pools = pools(chance, ordered);
  }

  /** A system in which nothing goes wrong but what is mended by another attempt. */
  public static Scenario clean(long seed) {
    return new Scenario(seed, Trouble.NOTHING, null, true, true);
  }

  /** The same without order and replays. */
  public static Scenario cleanWithoutOrderAndReplays(long seed) {
    return new Scenario(seed, Trouble.NOTHING, null, false, false);
  }

  /** Crashes, stalls and repeats, as at-least-once delivery has to live with. */
  public static Scenario crashes(long seed) {
    return new Scenario(seed, Trouble.CRASHES, null, true, true);
  }

  /** The same without order and replays. */
  public static Scenario crashesWithoutOrderAndReplays(long seed) {
    return new Scenario(seed, Trouble.CRASHES, null, false, false);
  }

  /** A breach, with some crashes beside it or none. */
  public static Scenario breach(long seed, Breach breach) {
    return new Scenario(seed, Trouble.BREACH, breach, true, false);
  }

  private ImmutableList<PoolPlan> pools(Chance chance, boolean orderPossible) {
    boolean needsOrder = breach != null && breach.ordered();
    boolean ordered = needsOrder || (orderPossible && !chance.oneIn(3));
    boolean plain = !ordered || chance.oneIn(2);
    ImmutableList.Builder<PoolPlan> plans = ImmutableList.builder();
    if (ordered) {
      plans.add(
          pool(
              chance,
              "ship",
              true,
              chance.oneIn(3) ? ImmutableList.of("bill", "ship") : ImmutableList.of("ship")));
    }
    if (plain) {
      plans.add(pool(chance, "mail", false, ImmutableList.of("mail")));
    }
    return plans.build();
  }

  private PoolPlan pool(Chance chance, String name, boolean ordered, ImmutableList<String> types) {
    boolean neglects = ordered && breach != null && breach.neglectsOrder();
    boolean staller =
        trouble == Trouble.BREACH
            && switch (breach.fault()) {
              case LEFT_CLAIMED, LONG_LEASE, STOLEN_LEASE, KEY_OF_WORKER -> true;
              default -> false;
            };
    boolean claims = staller || browns || !chance.oneIn(4);
    List<String> consumers = new ArrayList<>(List.of(name + "-c1"));
    if (chance.oneIn(2)) {
      consumers.add(name + "-c2");
    }
    int failures = 15;
    int idle = 5;
    int batch = chance.between(1, 4);
    if (neglects) {
      failures = breach == Breach.RETRY_OVERTAKE ? 5 : 0;
      idle = breach == Breach.PRIORITY_OVERTAKE || breach == Breach.PARALLEL_BATCH ? 60 : 5;
      batch = breach == Breach.PARALLEL_BATCH ? 8 : batch;
    }
    return new PoolPlan(
        name,
        types,
        ImmutableList.copyOf(consumers),
        ordered,
        ordered && !neglects,
        claims,
        claims ? chance.between(staller ? 2 : 1, 3) : 1,
        batch,
        breach == Breach.PARALLEL_BATCH,
        idle,
        failures,
        chance.oneIn(2),
        breach == null && chance.oneIn(3),
        breach != Breach.LONG_LEASE && chance.oneIn(4),
        browns ? 12 : 5);
  }

  long seed() {
    return seed;
  }

  boolean crashes() {
    return trouble == Trouble.CRASHES;
  }

  /** The breach to be played, or null. */
  Breach breach() {
    return breach;
  }

  /** Whether the breach is that one. */
  boolean plays(Breach candidate) {
    return breach == candidate;
  }

  boolean withReplays() {
    return withReplays;
  }

  /** The pools; every event has one row for each of their types. */
  ImmutableList<PoolPlan> pools() {
    return pools;
  }

  /** When the archive is taken. */
  Instant end() {
    return end;
  }

  /** Whether all versions of a row are archived, else the last. */
  boolean everyVersion() {
    return everyVersion;
  }

  /** Whether acknowledgements name the worker who sent the message. */
  boolean workersNamed() {
    return workersNamed;
  }

  /** Whether consumers say if they applied a message. */
  boolean appliedReported() {
    return appliedReported;
  }

  /** Whether consumers give no idempotency key. */
  boolean keyless() {
    return keyless;
  }

  /** Whether the key is the row's, else the event's. */
  boolean keyPerRow() {
    return keyPerRow;
  }

  boolean integerIds() {
    return integerIds;
  }

  boolean recordsDecisions() {
    return recordsDecisions;
  }

  /** Whether the broker is slow for a while. */
  boolean browns() {
    return browns;
  }

  /** Whether consumers take their time. */
  boolean slowConsumers() {
    return slowConsumers;
  }

  /** Whether it is declared for how long the intake remembers; else only its decisions tell. */
  private boolean declaresMemory() {
    return plays(Breach.FORGOTTEN_EVENT) && !recordsDecisions;
  }

  /** The run spec under which its archive is to be judged. */
  String spec() {
    StringBuilder spec = new StringBuilder();
    spec.append("constat: 1\narchives:\n");
    input(spec, "events", declaresMemory() ? ", retention: " + Intake.MEMORY : "");
    input(spec, "outbox", integerIds ? ", id_order: integer" : "");
    input(spec, "acknowledgements", "");
    if (recordsDecisions) {
      input(spec, "decisions", "");
    }
    if (withReplays) {
      input(spec, "replays", "");
    }
    spec.append("effects:\n");
    for (PoolPlan pool : pools) {
      for (String type : pool.types()) {
        spec.append("  - {type: ")
            .append(type)
            .append(", consumers: ")
            .append(pool.consumers())
            .append(", lease_ttl: ")
            .append(PoolPlan.LEASE)
            .append(", max_attempts: ")
            .append(pool.maxAttempts())
            .append(pool.ordered() ? ", order: aggregate" : "")
            .append("}\n");
      }
    }
    return spec.toString();
  }

  private void input(StringBuilder spec, String name, String more) {
    spec.append("  ")
        .append(name)
        .append(": {files: ")
        .append(name)
        .append(", allow_empty: true, cut: ")
        .append(end)
        .append(more)
        .append("}\n");
  }

  @Override
  public String toString() {
    return "seed "
        + seed
        + ", "
        + (breach == null ? trouble : breach)
        + ", "
        + pools
        + ", until "
        + end
        + (everyVersion ? ", every version" : ", last versions")
        + (workersNamed ? ", workers named" : "")
        + (appliedReported ? ", applied reported" : "")
        + (keyless ? ", no keys" : keyPerRow ? ", keys of rows" : ", keys of events")
        + (integerIds ? ", integer ids" : "")
        + (withReplays ? ", replays" : "")
        + (browns ? ", slow broker" : "")
        + (slowConsumers ? ", slow consumers" : "");
  }
}
