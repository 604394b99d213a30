package dev.constat.transforms.simulator;

import dev.constat.rules.envelope.Input;
import java.time.Duration;
import java.util.List;

/** A history that was played: the archive it left, and the truth about it. */
public final class Simulation {

  private final Scenario scenario;
  private final Archive archive;
  private final Truth truth;

  private Simulation(Scenario scenario, Archive archive, Truth truth) {
    this.scenario = scenario;
    this.archive = archive;
    this.truth = truth;
  }

  /** Plays a scenario; equal scenarios give equal histories. */
  public static Simulation of(Scenario scenario) {
    Chance chance = new Chance(scenario.seed());
    VirtualClock clock = new VirtualClock(Scenario.START);
    Archive archive = new Archive();
    Outbox outbox = new Outbox(chance, scenario.integerIds());
    Broker broker = new Broker(scenario, clock, chance, archive, outbox);
    Intake intake =
        new Intake(scenario, clock, chance, archive, outbox, new Faults(scenario, chance));
    Replays replays = new Replays(scenario, clock, chance, archive, outbox, intake, broker);
    new Producers(scenario, clock, chance, intake).start();
    for (PoolPlan pool : scenario.pools()) {
      Dispatcher dispatcher = new Dispatcher(pool, outbox, clock);
      for (int i = 1; i <= pool.workers(); i++) {
        new Worker(pool.name() + "-w" + i, dispatcher, broker, clock, chance).start();
      }
    }
    replays.start();
    boolean stray = scenario.plays(Breach.STRAY_ACK);
    if (stray) {
      clock.after(Duration.ofMinutes(20), () -> strayAck(scenario, clock, archive));
    }
    clock.runUntil(scenario.end());
    for (OutboxEntry entry : outbox.entries()) {
      int kept = entry.versions.size();
      entry
          .versions
          .subList(scenario.everyVersion() ? 0 : Math.max(0, kept - 1), kept)
          .forEach(version -> archive.add(Input.OUTBOX, version));
    }
    Truth truth = Truth.of(scenario, outbox, intake, broker, replays);
    if (stray) {
      truth.strayAck("stray");
    }
    return new Simulation(scenario, archive, truth);
  }

  private static void strayAck(Scenario scenario, VirtualClock clock, Archive archive) {
    archive
        .add(Input.ACKNOWLEDGEMENTS)
        .put("ack_id", "stray")
        .put("outbox_id", "0")
        .put("consumer", scenario.pools().get(0).consumers().get(0))
        .put("acked_at", clock.now().toString())
        .put("effect_key", "stray");
  }

  /** The scenario. */
  public Scenario scenario() {
    return scenario;
  }

  /** The run spec under which the archive is to be judged. */
  public String spec() {
    return scenario.spec();
  }

  /** The records that it left. */
  public List<Archive.Entry> records() {
    return archive.entries();
  }

  /** What has to be found in them. */
  public Truth truth() {
    return truth;
  }
}
