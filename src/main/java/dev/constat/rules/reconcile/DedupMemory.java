package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.spec.RunSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

/**
 * Audits how long the live system remembers what it has seen: the rule {@code dedup-memory/1}. A
 * repeat is an exact or conflicting duplicate that no replay brought; its distance is the time
 * since the first reception of its key. Identity is global over the run, so every repeat is seen
 * here, also those that the live system no longer recognised.
 *
 * <ul>
 *   <li><i>Forgotten</i>: recorded as ACCEPTED or CORRECTION. Where nothing is recorded of it, a
 *       repeat that came after the declared retention of events counts as forgotten: the row that
 *       would have been its memory was gone.
 *   <li>A repeat that came within the grace after the first and was taken for new is no lapse of
 *       memory but a race of two receptions: it is <i>raced</i>, not forgotten.
 *   <li><i>Remembered</i>: recorded as a duplicate.
 *   <li>It had an effect where an outbox row that is SURPLUS was created at or after it: that row
 *       carries the hint {@link #EXPIRED}.
 *   <li><i>Enough</i>: the longest distance. A memory of that length recognises every repeat here.
 * </ul>
 */
public final class DedupMemory {

  /** Hint of SURPLUS_OUTBOX: an earlier reception of the event had been forgotten by then. */
  static final String EXPIRED = "DEDUP_EXPIRED";

  private static final String COUNTS = "dedup distance";
  private static final String MILLIS = "dedup distance millis";
  private static final String BEYOND = "dedup beyond retention";
  private static final String FORGOTTEN = "dedup forgotten";
  private static final String RACED = "dedup raced";
  private static final String REMEMBERED = "dedup remembered";
  private static final String ROWS = "dedup surplus rows";

  private final Tally tally;
  private final Duration retention;
  private final Duration grace;
  private Instant forgottenAt;

  /**
   * An audit.
   *
   * @param tally where it counts
   */
  DedupMemory(RunSpec spec, Tally tally) {
    this.tally = tally;
    this.retention = retention(spec);
    this.grace = new EffectPolicy(spec).largestGrace();
  }

  private static Duration retention(RunSpec spec) {
    RunSpec.Archive events = spec.archives().get(Input.EVENTS);
    return events == null ? null : events.retention();
  }

  /** Begins a key. */
  void begin() {
    forgottenAt = null;
  }

  /**
   * Takes a repeat in that no replay brought; they come as they were received.
   *
   * @param recorded what the live system decided, or null
   */
  void repeat(Reception first, Reception repeat, RecordedDecision recorded) {
    String source = repeat.source();
    Duration distance = Duration.between(first.receivedAt(), repeat.receivedAt());
    tally.add(1, COUNTS, source, Integer.toString(LagBuckets.of(distance)));
    tally.add(LagBuckets.millis(distance), MILLIS, source);
    String example = repeat.key().id() == null ? repeat.ingestionId() : repeat.key().id();
    tally.min(longestFirst(distance, example), COUNTS, source);
    boolean beyond = retention != null && distance.compareTo(retention) > 0;
    if (beyond) {
      tally.add(1, BEYOND, source);
    }
    boolean forgotten = recorded == null ? beyond : inHistory(recorded);
    if (forgotten && distance.compareTo(grace) <= 0) {
      tally.add(1, RACED, source);
    } else if (forgotten) {
      tally.add(1, FORGOTTEN, source);
      tally.min(shortestFirst(distance), FORGOTTEN, source);
      forgottenAt = forgottenAt == null ? repeat.receivedAt() : forgottenAt;
    } else if (recorded != null && isDuplicate(recorded)) {
      tally.add(1, REMEMBERED, source);
      tally.max(shortestFirst(distance), REMEMBERED, source);
    }
  }

  private static boolean inHistory(RecordedDecision recorded) {
    return recorded.decision().equals(Decision.ACCEPTED.name())
        || recorded.decision().equals(Decision.CORRECTION.name());
  }

