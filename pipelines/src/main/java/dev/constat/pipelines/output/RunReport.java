package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.math.LongMath;
import dev.constat.rules.baseline.Acknowledgements;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.reconcile.Book;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.time.SweepRow;
import java.time.Duration;
import java.time.Instant;

/**
 * What a run found, in numbers. Everything here follows from spec, inputs and version: no clock, no
 * machine, no path. Lists are written in the order they have here.
 *
 * @param name name of the run spec
 * @param version version of Constat
 * @param asOf the instant that dates ages and expiries
 * @param verdict the conclusion
 * @param reasons why it is INCONCLUSIVE, as sentences, the foremost first; else empty
 * @param inputs one per configured input
 * @param decisions receptions per decision
 * @param timeliness accepted receptions per answer
 * @param findings one per level and kind that has findings, gravest first
 * @param silent subjects that no finding speaks of, per reason (IN_FLIGHT, OUT_OF_HORIZON, ...)
 * @param books the books
 * @param coverage one per check
 * @param sources one per source and schema version
 * @param lateness what each budget of a ladder would have made of the events of each source
 * @param effects one per effect type
 * @param order what was counted of the order of aggregates
 * @param deliveries what the outbox's history shows of deliveries
 * @param replays the replays that were seen or registered
 * @param causes findings by likely common cause
 * @param baseline what the baseline did, or null where none was given
 */
public record RunReport(
    String name,
    String version,
    Instant asOf,
    Verdict verdict,
    ImmutableList<String> reasons,
    ImmutableList<InputFacts> inputs,
    ImmutableSortedMap<String, Long> decisions,
    ImmutableSortedMap<String, Long> timeliness,
    ImmutableList<KindCount> findings,
    ImmutableSortedMap<String, Long> silent,
    ImmutableList<Book> books,
    ImmutableList<Coverage> coverage,
    ImmutableList<SourceFacts> sources,
    ImmutableList<SweepRow> lateness,
    ImmutableList<EffectFacts> effects,
    OrderReport order,
    DeliveryReport deliveries,
    ImmutableList<ReplayFacts> replays,
    ImmutableList<Cause> causes,
    Acknowledgements.Report baseline) {

  /**
   * One input.
   *
   * @param input its name
   * @param rows rows read
   * @param unreadable those that could not be read
   * @param first smallest time of its clock column, or null
   * @param last greatest one, or null
   * @param start from when on it is complete, or null where nothing says so
   * @param cut up to when it is complete, or null where it has no row
   * @param cutInferred whether the cut was taken from the data
   * @param retention declared retention, or null
   */
  public record InputFacts(
      String input,
      long rows,
      long unreadable,
      Instant first,
      Instant last,
      Instant start,
      Instant cut,
      boolean cutInferred,
      Duration retention) {}

  /**
   * The findings of one kind and level.
   *
   * @param kind the kind
   * @param level the level
   * @param findings how many
   * @param occurrences how often what they state happened
   * @param acknowledged how many of them an entry of the baseline acknowledges
   */
  public record KindCount(
      Kind kind, Level level, long findings, long occurrences, long acknowledged) {

    /** This and further ones of the kind; at the graver level. */
    public KindCount and(KindCount other) {
      return new KindCount(
          kind,
          level.compareTo(other.level) <= 0 ? level : other.level,
          LongMath.saturatedAdd(findings, other.findings),
          LongMath.saturatedAdd(occurrences, other.occurrences),
          LongMath.saturatedAdd(acknowledged, other.acknowledged));
    }
  }

  /**
   * How much a check could judge.
   *
   * @param check its name
   * @param judged subjects it judged
   * @param notJudged those it could not judge, per reason
   */
  public record Coverage(String check, long judged, ImmutableSortedMap<String, Long> notJudged) {}

  /**
   * What is known of one schema version of one source.
   *
   * @param source the source
   * @param schemaVersion the version, or null
   * @param decisions receptions per decision
   * @param timeliness accepted receptions per answer
   * @param disorder accepted receptions older than one of their partition received before
   * @param conflictingKeys keys with at least one deviating reception
   * @param quarantined receptions in quarantine
   * @param oldestQuarantined smallest received_at among them, or null
   * @param knownSchema whether the contract knows the version
   * @param lags accepted receptions per bucket of {@link dev.constat.rules.reconcile.LagBuckets},
   *     and beyond the last
   * @param lagMillis sum of their lags in milliseconds, each cut as {@code LagBuckets} cuts it
   */
  public record SourceFacts(
      String source,
      String schemaVersion,
      ImmutableSortedMap<String, Long> decisions,
      ImmutableSortedMap<String, Long> timeliness,
      long disorder,
      long conflictingKeys,
      long quarantined,
      Instant oldestQuarantined,
      boolean knownSchema,
      ImmutableList<Long> lags,
      long lagMillis) {}

  /**
   * The outbox rows of one effect type.
   *
   * @param type the type, or null
   * @param states rows per state class
   * @param retried rows that were attempted more than once
   */
  public record EffectFacts(String type, ImmutableSortedMap<String, Long> states, long retried) {}

  /**
   * A replay: what was meant, and what it left behind.
   *
   * @param replayId its id
   * @param topic the topic it republishes, or null for all
   * @param from first instant of its interval, or null
   * @param to last instant, inclusive, or null
   * @param registered whether the registry knows it
   * @param authorised whether it may have effects; null where no registry says so
   * @param effectKeys {@code original} or {@code own}; null likewise
   * @param activity what it left behind
   * @param scopeEvents accepted events in its scope; null where nobody knows the scope
   * @param seenEvents those of them of which it left a trace
   */
  public record ReplayFacts(
      String replayId,
      String topic,
      Instant from,
      Instant to,
      boolean registered,
      Boolean authorised,
      String effectKeys,
      ReplayActivityFacts activity,
      Long scopeEvents,
      long seenEvents) {}

  /**
   * What a replay left behind.
   *
   * @param receptions receptions that carry its id
   * @param rows outbox rows that do
   * @param acks acknowledgements of it
   * @param effects effects of its own that are in order
   * @param redeliveries acknowledgements of effects that were there already
   * @param furtherEffects further effects of events that had theirs
   * @param unauthorised acknowledgements without leave
   * @param restarts how often it began again with its first event
   * @param firstAt when it first left something, or null
   * @param lastAt when it last did, or null
   */
  public record ReplayActivityFacts(
      long receptions,
      long rows,
      long acks,
      long effects,
      long redeliveries,
      long furtherEffects,
      long unauthorised,
      long restarts,
      Instant firstAt,
      Instant lastAt) {}

  /**
   * Findings that share what likely caused them.
   *
   * @param kind their kind
   * @param by what they share: a column, or the hour
   * @param value its value, or null
   * @param findings how many
   */
  public record Cause(Kind kind, String by, String value, long findings) {}
}
