package dev.constat.rules.time;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what {@link TimeFindings} needs to know of accepted events, per source and schema version.
 * It keeps a few objects for each of these, whatever the number of events, until it is flushed.
 */
public final class TimeCounts {

  private final ImmutableList<String> pointers;
  private final HashMap<Contract, Counts> byContract = new HashMap<>();
  private Contract lastContract;
  private Counts last;

  /**
   * Counts nothing yet.
   *
   * @param pointers JSON Pointers that projections use
   */
  public TimeCounts(ImmutableList<String> pointers) {
    this.pointers = pointers;
  }

  /**
   * Takes an accepted event in that is no replay.
   *
   * @param schemaVersion may be null
   * @param repair what {@link UnitSuspect#repair} says of it
   * @param values canonical JSON of its values at the pointers, null where there is none; values
   *     beyond those are not looked at
   */
  public void note(
      String source,
      String schemaVersion,
      Instant occurredAt,
      Instant receivedAt,
      Timeliness timeliness,
      String repair,
      List<String> values,
      Place place,
      String ingestionId) {
    Counts counts = counts(new Contract(source, schemaVersion));
    counts.events.add(receivedAt, ingestionId, place);
    if (repair != null) {
      counts
          .repairs
          .computeIfAbsent(repair, text -> new Occurrences())
          .add(receivedAt, ingestionId, place);
    } else if (timeliness != Timeliness.FUTURE) {
      counts.plausible.add(receivedAt, ingestionId, place);
    }
    int multiple = ZoneSuspect.multiple(occurredAt, receivedAt);
    if (multiple != 0) {
      counts
          .quarters
          .computeIfAbsent(multiple, quarters -> new Occurrences())
          .add(receivedAt, ingestionId, place);
    }
    for (int i = 0; i < pointers.size(); i++) {
      JsonType type = JsonType.of(values.get(i));
      if (type != null) {
        counts.ofType(i, type).add(receivedAt, ingestionId, place);
      }
    }
  }

  /** Adds all counts to a tally, and forgets them. */
  public void flush(Tally tally) {
    byContract.forEach((contract, counts) -> flush(tally, contract, counts));
    byContract.clear();
    lastContract = null;
    last = null;
  }

  private void flush(Tally tally, Contract contract, Counts counts) {
    String source = contract.source();
    String version = contract.schemaVersion();
    counts.events.flush(tally, TimeTally.EVENTS, source, version);
    counts.plausible.flush(tally, TimeTally.PLAUSIBLE, source, version);
    counts.repairs.forEach(
        (repair, events) -> events.flush(tally, TimeTally.UNIT_SUSPECT, source, version, repair));
    counts.quarters.forEach(
        (multiple, events) ->
            events.flush(tally, TimeTally.QUARTERS, source, version, Integer.toString(multiple)));
    for (int i = 0; i < pointers.size(); i++) {
      for (JsonType type : JsonType.values()) {
        counts
            .ofType(i, type)
            .flush(tally, TimeTally.VALUE_TYPES, source, version, pointers.get(i), type.text());
      }
    }
  }

  private Counts counts(Contract contract) {
    if (!contract.equals(lastContract)) {
      lastContract = contract;
      last = byContract.computeIfAbsent(contract, asked -> new Counts(pointers.size()));
    }
    return last;
  }

  /** What a source promises under one schema version. */
  private record Contract(String source, String schemaVersion) {}

  /** What is counted for one of them. */
  private static final class Counts {

    private final Occurrences events = new Occurrences();
    private final Occurrences plausible = new Occurrences();
    private final Map<String, Occurrences> repairs = new TreeMap<>();
    private final Map<Integer, Occurrences> quarters = new TreeMap<>();
    private final Occurrences[] types;

    Counts(int pointers) {
      types = new Occurrences[pointers * JsonType.values().length];
      for (int i = 0; i < types.length; i++) {
        types[i] = new Occurrences();
      }
    }

    Occurrences ofType(int pointer, JsonType type) {
      return types[pointer * JsonType.values().length + type.ordinal()];
    }
  }
}