  private static boolean isDuplicate(RecordedDecision recorded) {
    return recorded.decision().equals(Decision.EXACT_DUPLICATE.name())
        || recorded.decision().equals(Decision.CONFLICTING_DUPLICATE.name());
  }

  private static byte[] longestFirst(Duration distance, String example) {
    KeyWriter out = new KeyWriter();
    return out.signed(-distance.toSeconds()).signed(-distance.getNano()).text(example).toBytes();
  }

  private static byte[] shortestFirst(Duration distance) {
    return new KeyWriter().signed(distance.toSeconds()).signed(distance.getNano()).toBytes();
  }

  /** When the first forgotten repeat of the key came, or null. */
  Instant forgottenAt() {
    return forgottenAt;
  }

  /** Whether a surplus row of an event is an effect of a forgotten repeat; counts it if so. */
  static boolean expired(KeyVerdict event, Instant createdAt, Tally tally) {
    boolean expired = event.forgottenAt() != null && !createdAt.isBefore(event.forgottenAt());
    if (expired) {
      tally.add(1, ROWS, event.key().source());
    }
    return expired;
  }

  /**
   * What is known of the memory of one source.
   *
   * @param source the source
   * @param repeats repeats that no replay brought
   * @param counts these by bucket of {@link LagBuckets}, and beyond the last
   * @param millis sum of their distances in milliseconds, each cut as {@code LagBuckets} cuts it
   * @param enough the longest distance, exactly
   * @param sourceEventId the event it was taken from, of several the smallest by the bytes of its
   *     id; an ingestion_id where the event has no id
   * @param retention the declared retention of events, or null
   * @param beyondRetention repeats that came after it
   * @param forgotten repeats that the live system took for new
   * @param raced those that it took for new so soon after the first that the two raced
   * @param shortestForgotten the shortest distance of these, or null
   * @param remembered repeats that the live system recognised
   * @param longestRemembered the longest distance of these, or null
   * @param surplusRows surplus outbox rows created at or after a forgotten repeat of their event
   */
  public record OfSource(
      String source,
      long repeats,
      ImmutableList<Long> counts,
      long millis,
      Duration enough,
      String sourceEventId,
      Duration retention,
      long beyondRetention,
      long forgotten,
      long raced,
      Duration shortestForgotten,
      long remembered,
      Duration longestRemembered,
      long surplusRows) {}

  /** What a tally holds, by source; sources without repeats are left out. */
  static ImmutableList<OfSource> of(RunSpec spec, Tally tally) {
    ImmutableList.Builder<OfSource> sources = ImmutableList.builder();
    TreeMap<String, byte[]> longest = new TreeMap<>();
    tally.minimaUnder(COUNTS).forEach((path, value) -> longest.put(path.get(0), value));
    longest.forEach(
        (source, value) -> {
          ImmutableList.Builder<Long> counts = ImmutableList.builder();
          long repeats = 0;
          for (int i = 0; i <= LagBuckets.BOUNDS.length(); i++) {
            long count = tally.sum(COUNTS, source, Integer.toString(i));
            repeats += count;
            counts.add(count);
          }
          KeyReader in = new KeyReader(value);
          sources.add(
              new OfSource(
                  source,
                  repeats,
                  counts.build(),
                  tally.sum(MILLIS, source),
                  Duration.ofSeconds(-in.signed(), -in.signed()),
                  in.text(),
                  retention(spec),
                  tally.sum(BEYOND, source),
                  tally.sum(FORGOTTEN, source),
                  tally.sum(RACED, source),
                  duration(tally.min(FORGOTTEN, source)),
                  tally.sum(REMEMBERED, source),
                  duration(tally.max(REMEMBERED, source)),
                  tally.sum(ROWS, source)));
        });
    return sources.build();
  }

  private static Duration duration(byte[] encoded) {
    if (encoded == null) {
      return null;
    }
    KeyReader in = new KeyReader(encoded);
    return Duration.ofSeconds(in.signed(), in.signed());
  }
}
