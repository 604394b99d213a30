package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.reconcile.LagBuckets;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes {@code metrics.prom}, for the text-file collector of Prometheus: the same bytes for the
 * same result. All but the lag are gauges, since every run states its numbers anew; no label holds
 * the id of an event.
 */
public final class MetricsText {

  private static final String[] LAG_BOUNDS = lagBounds();

  private MetricsText() {}

  /** Writes to {@code out}, which the caller closes. */
  public static void write(RunReport report, OutputStream out) throws IOException {
    StringBuilder text = new StringBuilder();
    for (List<MetricFamily> families :
        List.of(
            run(report),
            inputs(report),
            receptions(report),
            outbox(report),
            order(report),
            replays(report))) {
      families.forEach(family -> family.appendTo(text));
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static List<MetricFamily> run(RunReport report) {
    MetricFamily info =
        MetricFamily.gauge("constat_info", "Version of Constat and name of the run spec.")
            .add(1, "name", report.name(), "version", report.version());
    MetricFamily verdict =
        MetricFamily.gauge("constat_verdict", "1 for the verdict of the run, 0 for the others.");
    for (Verdict each : Verdict.values()) {
      verdict.add(each == report.verdict() ? 1 : 0, "verdict", each.name());
    }
    MetricFamily asOf =
        MetricFamily.gauge("constat_as_of_timestamp_seconds", "Instant that dates all ages.");
    addTime(asOf, report.asOf());
    MetricFamily findings = MetricFamily.gauge("constat_findings", "Findings by kind and level.");
    MetricFamily occurrences =
        MetricFamily.gauge(
            "constat_finding_occurrences", "How often what the findings of a kind state happened.");
    for (RunReport.KindCount count : report.findings()) {
      String[] labels = {
        "kind", count.kind().name(), "level", count.level().key(),
      };
      findings.add(count.findings(), labels);
      occurrences.add(count.occurrences(), labels);
    }
    MetricFamily silent =
        MetricFamily.gauge("constat_silent", "Subjects that no finding speaks of, by reason.");
    report.silent().forEach((reason, count) -> silent.add(count, "reason", reason));
    MetricFamily residue =
        MetricFamily.gauge(
            "constat_book_residue", "What a book leaves unaccounted for; not 0 is a bug.");
    report.books().forEach(book -> residue.add(book.residue(), "book", book.name()));
    return List.of(info, verdict, asOf, findings, occurrences, silent, residue);
  }

  private static List<MetricFamily> inputs(RunReport report) {
    MetricFamily rows = MetricFamily.gauge("constat_input_rows", "Rows read.");
    MetricFamily unreadable =
        MetricFamily.gauge("constat_input_unreadable_rows", "Rows that could not be read.");
    MetricFamily cut =
        MetricFamily.gauge(
            "constat_input_cut_timestamp_seconds", "Up to when the input is complete.");
    for (RunReport.InputFacts input : report.inputs()) {
      rows.add(input.rows(), "input", input.input());
      unreadable.add(input.unreadable(), "input", input.input());
      addTime(cut, input.cut(), "input", input.input());
    }
    return List.of(rows, unreadable, cut);
  }

  private static List<MetricFamily> receptions(RunReport report) {
    MetricFamily decisions = MetricFamily.gauge("constat_receptions", "Receptions by decision.");
    MetricFamily timeliness =
        MetricFamily.gauge("constat_accepted_receptions", "Accepted receptions by timeliness.");
    MetricFamily conflicting =
        MetricFamily.gauge("constat_conflicting_keys", "Keys with a deviating reception.");
    MetricFamily quarantined =
        MetricFamily.gauge("constat_quarantined_receptions", "Receptions in quarantine.");
    MetricFamily age =
        MetricFamily.gauge(
            "constat_quarantine_oldest_age_seconds", "Age of the oldest one at as_of.");
    MetricFamily unknown =
        MetricFamily.gauge(
            "constat_unknown_schema_receptions",
            "Receptions of a schema version that the contract does not know.");
    MetricFamily lags =
        MetricFamily.histogram(
            "constat_arrival_lag_seconds", "received_at - occurred_at of accepted receptions.");
    for (RunReport.SourceFacts facts : report.sources()) {
      String[] labels = {"source", facts.source(), "schema_version", facts.schemaVersion()};
      addCounts(decisions, facts.decisions(), "decision", labels);
      addCounts(timeliness, facts.timeliness(), "timeliness", labels);
      conflicting.add(facts.conflictingKeys(), labels);
      quarantined.add(facts.quarantined(), labels);
      if (facts.oldestQuarantined() != null) {
        Duration waited = Duration.between(facts.oldestQuarantined(), report.asOf());
        age.add(seconds(waited.getSeconds(), waited.getNano()), labels);
      }
      if (!facts.knownSchema()) {
        unknown.add(sum(facts.decisions()), labels);
      }
      lags.addHistogram(
          facts.lags().stream().mapToLong(Long::longValue).toArray(),
          LAG_BOUNDS,
          plain(BigDecimal.valueOf(facts.lagMillis(), 3)),
          labels);
    }
    return ImmutableList.<MetricFamily>builder()
        .add(decisions)
        .addAll(ratios(report))
        .add(timeliness, conflicting, quarantined, age, unknown, lags)
        .build();
  }

  /** Per source over all its schema versions, as rates are asked for. */
  private static List<MetricFamily> ratios(RunReport report) {
    Map<String, BigInteger[]> bySource = new TreeMap<>();
    for (RunReport.SourceFacts facts : report.sources()) {
      BigInteger[] sums =
          bySource.computeIfAbsent(
              facts.source(),
              source ->
                  new BigInteger[] {
                    BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO
                  });
      addTo(sums, 0, facts.decisions().getOrDefault("EXACT_DUPLICATE", 0L));
      addTo(sums, 1, sum(facts.decisions()));
      addTo(sums, 1, -facts.decisions().getOrDefault("ARCHIVE_COPY", 0L));
      addTo(sums, 2, facts.timeliness().getOrDefault("LATE", 0L));
      addTo(sums, 3, sum(facts.timeliness()));
    }
    MetricFamily duplicates =
        MetricFamily.gauge(
            "constat_exact_duplicate_ratio", "Exact duplicates among receptions, copies excepted.");
    MetricFamily late =
        MetricFamily.gauge("constat_late_ratio", "Late ones among accepted receptions.");
    bySource.forEach(
        (source, sums) -> {
          addRatio(duplicates, sums[0], sums[1], source);
          addRatio(late, sums[2], sums[3], source);
        });
    return List.of(duplicates, late);
  }

  private static void addTo(BigInteger[] sums, int index, long count) {
    sums[index] = sums[index].add(BigInteger.valueOf(count));
  }

  private static void addRatio(
      MetricFamily family, BigInteger part, BigInteger whole, String source) {
    if (whole.signum() > 0) {
      BigDecimal ratio =
          new BigDecimal(part).divide(new BigDecimal(whole), 6, RoundingMode.HALF_EVEN);
      family.add(plain(ratio), "source", source);
    }
  }

  private static List<MetricFamily> outbox(RunReport report) {
    MetricFamily rows =
        MetricFamily.gauge("constat_outbox_rows", "Outbox rows by effect type and state.");
    MetricFamily retried =
        MetricFamily.gauge("constat_outbox_retried_rows", "Outbox rows attempted more than once.");
    for (RunReport.EffectFacts facts : report.effects()) {
      addCounts(rows, facts.states(), "state", "effect_type", facts.type());
      retried.add(facts.retried(), "effect_type", facts.type());
    }
    return List.of(rows, retried);
  }

  private static List<MetricFamily> order(RunReport report) {
    MetricFamily delivered =
        MetricFamily.gauge(
            "constat_order_delivered_rows", "Delivered outbox rows that name an aggregate.");
    MetricFamily overtakings =
        MetricFamily.gauge(
            "constat_order_overtakings",
            "Of these, delivered before one that they stand behind, by cause.");
    MetricFamily inversions =
        MetricFamily.gauge(
            "constat_order_priority_inversions", "Of these, behind one with the greater priority.");
    MetricFamily heads =
        MetricFamily.gauge(
            "constat_order_heads", "Rows of ordered aggregates that made the next one wait.");
    MetricFamily longest =
        MetricFamily.gauge("constat_order_longest_block_seconds", "The longest that one did.");
    for (OrderReport.OfType type : report.order().types()) {
      String order = type.ordered() ? "aggregate" : "none";
      String[] labels = {"effect_type", type.effectType(), "order", order};
      delivered.add(type.delivered(), labels);
      addCounts(overtakings, type.overtakings(), "cause", labels);
      inversions.add(type.priorityInversions(), labels);
      if (type.ordered()) {
        String name = type.effectType();
        long others = type.heads() - type.freedByDlq() - type.still();
        heads.add(others, "effect_type", name, "freed_by", "DELIVERY");
        heads.add(type.freedByDlq(), "effect_type", name, "freed_by", "DLQ");
        heads.add(type.still(), "effect_type", name, "freed_by", "nobody");
      }
      if (type.longest() != null) {
        Duration blocked = type.longest().blocked();
        longest.add(
            seconds(blocked.toSeconds(), blocked.toNanosPart()), "effect_type", type.effectType());
      }
    }
    return List.of(delivered, overtakings, inversions, heads, longest);
  }

  private static List<MetricFamily> replays(RunReport report) {
    MetricFamily receptions =
        MetricFamily.gauge("constat_replay_receptions", "Receptions that carry a replay's id.");
    MetricFamily from =
        MetricFamily.gauge(
            "constat_replay_from_timestamp_seconds", "First instant of a replay's scope.");
    MetricFamily to =
        MetricFamily.gauge(
            "constat_replay_to_timestamp_seconds", "Last instant of a replay's scope, inclusive.");
    for (RunReport.ReplayFacts facts : report.replays()) {
      String[] labels = {"replay_id", facts.replayId(), "topic", facts.topic()};
      receptions.add(facts.receptions(), labels);
      addTime(from, facts.from(), labels);
      addTime(to, facts.to(), labels);
    }
    return List.of(receptions, from, to);
  }

  private static void addCounts(
      MetricFamily family, Map<String, Long> counts, String label, String... labels) {
    String[] all = Arrays.copyOf(labels, labels.length + 2);
    all[labels.length] = label;
    counts.forEach(
        (value, count) -> {
          all[labels.length + 1] = value;
          family.add(count, all);
        });
  }

  private static void addTime(MetricFamily family, Instant time, String... labels) {
    if (time != null) {
      family.add(seconds(time.getEpochSecond(), time.getNano()), labels);
    }
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String seconds(long seconds, int nanos) {
    return plain(BigDecimal.valueOf(seconds).add(BigDecimal.valueOf(nanos, 9)));
  }

  private static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  private static String[] lagBounds() {
    String[] bounds = new String[LagBuckets.BOUNDS.length()];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = Long.toString(LagBuckets.BOUNDS.get(i));
    }
    return bounds;
  }
}
