package dev.constat.rules.explain;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.projection.Outcome;
import dev.constat.rules.time.Timeliness;
import java.time.Duration;
import java.time.Instant;

/**
 * A reception as a row of the decisions table has it; names are those of its columns.
 *
 * @param occurredAt null where the table cannot hold it
 * @param place where its record stands, or null where the table does not say
 */
public record ReceptionFacts(
    String ingestionId,
    String sourceEventId,
    String partition,
    Instant occurredAt,
    String occurredAtText,
    Instant receivedAt,
    String schemaVersion,
    String key,
    String hash,
    String hashRule,
    Decision decision,
    Timeliness timeliness,
    boolean movesCurrent,
    ImmutableList<WindowFacts> windows,
    Instant watermark,
    Duration budget,
    String budgetVersion,
    String against,
    long repeats,
    Instant lastReceivedAt,
    String rule,
    ImmutableList<Flag> flags,
    String reason,
    String replayId,
    String recorded,
    String supersedes,
    RecordPlace place) {

  /**
   * What became of an event in a window.
   *
   * @param projection the projection
   * @param version its version
   * @param start where the window begins
   * @param outcome what became of it
   */
  public record WindowFacts(String projection, String version, Instant start, Outcome outcome) {}

  /**
   * Reads a row.
   *
   * @throws IllegalArgumentException if it is none of this version
   */
  public static ReceptionFacts of(TableRow row) {
    return new ReceptionFacts(
        row.required("ingestion_id"),
        row.text("source_event_id"),
        row.text("partition"),
        row.time("occurred_at"),
        row.text("occurred_at_text"),
        row.time("received_at"),
        row.text("schema_version"),
        row.required("key"),
        row.text("hash"),
        row.text("hash_rule"),
        Decision.valueOf(row.required("decision")),
        row.text("timeliness") == null ? null : Timeliness.valueOf(row.text("timeliness")),
        Boolean.TRUE.equals(row.value("moves_current")),
        windows(row),
        row.time("watermark"),
        Duration.parse(row.required("budget")),
        row.text("budget_version"),
        row.text("against"),
        row.integer("repeats"),
        row.time("last_received_at"),
        row.text("rule"),
        row.texts("flags").stream().map(Flag::valueOf).collect(ImmutableList.toImmutableList()),
        row.text("reason"),
        row.text("replay_id"),
        row.text("recorded"),
        row.text("supersedes"),
        RecordPlace.of(row, "evidence_file", "evidence_position"));
  }

  private static ImmutableList<WindowFacts> windows(TableRow row) {
    return row.windows("windows").stream()
        .map(
            window ->
                new WindowFacts(
                    (String) window[0],
                    (String) window[1],
                    (Instant) window[2],
                    Outcome.valueOf((String) window[3])))
        .collect(ImmutableList.toImmutableList());
  }

  /** Whether history holds it. */
  public boolean inHistory() {
    return decision.inHistory();
  }

  /** The largest occurred_at that its partition had seen, or null where there was none. */
  Instant largestBefore() {
    return watermark == null ? null : watermark.plus(budget);
  }
}
