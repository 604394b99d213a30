package dev.constat.rules.time;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Findings about the times and fields of all events of a source and schema version together, from
 * what {@link TimeCounts} left in the tally: UNIT_SUSPECT, ZONE_SUSPECT and CONTRACT_DRIFT (spec
 * section 4).
 */
public final class TimeFindings {

  private static final Sentence UNITS =
      Sentence.of("Some times would be right in another unit while others are right as they are");
  private static final Sentence TYPES =
      Sentence.of("Values of one field are of several JSON types");
  private static final Sentence UNITS_AND_TYPES =
      Sentence.of("Times are in several units, and values of one field of several JSON types");

  private TimeFindings() {}

  /** The findings of a run. */
  public static List<Finding> of(Tally tally) {
    List<Finding> findings = new ArrayList<>();
    units(tally, findings);
    zones(tally, findings);
    drifts(tally, findings);
    return findings;
  }

  private static void units(Tally tally, List<Finding> findings) {
    for (List<String> path : tally.sumsUnder(TimeTally.UNIT_SUSPECT).keySet()) {
      String source = Tally.step(path, 0);
      String version = Tally.step(path, 1);
      String repair = Tally.step(path, 2);
      Occurrences events = Occurrences.in(tally, TimeTally.UNIT_SUSPECT, source, version, repair);
      findings.add(
          about(
                  Statement.of(Kind.UNIT_SUSPECT, subject(source, version).put("factor", repair)),
                  events)
              .because("Times would be right in another unit; they are kept as received")
              .sides(
                  new JsonObject().put("events", 0),
                  new JsonObject()
                      .put("events", events.count())
                      .put("accepted", tally.sum(TimeTally.EVENTS, source, version)))
              .under("unit-suspect/1")
              .times(events.count())
              .finding());
    }
  }

  private static void zones(Tally tally, List<Finding> findings) {
    tally
        .sumsUnder(TimeTally.QUARTERS)
        .forEach(
            (path, count) -> {
              String source = Tally.step(path, 0);
              String version = Tally.step(path, 1);
              String quarters = Tally.step(path, 2);
              long accepted = tally.sum(TimeTally.EVENTS, source, version);
              if (ZoneSuspect.holds(accepted, count)) {
                Occurrences events =
                    Occurrences.in(tally, TimeTally.QUARTERS, source, version, quarters);
                String lag = ZoneSuspect.length(Integer.parseInt(quarters)).toString();
                findings.add(
                    about(Statement.of(Kind.ZONE_SUSPECT, subject(source, version)), events)
                        .because("Times look like local times that were taken for UTC")
                        .sides(
                            new JsonObject().put("received_after", "PT0S"),
                            new JsonObject()
                                .put("received_after", lag)
                                .put("events", count)
                                .put("accepted", accepted))
                        .under("zone-suspect/1")
                        .times(count)
                        .finding());
              }
            });
  }

  private static void drifts(Tally tally, List<Finding> findings) {
    Map<List<String>, Drift> drifts = new LinkedHashMap<>();
    for (List<String> path : tally.sumsUnder(TimeTally.EVENTS).keySet()) {
      drifts.put(path, new Drift(tally, Tally.step(path, 0), Tally.step(path, 1)));
    }
    for (List<String> path : tally.sumsUnder(TimeTally.UNIT_SUSPECT).keySet()) {
      drifts.get(path.subList(0, 2)).repairs.add(Tally.step(path, 2));
    }
    for (List<String> path : tally.sumsUnder(TimeTally.VALUE_TYPES).keySet()) {
      drifts
          .get(path.subList(0, 2))
          .types
          .computeIfAbsent(Tally.step(path, 2), pointer -> new ArrayList<>())
          .add(Tally.step(path, 3));
    }
    for (Drift drift : drifts.values()) {
      drift.judgeUnits();
      drift.judgeTypes();
      if (drift.occurrences > 0) {
        findings.add(drift.finding());
      }
    }
  }

  private static Statement about(Statement statement, Occurrences events) {
    return statement.seenAt(events.firstPlace()).when(events.firstAt(), events.lastAt());
  }

  private static JsonObject subject(String source, String version) {
    return new JsonObject().put("source", source).put("schema_version", version);
  }

  /** What one source means by one schema version, and whether that is one thing. */
  private static final class Drift {

    private final Tally tally;
    private final String source;
    private final String version;
    private final Statement statement;
    private final List<String> repairs = new ArrayList<>();
    private final Map<String, List<String>> types = new TreeMap<>();
    private final JsonObject expected = new JsonObject();
    private final JsonObject actual = new JsonObject();
    private Sentence reason;
    private long occurrences;

    Drift(Tally tally, String source, String version) {
      this.tally = tally;
      this.source = source;
      this.version = version;
      this.statement = Statement.of(Kind.CONTRACT_DRIFT, subject(source, version));
    }

    /** Times in two units. */
    void judgeUnits() {
      Occurrences plausible = Occurrences.in(tally, TimeTally.PLAUSIBLE, source, version);
      if (plausible.count() == 0 || repairs.isEmpty()) {
        return;
      }
      about(statement, plausible);
      long suspects = 0;
      for (String repair : repairs) {
        Occurrences events = Occurrences.in(tally, TimeTally.UNIT_SUSPECT, source, version, repair);
        about(statement, events);
        suspects += events.count();
      }
      reason = UNITS;
      expected.put("unit_suspect", 0);
      actual.put("unit_suspect", suspects).put("plausible", plausible.count());
      occurrences += suspects;
    }

    /** Fields with several types; what is not of a field's most frequent type counts. */
    void judgeTypes() {
      List<String> texts = new ArrayList<>();
      types.forEach(
          (pointer, ofPointer) -> {
            if (ofPointer.size() > 1) {
              texts.add(severalTypes(pointer, ofPointer));
            }
          });
      if (!texts.isEmpty()) {
        reason = reason == null ? TYPES : UNITS_AND_TYPES;
        expected.put("types", 1);
        actual.put("types", texts);
      }
    }

    private String severalTypes(String pointer, List<String> ofPointer) {
      StringBuilder text = new StringBuilder(pointer).append(':');
      long all = 0;
      long most = 0;
      for (String type : ofPointer) {
        Occurrences values =
            Occurrences.in(tally, TimeTally.VALUE_TYPES, source, version, pointer, type);
        about(statement, values);
        text.append(all == 0 ? " " : ", ").append(type).append(' ').append(values.count());
        all += values.count();
        most = Math.max(most, values.count());
      }
      occurrences += all - most;
      return text.toString();
    }

    Finding finding() {
      return statement
          .because(reason)
          .sides(expected, actual)
          .under("contract-drift/1")
          .times(occurrences)
          .finding();
    }
  }
}
