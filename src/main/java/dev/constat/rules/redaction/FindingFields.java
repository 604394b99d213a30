package dev.constat.rules.redaction;

import static dev.constat.rules.disclosure.Disclosure.HASHED;
import static dev.constat.rules.disclosure.Disclosure.KEPT;
import static dev.constat.rules.disclosure.Disclosure.NAMED;
import static dev.constat.rules.disclosure.Disclosure.RULE;
import static dev.constat.rules.disclosure.Disclosure.WITHHELD;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.constat.rules.disclosure.Disclosure;
import dev.constat.rules.findings.Kind;

/**
 * What redacted findings show of the members of their subject and of both sides. What is not listed
 * is hashed, with whatever is below it. Names that a run spec gives to columns of scopes and
 * projections stand among the members too, so members are kept of those kinds only that have them.
 */
final class FindingFields {

  private static final ImmutableSet<Kind> OF_INPUTS =
      ImmutableSet.of(Kind.INPUT_ERROR, Kind.INPUT_NOTE, Kind.NO_INPUT, Kind.UNZONED_TIMESTAMP);

  private static final ImmutableSet<Kind> OF_CELLS =
      ImmutableSet.of(
          Kind.PROJECTION_DRIFT,
          Kind.MISSING_WINDOW,
          Kind.UNEXPECTED_WINDOW,
          Kind.NON_DETERMINISTIC_PROJECTION);

  private static final ImmutableSet<String> OF_CELL_SIDES =
      ImmutableSet.of("event_ids", "output_hash", "replay_id", "window_end");

  /** Names, wherever they stand. */
  private static final ImmutableMap<String, Disclosure> NAMES =
      ImmutableMap.<String, Disclosure>builder()
          .put("source", NAMED)
          .put("partition", NAMED)
          .put("schema_version", NAMED)
          .put("schema_versions", NAMED)
          .put("effect_type", NAMED)
          .put("topic", NAMED)
          .put("aggregate_type", NAMED)
          .put("consumer", NAMED)
          .put("consumers", NAMED)
          .put("never_received", NAMED)
          .put("already_acknowledged", NAMED)
          .put("projection", NAMED)
          .put("version", NAMED)
          .put("projection_version", NAMED)
          .put("hash_rule", RULE)
          .buildOrThrow();

  /** Ids and other values, wherever they stand; hashed as what is not listed is. */
  private static final ImmutableSet<String> VALUES =
      ImmutableSet.of(
          "ack_id",
          "against",
          "aggregate_id",
          "branches",
          "business_key",
          "contradictions", // the reason says it
          "cycle",
          "delivered_first",
          "deviating_hash",
          "effect_key",
          "effect_keys",
          "event_ids",
          "first_missing",
          "hash",
          "head",
          "ingestion_id",
          "key",
          "largest",
          "last_event_id",
          "last_missing",
          "lease_owner",
          "lower",
          "next",
          "next_event_id",
          "number",
          "original_event_id",
          "outbox_id",
          "output_hash",
          "priority",
          "replay_id",
          "replay_ids",
          "revision",
          "row_version",
          "rule_version",
          "source_event_id",
          "source_event_ids",
          "supersedes",
          "target_ingestion_id",
          "upper",
          "value",
          "worker");

  /** Constat's own words, times, durations and counts on either side of a disagreement. */
  private static final ImmutableSet<String> KEPT_OF_SIDES =
      ImmutableSet.of(
          "accepted",
          "acks",
          "age",
          "attempts",
          "attribution",
          "blocked",
          "blocked_since",
          "bytes",
          "cause",
          "claimed_at",
          "column",
          "contents",
          "corrections",
          "created_at",
          "created_from",
          "created_to",
          "decision",
          "delivered_at",
          "deliveries",
          "dispatched_at",
          "distance",
          "dlq_at",
          "effects",
          "effects_authorised",
          "epoch",
          "event",
          "events",
          "first_acked_at",
          "from",
          "head_attempts",
          "head_status",
          "ids",
          "keys",
          "last_created_at",
          "lease",
          "lease_ttl",
          "lease_until",
          "max_attempts",
          "members",
          "missing",
          "never_received_unknown",
          "next_created_at",
          "occurred_at",
          "order",
          "outbox_rows",
          "pending",
          "pending_at_most",
          "plausible",
          "received_after",
          "received_at",
          "receptions",
          "records",
          "recovered_within",
          "registered",
          "restarts",
          "rows",
          "status",
          "supersedes_occurred_at",
          "target_received_at",
          "to",
          "types",
          "unit_suspect",
          "visible_at",
          "windows",
          "within");

  private FindingFields() {}

  /** What is shown of a member of a subject. */
  static Disclosure ofSubject(Kind kind, String member) {
    if (OF_INPUTS.contains(kind)) {
      return KEPT; // input, file, place, column, note: nothing of a record
    }
    if (OF_CELLS.contains(kind) && member.equals("window_start")
        || kind == Kind.UNIT_SUSPECT && member.equals("factor")
        || kind == Kind.SEQUENCE_GAP && member.equals("epoch")
        || kind == Kind.SUSPECTED_IDENTITY_DRIFT && member.equals("occurred_at")) {
      return KEPT;
    }
    return NAMES.getOrDefault(member, HASHED);
  }

  /** What is shown of a member of what was expected or found. */
  static Disclosure ofSide(Kind kind, String member) {
    if (OF_CELLS.contains(kind)) {
      return member.equals("window_end")
          ? KEPT
          : HASHED; // which no column of a projection is called
    }
    if (member.equals("raw_base64")) {
      return WITHHELD;
    }
    if (member.equals("reason") || member.equals("remedy")) {
      // A recorded reason is a text of the archive, and a remedy of reading may quote one.
      return kind == Kind.DECISION_MISMATCH || kind == Kind.INPUT_ERROR ? HASHED : KEPT;
    }
    if (member.equals("target")) {
      return kind == Kind.BROKEN_CHAIN ? KEPT : HASHED;
    }
    return KEPT_OF_SIDES.contains(member) ? KEPT : NAMES.getOrDefault(member, HASHED);
  }

  /** Whether the names of members of a side may come from records. */
  static boolean namesOwnMembers(Kind kind) {
    return OF_CELLS.contains(kind);
  }

  /** Whether sides of cells have a member of that name, besides the columns of the projection. */
  static boolean isOfCells(String member) {
    return OF_CELL_SIDES.contains(member);
  }

  /** What is shown of a value in a sentence, by its column. */
  static Disclosure ofWord(String column) {
    return NAMES.getOrDefault(column, HASHED);
  }

  /** What is shown of a member of an effect in a plan. */
  static Disclosure ofPlan(String member) {
    return NAMES.getOrDefault(member, HASHED);
  }

  /** The column that a member holds values of. */
  static String column(String member) {
    return switch (member) {
      case "consumers", "never_received", "already_acknowledged" -> "consumer";
      case "schema_versions" -> "schema_version";
      case "projection_version" -> "version";
      default -> member;
    };
  }

  /** Whether somebody has said what is shown of a member. */
  static boolean lists(Kind kind, String member) {
    return OF_INPUTS.contains(kind)
        || OF_CELLS.contains(kind)
        || NAMES.containsKey(member)
        || VALUES.contains(member)
        || KEPT_OF_SIDES.contains(member)
        || ofSubject(kind, member) != HASHED
        || ofSide(kind, member) != HASHED
        || member.equals("target")
        || member.equals("reason");
  }
}
