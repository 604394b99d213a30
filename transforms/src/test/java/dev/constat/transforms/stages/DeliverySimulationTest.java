package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.TreeMultiset;
import dev.constat.rules.findings.Kind;
import dev.constat.transforms.simulator.Breach;
import dev.constat.transforms.simulator.Scenario;
import dev.constat.transforms.simulator.Simulation;
import dev.constat.transforms.simulator.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Histories of dispatchers, leases, crashes, retries, consumers and replays, played on a virtual
 * clock: what was played is found, with the right kind, subject, cause and crash window, and
 * nothing else is.
 */
final class DeliverySimulationTest {

  private static final int CLEAN = 100;
  private static final int CRASHES = 120;
  private static final int PER_BREACH = 8;

  static Stream<Scenario> clean() {
    return LongStream.range(0, CLEAN).mapToObj(Scenario::clean);
  }

  static Stream<Scenario> crashes() {
    return LongStream.range(1000, 1000 + CRASHES).mapToObj(Scenario::crashes);
  }

  static Stream<Scenario> breaches() {
    return Arrays.stream(Breach.values())
        .flatMap(
            breach ->
                LongStream.range(2000, 2000 + PER_BREACH)
                    .mapToObj(seed -> Scenario.breach(seed, breach)));
  }

  @ParameterizedTest
  @MethodSource("clean")
  void nothingIsFoundWhereNothingWentWrong(Scenario scenario) {
    RunOutcome outcome = judge(scenario);

    assertThat(outcome.findings()).filteredOn(f -> f.kind() != Kind.INPUT_NOTE).isEmpty();
    assertThat(outcome.unbalanced()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("crashes")
  void repeatsAreFoundWithTheirWindows(Scenario scenario) {
    agrees(scenario);
  }

  @ParameterizedTest
  @MethodSource("breaches")
  void breachesAreFoundAndNothingElse(Scenario scenario) {
    agrees(scenario);
  }

  private static void agrees(Scenario scenario) {
    Simulation simulation = Simulation.of(scenario);
    RunOutcome outcome = judge(simulation, scenario.toString().hashCode());

    assertThat(SimulatedArchive.of(simulation).disagreements(outcome)).isEmpty();
    assertThat(outcome.unbalanced()).isEmpty();
  }

  private static RunOutcome judge(Scenario scenario) {
    return judge(Simulation.of(scenario), scenario.toString().hashCode());
  }

  /** Judges an archive in some order, cut into some buckets and slabs. */
  private static RunOutcome judge(Simulation simulation, int variant) {
    SimulatedArchive archive = SimulatedArchive.of(simulation);
    InMemoryRun run = archive.run();
    if (variant % 2 == 0) {
      run.buckets(16).shuffledBy(variant);
    }
    if (variant % 3 == 0) {
      run.slabs(1 + Math.floorMod(variant, 5));
    }
    return run.run(archive.records());
  }

  /** Scenarios that never come to what they are there for prove nothing. */
  @Test
  void everythingIsWitnessed() {
    TreeMultiset<String> witnessed = TreeMultiset.create();
    Stream.of(clean(), crashes(), breaches())
        .flatMap(scenarios -> scenarios)
        .forEach(scenario -> witnessed.addAll(Simulation.of(scenario).truth().witnessed()));
    List<String> wanted = new ArrayList<>();
    for (Window window : Window.values()) {
      wanted.add("window " + window);
    }
    for (Breach breach : Breach.values()) {
      wanted.add("breach " + breach);
    }
    for (String mode : List.of("default", "ordered")) {
      for (String how : List.of("claims", "no claims", "one worker", "several workers")) {
        wanted.add("mode " + mode + ", " + how);
      }
    }
    for (String cause : List.of("RETRY_OVERTAKE", "LATE_VISIBILITY", "PRIORITY", "UNKNOWN")) {
      wanted.add("overtaking " + cause);
    }
    wanted.addAll(
        List.of(
            "overtaking UNKNOWN, never delivered",
            "ORDER_VIOLATION as warning",
            "BLOCKED_BY_HEAD",
            "DOUBLE_EFFECT STALE_OWNER",
            "DOUBLE_EFFECT UNSTABLE_KEY",
            "REDELIVERY REPLAY",
            "SURPLUS_OUTBOX DEDUP_EXPIRED",
            "DECISION_MISMATCH",
            "replay with leave, effects",
            "replay without leave",
            "replay without leave, resumed"));

    assertThat(witnessed.elementSet()).as("%s", witnessed).containsAll(wanted);
  }
}
