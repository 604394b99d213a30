package dev.constat.transforms.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Sources that send events, now and then in bursts, and sometimes send one again. */
final class Producers {

  static final List<String> TOPICS = List.of("orders", "trades");

  private final Scenario scenario;
  private final VirtualClock clock;
  private final Chance chance;
  private final Intake intake;
  private final int events;
  private final int special;
  private int sent;

  Producers(Scenario scenario, VirtualClock clock, Chance chance, Intake intake) {
    this.scenario = scenario;
    this.clock = clock;
    this.chance = chance;
    this.intake = intake;
    this.events = chance.between(25, 45);
    this.special = chance.between(3, 15);
  }

  void start() {
    boolean dense = scenario.breach() != null && scenario.breach().neglectsOrder();
    Instant next = clock.now();
    while (sent < events) {
      next = next.plus(dense ? chance.seconds(1, 20) : chance.seconds(1, 60));
      int burst = chance.oneIn(4) ? chance.between(2, 3) : 1;
      String aggregate = aggregate();
      for (int i = 0; i < burst; i++) {
        send(next.plus(chance.millis(1, 90)), burst == 1 ? aggregate() : aggregate);
      }
    }
  }

  private String aggregate() {
    return "acc-" + chance.between(1, 3);
  }

  private void send(Instant time, String aggregate) {
    sent++;
    SourceEvent event =
        new SourceEvent(
            chance.oneIn(3) ? "web" : "desk",
            "e" + chance.name() + sent,
            chance.pick(TOPICS),
            aggregate,
            priority(),
            time.minus(chance.millis(10, 2500)),
            chance.between(0, 99));
    if (sent == special && scenario.plays(Breach.ORPHAN_ROW)) {
      event.vanished = true;
    }
    if (sent == special && scenario.plays(Breach.LOST_ROW)) {
      clock.at(time, () -> intake.losesRowOf(event));
    }
    clock.at(time, () -> intake.receive(event));
    if (sent == special && scenario.plays(Breach.FORGOTTEN_EVENT)) {
      clock.at(
          time.plus(Duration.ofMinutes(31)).plus(chance.seconds(0, 900)),
          () -> intake.receive(event));
    } else if (chance.oneIn(6)) {
      clock.at(time.plus(chance.seconds(1, 60)), () -> intake.receive(event));
    }
  }

  private int priority() {
    Breach breach = scenario.breach();
    boolean even = breach != null && breach.neglectsOrder() && breach != Breach.PRIORITY_OVERTAKE;
    return even ? 0 : chance.between(0, 3) * 3;
  }
}
