package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Tally;

/**
 * The book of what acknowledgements of replays turn out to be, where a registry says which replays
 * were meant: its lines add up to line "replay" of the book of acknowledgements.
 */
final class ReplayBook {

  /** The book, among those of the tally. */
  static final String BOOK = "replay acks";

  /** Of a replay without leave. */
  static final String UNAUTHORISED = "unauthorised";

  /** Effects of a replay's own, as the registry lets it have them. */
  static final String EFFECTS = "replay effects";

  /** Of effects that were there already. */
  static final String REPEATS = "repeats";

  /** Further effects of an event that had its own. */
  static final String FURTHER_KEYS = "further keys";

  /** Of nothing that was applied. */
  static final String NOT_APPLIED = "not applied";

  /** Outside --from/--to, of no outbox row that is there, or without a registry. */
  static final String NOT_JUDGED = "not judged";

  /** All lines. */
  static final ImmutableList<String> LINES =
      ImmutableList.of(UNAUTHORISED, EFFECTS, REPEATS, FURTHER_KEYS, NOT_APPLIED, NOT_JUDGED);

  private ReplayBook() {}

  /** Adds to a line. */
  static void add(Tally tally, String line, long count) {
    if (count != 0) {
      tally.add(count, CheckTally.BOOK, BOOK, line);
    }
  }
}
