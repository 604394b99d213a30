package dev.constat.rules.projection;

import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;

/**
 * The computations of one cell that the live system recorded: the last is the cell, and those that
 * consumed the same events must have the same output. They come grouped by what they consumed, by
 * age inside a group.
 */
final class RecordedRows {

  private static final String RULE = "determinism/1";

  private RecordedCell latest;
  private RecordedCell hashed;
  private RecordedCell valued;
  private RecordedCell reference;
  private RecordedCell deviating;
  private long deviations;
  private boolean comparable;

  /** The next computation. */
  void next(RecordedCell row) {
    latest = latest == null || row.isAfter(latest) ? row : latest;
    if (row.eventIds() == null || unzoned(row)) {
      return;
    }
    comparable = true;
    hashed = hashed != null && row.consumedTheSame(hashed) ? hashed : null;
    valued = valued != null && row.consumedTheSame(valued) ? valued : null;
    RecordedCell other = differing(row);
    if (other != null) {
      reference = deviating == null ? other : reference;
      deviating = deviating == null ? row : deviating;
      deviations++;
    }
    hashed = hashed == null && row.outputHash() != null ? row : hashed;
    valued = valued == null && !row.values().isEmpty() ? row : valued;
  }

  /** Which window a computation is of is then unknown. */
  private static boolean unzoned(RecordedCell row) {
    return !row.windowStart().known();
  }

  /** The first computation of the same events with another output, or null. */
  private RecordedCell differing(RecordedCell row) {
    if (hashed != null && row.outputHash() != null) {
      return row.outputHash().equals(hashed.outputHash()) ? null : hashed;
    }
    return valued != null && row.differsByValue(valued) ? valued : null;
  }

  /**
   * States whether the projection was deterministic.
   *
   * @return the cell: the last computation
   */
  RecordedCell end(CellLedger ledger) {
    if (!comparable) {
      ledger.notJudged(Kind.NON_DETERMINISTIC_PROJECTION, "no event_ids of the events consumed");
      return latest;
    }
    ledger.judged(Kind.NON_DETERMINISTIC_PROJECTION);
    if (deviating != null) {
      ledger.finding(
          Statement.of(
                  Kind.NON_DETERMINISTIC_PROJECTION,
                  CellJudge.subject(
                      deviating.projection(),
                      deviating.version(),
                      deviating.businessKey(),
                      deviating.windowStart().orNull()))
              .because("One version made different outputs of the same events")
              .sides(side(reference), side(deviating))
              .under(RULE)
              .seenAt(reference.place(), deviating.place())
              .when(reference.computedAt(), deviating.computedAt())
              .times(deviations)
              .finding());
    }
    return latest;
  }

  private static JsonObject side(RecordedCell row) {
    JsonObject side =
        new JsonObject()
            .put("event_ids", row.eventIds().stream().limit(CellJudge.MAX_SHOWN).toList())
            .put("replay_id", row.replayId());
    if (row.outputHash() != null) {
      return side.put("output_hash", row.outputHash());
    }
    row.values().keySet().forEach(column -> side.put(column, row.text(column)));
    return side;
  }
}
