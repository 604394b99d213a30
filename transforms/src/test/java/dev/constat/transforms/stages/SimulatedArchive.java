package dev.constat.transforms.stages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.transforms.simulator.Expectation;
import dev.constat.transforms.simulator.Simulation;
import dev.constat.transforms.simulator.Window;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The archive that a simulation left, judged by a run, and held against what was played. */
final class SimulatedArchive {

  private final Simulation simulation;

  private SimulatedArchive(Simulation simulation) {
    this.simulation = simulation;
  }

  static SimulatedArchive of(Simulation simulation) {
    return new SimulatedArchive(simulation);
  }

  /** A run over it that has still to be set up. */
  InMemoryRun run() {
    return InMemoryRun.of(RunSpecParser.parse(simulation.spec(), "constat.yaml", "simulation"));
  }

  List<ArchiveRecord> records() {
    return simulation.records().stream()
        .map(entry -> new ArchiveRecord(entry.input(), "rows", entry.columns()))
        .toList();
  }

  /**
   * Where findings and truth differ: what should have been found, what should not, and what was
   * found otherwise than it was.
   */
  List<String> disagreements(RunOutcome outcome) {
    List<String> disagreements = new ArrayList<>();
    Map<List<Object>, Expectation> expected = new LinkedHashMap<>();
    for (Expectation expectation : simulation.truth().expectations()) {
      expected.merge(
          List.of(expectation.kind(), expectation.subject()),
          expectation,
          (a, b) -> {
            throw new IllegalStateException("Expected twice: " + a + " and " + b);
          });
    }
    for (Finding finding : outcome.findings()) {
      if (finding.kind() == Kind.INPUT_NOTE) {
        continue;
      }
      Expectation expectation =
          expected.remove(List.of(finding.kind(), subject(finding.subject())));
      if (expectation == null) {
        disagreements.add("found, but did not happen: " + line(finding));
      } else {
        compare(expectation, finding)
            .forEach(
                difference ->
                    disagreements.add(
                        difference + ": happened " + expectation + ", found " + line(finding)));
      }
    }
    expected.values().stream()
        .filter(expectation -> !expectation.mayBeAbsent())
        .forEach(missed -> disagreements.add("happened, but was not found: " + missed));
    return disagreements;
  }

  private static String line(Finding finding) {
    return finding.level().key()
        + " "
        + RunOutcome.findingLine(finding)
        + ": "
        + finding.reason()
        + " "
        + finding.actual();
  }

  private static SortedMap<String, String> subject(String json) {
    SortedMap<String, String> subject = new TreeMap<>();
    ArchiveRecord.object(json)
        .properties()
        .forEach(
            member -> {
              JsonNode value = member.getValue();
              subject.put(member.getKey(), value.isValueNode() ? value.asText() : value.toString());
            });
    return subject;
  }

  private static List<String> compare(Expectation expectation, Finding finding) {
    List<String> differences = new ArrayList<>();
    if (finding.level() != expectation.level()) {
      differences.add("another level");
    }
    if (expectation.occurrences() != 0 && finding.occurrences() != expectation.occurrences()) {
      differences.add("other occurrences");
    }
    if (!finding.hints().containsAll(expectation.hints())) {
      differences.add("hints are missing");
    }
    differences.addAll(compareWindows(expectation.windows(), finding));
    return differences;
  }

  /** A batch over its lease is a lapsed lease; that it was a batch is told apart, by a hint. */
  private static List<String> compareWindows(List<Set<Window>> repeats, Finding finding) {
    List<String> differences = new ArrayList<>();
    boolean batch = finding.hints().contains(Window.BATCH_OVER_LEASE.name());
    if (!batch && repeats.contains(EnumSet.of(Window.BATCH_OVER_LEASE))) {
      differences.add("the batch is not seen");
    }
    if (batch && repeats.stream().noneMatch(repeat -> repeat.contains(Window.BATCH_OVER_LEASE))) {
      differences.add("a batch is seen");
    }
    List<Set<Window>> told = new ArrayList<>();
    for (Set<Window> repeat : repeats) {
      Set<Window> windows = EnumSet.copyOf(repeat);
      if (windows.remove(Window.BATCH_OVER_LEASE)) {
        windows.add(Window.LAPSED_LEASE);
      }
      told.add(windows);
    }
    if (!repeats.isEmpty() && !fit(told, windows(finding))) {
      differences.add("other windows");
    }
    return differences;
  }

  /** The windows that a finding of repeats shows, each with how many came through it. */
  private static Map<Window, Integer> windows(Finding finding) {
    ObjectNode actual = ArchiveRecord.object(finding.actual());
    Map<Window, Integer> windows = new EnumMap<>(Window.class);
    actual
        .path("windows")
        .properties()
        .forEach(
            member ->
                windows.put(
                    Window.valueOf(member.getKey().toUpperCase(Locale.ROOT).replace(' ', '_')),
                    member.getValue().intValue()));
    return windows;
  }

  /** Whether each repeat can be given one of the windows through which it may have come. */
  private static boolean fit(List<Set<Window>> repeats, Map<Window, Integer> found) {
    int sum = found.values().stream().mapToInt(Integer::intValue).sum();
    return sum == repeats.size() && fit(repeats, 0, new EnumMap<>(found));
  }

  private static boolean fit(List<Set<Window>> repeats, int index, Map<Window, Integer> left) {
    if (index == repeats.size()) {
      return true;
    }
    for (Window window : repeats.get(index)) {
      int count = left.getOrDefault(window, 0);
      if (count > 0) {
        left.put(window, count - 1);
        if (fit(repeats, index + 1, left)) {
          return true;
        }
        left.put(window, count);
      }
    }
    return false;
  }
}
