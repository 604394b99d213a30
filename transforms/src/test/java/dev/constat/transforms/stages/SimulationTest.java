package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Kind;
import dev.constat.transforms.simulator.Breach;
import dev.constat.transforms.simulator.Scenario;
import dev.constat.transforms.simulator.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator itself: it can be played again, and its truth notices what is not as it was. */
final class SimulationTest {

  static LongStream seeds() {
    return LongStream.range(0, 40);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void oneSeedPlaysOneHistory(long seed) {
    Simulation first = Simulation.of(Scenario.crashes(seed));
    Simulation second = Simulation.of(Scenario.crashes(seed));

    assertThat(first.records()).hasToString(second.records().toString());
    assertThat(first.truth().expectations()).hasToString(second.truth().expectations().toString());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsExpectedWhereNothingWentWrong(long seed) {
    assertThat(Simulation.of(Scenario.clean(seed)).truth().expectations()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void crashesLeadToRepeatsAndNothingElse(long seed) {
    assertThat(Simulation.of(Scenario.crashes(seed)).truth().expectations())
        .allMatch(expectation -> expectation.kind() == Kind.REDELIVERY);
  }

  @ParameterizedTest
  @EnumSource(Breach.class)
  void everyBreachComesToSomething(Breach breach) {
    assertThat(
            seeds()
                .mapToObj(seed -> Simulation.of(Scenario.breach(seed, breach)))
                .filter(simulation -> !simulation.truth().expectations().isEmpty()))
        .hasSizeGreaterThan(10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void cleanDefaultModeIsCleanToARun(long seed) {
    Simulation simulation = Simulation.of(Scenario.cleanWithoutOrderAndReplays(seed));
    SimulatedArchive archive = SimulatedArchive.of(simulation);
    RunOutcome outcome = archive.run().run(archive.records());

    assertThat(archive.disagreements(outcome)).isEmpty();
    assertThat(outcome.unbalanced()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aRecordThatIsMissingIsNoticed(long seed) {
    Simulation simulation = Simulation.of(Scenario.cleanWithoutOrderAndReplays(seed));
    SimulatedArchive archive = SimulatedArchive.of(simulation);
    List<ArchiveRecord> records = new ArrayList<>(archive.records());
    ArchiveRecord event =
        records.stream().filter(r -> r.input() == Input.EVENTS).findFirst().orElseThrow();
    records.removeIf(
        r ->
            r.input() == Input.EVENTS
                && event.text("source_event_id").equals(r.text("source_event_id")));

    assertThat(archive.disagreements(archive.run().run(records)))
        .anyMatch(line -> line.startsWith("found, but did not happen: error error ORPHAN_OUTBOX"));
  }
}
