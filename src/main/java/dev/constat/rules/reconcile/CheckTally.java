package dev.constat.rules.reconcile;

import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;

/**
 * The paths under which checks, books and sources are counted. Every check says of each subject
 * whether it was judged, and if not, why: that is the run's coverage.
 */
public final class CheckTally {

  /** Sum, by check: subjects judged. */
  public static final String JUDGED = Coverage.JUDGED;

  /** Sum, by check and reason: subjects not judged. */
  public static final String NOT_JUDGED = Coverage.NOT_JUDGED;

  /** Sum, by check and standing: subjects about which nothing is said yet, or any more. */
  public static final String SILENT = Coverage.SILENT;

  /** Sum, by book and line (and effect type, consumer where a book has them). */
  public static final String BOOK = "book";

  /** Sum, by source, schema version and decision: receptions that are no archive copies. */
  public static final String SOURCES = "sources";

  /** Sum, by source, schema version and decision: those of replays among them. */
  public static final String REPLAYED = "replayed";

  /** Sum, by source, schema version and answer: accepted events in time, replayed ones apart. */
  public static final String TIMELINESS = "timeliness";

  /** Sum, by source and schema version: accepted events older than one received before them. */
  public static final String DISORDER = "disorder";

  /**
   * Sum, by title of a windowed projection version: windows that events in history fall into, an
   * event that is not projected counting once. Also the name of the book that accounts for them.
   */
  public static final String CELLS = "cells";

  /**
   * Sum, by version of a projection that is rebuilt and line (cells, on_time, refined, too_late):
   * of the cells that are written.
   */
  public static final String REBUILT = "rebuilt";

  /** Sum, by source and schema version; of accepted events whose version is unknown. */
  public static final String UNKNOWN_SCHEMA = "unknown schema";

  /**
   * Minimum, by source and schema version: (received_at, ingestion_id, place) of accepted events.
   */
  public static final String SCHEMA_FIRST = "schema first";

  /** Maximum, by source and schema version: received_at of accepted events. */
  public static final String SCHEMA_LAST = "schema last";

  /** Sum, by source, schema version and bucket: received_at - occurred_at of accepted events. */
  public static final String LAG = "lag";

  /**
   * Sum, by source and schema version: the same in milliseconds, each within {@link #LAG_LIMIT}.
   */
  public static final String LAG_MILLIS = "lag millis";

  /** The longest lag that counts in full in {@link #LAG_MILLIS}: ten years, in milliseconds. */
  public static final long LAG_LIMIT = 315_576_000_000L;

  /** Sum, by source and schema version: keys with a deviating reception. */
  public static final String CONFLICTING_KEYS = "conflicting keys";

  /** Sum, by effect type: rows of a type that no entry names. */
  public static final String UNDECLARED = "undeclared";

  /** Sum, by effect type and consumer: acknowledgements of a consumer that no entry names. */
  public static final String UNEXPECTED = "unexpected";

  /** Sum, by source: repeats (exact and conflicting duplicates) of originals. */
  public static final String REPEATS = "repeats";

  /** Sum, by source: conflicting ones among them. */
  public static final String CONFLICTS = "conflicts";

  /** Sum, by source and column: conflicting repeats that differ from the first in that column. */
  public static final String CONFLICTS_APART = "conflicts apart";

  /** Sum, by source and column: exact repeats that differ from the first in that column. */
  public static final String DUPLICATES_APART = "duplicates apart";

  /** Sum, by effect type and state class: outbox rows. */
  public static final String STATES = "states";

  /** Sum, by effect type: outbox rows that were tried more than once. */
  public static final String RETRIED = "retried";

  /** Sum, by effect type: rows of status DLQ that are judged, those of replays excepted. */
  public static final String DEAD_DECLARED = "dead declared";

  /** Sum, by effect type: likewise, of the state IMPLICIT_DLQ. */
  public static final String DEAD_IMPLICIT = "dead implicit";

  /**
   * Sum, by effect type and consumer: dead letters that the consumer was to receive. Also the name
   * of the book that accounts for them.
   */
  public static final String DEAD = "dead letters";

  /** Sum, by source and schema version: quarantined versions. */
  public static final String QUARANTINED = "quarantined";

  /** Minimum, by source and schema version: received_at of a quarantined version. */
  public static final String QUARANTINED_FIRST = "quarantined first";

  /**
   * By input, file and note: as a sum, how often something worth an INPUT_NOTE was met; as a
   * minimum, that some part of the file met it, however the file was cut.
   */
  public static final String NOTES = "notes";

  private CheckTally() {}

  /** The path of the smallest (time, place) of what is counted under another path. */
  public static String first(String path) {
    return path + " first";
  }

  /** The path of the greatest time of what is counted under another path. */
  public static String last(String path) {
    return path + " last";
  }

  static void judged(Tally tally, Kind check) {
    Coverage.judged(tally, check);
  }

  static void notJudged(Tally tally, Kind check, String reason) {
    Coverage.notJudged(tally, check, reason);
  }

  /**
   * Counts a subject by its standing.
   *
   * @return whether it is settled, so that an absence may be stated
   */
  static boolean settled(Tally tally, Kind check, Standing standing) {
    if (standing == Standing.SETTLED) {
      judged(tally, check);
      return true;
    }
    Coverage.silent(tally, check, standing.name());
    return false;
  }
}
